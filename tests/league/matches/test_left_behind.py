"""What a bot used in a match: figures, the way to the moves they are of, and a file, for its owner and staff."""

from __future__ import annotations

import csv
import html
import io
import re
from collections.abc import Callable
from typing import Any

import pytest
from django.test import Client
from django.utils import translation

from arena import replay
from arena.usage import Call, Usage
from league.accounts.models import User
from league.bots import usage
from league.bots.models import Version
from league.matches import playing, services, viewer
from league.matches.models import Log, Match, Replay
from league.matches.viewer import Frame

pytestmark = pytest.mark.usefixtures("short_ladder")


@pytest.fixture
def match(activate: Callable[..., Version], people: dict[str, Client], local_boxes: Any) -> Match:
    """Played, of a bot of the owner in seat A and one of the other author."""
    return played(activate, local_boxes)


def played(activate: Callable[..., Version], boxes: Any) -> Match:
    activate("Bishop")
    activate("Rook", owner=User.objects.get(username="bob"))
    claimed = services.claim("w")
    assert claimed is not None
    assert playing.play(claimed, boxes)
    return Match.objects.get(pk=claimed.pk)


def frames_of(match: Match, game: int) -> list[Frame]:
    stored = Replay.objects.get(match=match)
    with translation.override("en"):
        return viewer.frames(replay.decode(stored.format, stored.codec, bytes(stored.data)), game)


def store(match: Match, seat: str, *calls: Call) -> None:
    used = usage.columns(Usage(41 * 1024, 1.25, calls))
    Log.objects.filter(match=match, seat=seat).update(**used)


def read(client: Client, path: str) -> str:
    answer = client.get(path)
    assert answer.status_code == 200, path
    return html.unescape(answer.content.decode())


def test_the_owner_reads_what_his_bot_used_and_where_it_was_slowest(match: Match, people: dict[str, Client]) -> None:
    frame = next(each for each in frames_of(match, 2) if each.seat == 0 and each.decision and each.decision > 9)
    assert frame.decision is not None
    load = Call(0, 0, "load", 0.04, 0.05)
    store(match, "A", load, Call(2, 1, "play", 0.001, 0.9), Call(2, frame.decision, "play", 0.012, 0.014))
    page = read(people["owner"], f"/matches/{match.pk}/")
    assert "41 MiB of 256" in page
    assert "1.25 s" in page
    for figure in ("40.0 ms CPU", "50.0 ms wall", "12.0 ms CPU", "14.0 ms wall"):
        assert figure in page
    place = f"game 2, decision {frame.decision}"
    assert f'<a href="/matches/{match.pk}/games/2/?move={frame.number}">{place}</a>' in page


def test_the_call_in_which_a_bot_failed_leads_to_where_it_did(
    activate: Callable[..., Version], people: dict[str, Client], local_boxes: Any, raiser: type
) -> None:
    local_boxes.bots["Bishop"] = raiser
    match = played(activate, local_boxes)
    last = frames_of(match, 1)[-1]
    assert last.what == "fault"
    page = read(people["owner"], f"/matches/{match.pk}/")
    assert "Failed call" in page
    assert f'<a href="/matches/{match.pk}/games/1/?move={last.number}">game 1, decision ' in page
    game = read(people["owner"], f"/matches/{match.pk}/games/1/?move={last.number}")
    assert re.search(r"data-wall-clock>[^<]+ m?s<", game)


def test_a_match_from_before_there_were_figures_shows_none(match: Match, people: dict[str, Client]) -> None:
    Log.objects.update(memory_peak_kib=None, cpu_s=None, calls=None)
    for path in ("", "games/1/?move=9"):
        page = read(people["owner"], f"/matches/{match.pk}/{path}")
        for word in ("Memory peak", "wall", "None", ".csv"):
            assert word not in page, (path, word)
    assert people["owner"].get(f"/matches/{match.pk}/times/A.csv").status_code == 404


@pytest.mark.parametrize("path", ["", "games/1/?move=9", "record.json", "record.txt"])
@pytest.mark.parametrize("visitor", ["anonymous", "other"])
def test_others_get_the_page_that_they_would_get_without_the_figures(
    match: Match, people: dict[str, Client], visitor: str, path: str
) -> None:
    address = f"/matches/{match.pk}/{path}"
    with_figures = without_tokens(people[visitor].get(address))
    Log.objects.filter(match=match, seat="A").delete()
    assert without_tokens(people[visitor].get(address)) == with_figures


def without_tokens(answer: Any) -> str:
    """The page without what differs in each answer."""
    page = answer.getvalue().decode()
    return re.sub(r'name="csrfmiddlewaretoken" value="\w+"|nonce="[^"]+"', "", page)


def test_the_wall_time_stands_beside_the_cpu_time_at_each_move_of_the_own_bot(
    match: Match, people: dict[str, Client]
) -> None:
    frames = frames_of(match, 1)
    own = [frame for frame in frames if frame.seat == 0 and frame.decision]
    store(match, "A", *(Call(1, frame.decision or 0, "play", 0.0, 1 + frame.number / 100) for frame in own))
    page = read(people["owner"], f"/matches/{match.pk}/games/1/?move={own[3].number}")
    moves = re.findall(r'<li class="move-\w+">.*?</li>', page, re.DOTALL)
    shown = {number: found[1] for number, move in enumerate(moves) if (found := re.search("data-wall>([^<]+)", move))}
    assert shown == {frame.number: f"{1 + frame.number / 100:.2f} s" for frame in own}
    assert re.findall("data-wall-clock>([^<]+)<", page) == [shown[own[3].number]]
    assert "wall" not in re.findall(r'<script id="film".*?</script>', page, re.DOTALL)[0]


def test_staff_read_the_wall_times_of_both(match: Match, people: dict[str, Client]) -> None:
    page = read(people["staff"], f"/matches/{match.pk}/games/1/")
    decided = [frame.number for frame in frames_of(match, 1) if frame.decision]
    assert page.count("data-wall>") > len(decided) / 3
    assert page.count("data-wall-clock") == 2


def test_the_times_of_all_calls_come_as_csv(match: Match, people: dict[str, Client]) -> None:
    store(
        match,
        "A",
        Call(0, 0, "load", 0.04, 0.05),
        Call(1, 2, "choose_pile", 0.0123, 1.5003),
        Call(2, 7, "play", None, 31),
    )
    answer = people["owner"].get(f"/matches/{match.pk}/times/A.csv")
    assert answer["Content-Type"].startswith("text/csv")
    assert answer["Content-Disposition"] == f'attachment; filename="match-{match.pk}-A.csv"'
    assert list(csv.reader(io.StringIO(answer.content.decode()))) == [
        ["game", "decision", "call", "cpu_ms", "wall_ms"],
        ["0", "0", "load", "40.0", "50.0"],
        ["1", "2", "choose_pile", "12.3", "1500.3"],
        ["2", "7", "play", "", "31000.0"],
    ]


@pytest.mark.parametrize("kept", [True, False])
def test_who_may_not_read_the_times_is_not_told_whether_there_are_any(
    match: Match, people: dict[str, Client], kept: bool
) -> None:
    if not kept:
        Log.objects.all().delete()
    assert people["other"].get(f"/matches/{match.pk}/times/A.csv").status_code == 403
    assert people["owner"].get(f"/matches/{match.pk}/times/B.csv").status_code == 403
    assert people["anonymous"].get(f"/matches/{match.pk}/times/A.csv").status_code == 302


def test_a_match_has_no_third_seat(match: Match, people: dict[str, Client]) -> None:
    assert people["staff"].get(f"/matches/{match.pk}/times/C.csv").status_code == 404
