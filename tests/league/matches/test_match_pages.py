from __future__ import annotations

import html
import re
from collections.abc import Callable
from datetime import UTC, datetime, timedelta

import pytest
from django.test import Client
from django.utils import timezone
from pytest_django import DjangoAssertNumQueries

from league.accounts.models import User
from league.bots.models import Version
from league.matches import services
from league.matches.models import Match, Replay

PlayAll = Callable[..., list[Match]]
Activate = Callable[..., Version]


def read(client: Client, path: str) -> str:
    answer = client.get(path)
    assert answer.status_code == 200, path
    return html.unescape(answer.content.decode())


def test_a_played_match_shows_its_score_and_a_link_to_each_game(
    queued: Match, play_all: PlayAll, client: Client
) -> None:
    [match] = play_all()
    page = read(client, f"/matches/{match.pk}/")
    assert f'<span class="score-points">{match.points_a}</span>' in page
    assert f'<span class="score-points">{match.points_b}</span>' in page
    for number in (1, 2):
        assert f'href="/matches/{match.pk}/games/{number}/"' in page
    assert f"<code>{match.seed}</code>" in page
    assert "run_direction=up" in page
    assert "10 s to load, 1 s a decision, 30 s a match" in page


def test_a_forfeited_match_says_why(queued: Match, play_all: PlayAll, raiser: type, client: Client) -> None:
    [match] = play_all(bots=(raiser, raiser))
    page = read(client, f"/matches/{match.pk}/")
    assert "by forfeit" in page
    assert "Crash:" in page
    assert "ValueError: no idea" in page


@pytest.mark.parametrize(
    ("visitor", "sees"),
    [
        ("anonymous", []),
        ("other", ["trace of B", "output of B"]),
        ("owner", ["trace of A", "output of A"]),
        ("staff", ["trace of A", "output of A", "trace of B", "output of B"]),
    ],
)
def test_a_log_is_for_the_owner_of_its_bot_and_staff(
    people: dict[str, Client], activate: Activate, play_all: PlayAll, visitor: str, sees: list[str]
) -> None:
    activate("Bishop")
    activate("Rook", owner=User.objects.get(username="bob"))
    [match] = play_all()
    answer = people[visitor].get(f"/matches/{match.pk}/")
    page = answer.content.decode()
    logs = ["trace of A", "output of A", "trace of B", "output of B"]
    assert [log for log in logs if log in page] == sees
    assert "private" in answer["Cache-Control"]


def test_a_queued_match_says_its_place(activate: Activate, client: Client) -> None:
    for name in ("Pawn", "Rook", "King"):
        activate(name)
    first, second, third = Match.objects.order_by("pk")
    assert "It is the next to be played." in read(client, f"/matches/{first.pk}/")
    assert "1 match was queued before it." in read(client, f"/matches/{second.pk}/")
    assert "2 matches were queued before it." in read(client, f"/matches/{third.pk}/")
    assert "Its turn in" not in read(client, f"/matches/{third.pk}/")  # nobody knows how long a match takes
    now = timezone.now()
    Match.objects.filter(pk=first.pk).update(
        status="played", outcome="A", started_at=now - timedelta(minutes=20), finished_at=now
    )
    assert "Its turn in: 40 min" in read(client, f"/matches/{third.pk}/")


def test_a_running_match_shows_its_progress_and_then_its_score(
    queued: Match, play_all: PlayAll, client: Client
) -> None:
    match = services.claim("w")
    assert match is not None
    services.extend(match, 5)
    address, poll = f"/matches/{match.pk}/", {"HX-Request": "true"}
    part = client.get(address, headers=poll).content.decode()
    assert "5 of 12 games are finished." in part
    assert "<html" not in part
    services.release(match)
    play_all()
    assert client.get(address, headers=poll)["HX-Refresh"] == "true"


def test_a_failed_match_is_named_as_the_platforms_fault(queued: Match, client: Client) -> None:
    match = services.claim("w")
    assert match is not None
    services.fail(match, "Traceback\n  secret path\nSandboxFault: the container is gone")
    page = read(client, f"/matches/{match.pk}/")
    assert "Interrupted attempts" in page
    assert "SandboxFault: the container is gone" in page
    assert "secret path" not in page
    Match.objects.update(status="failed", finished_at=timezone.now())
    assert "neither bot is at fault" in read(client, f"/matches/{match.pk}/")
    assert "platform fault" in read(client, "/matches/")


def test_a_cancelled_match_says_why(queued: Match, client: Client) -> None:
    Match.objects.update(status="cancelled")
    assert "left the table before" in read(client, f"/matches/{queued.pk}/")


def test_the_list_goes_on_after_its_last_row(
    activate: Activate, play_all: PlayAll, client: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("league.matches.views.PAGE", 2)
    for name in ("Pawn", "Rook", "King"):
        activate(name)
    newest_first = [match.pk for match in reversed(play_all())]
    Match.objects.update(finished_at=timezone.now())  # equal times: the id decides
    newest_first.sort(reverse=True)
    first = read(client, "/matches/")
    assert [pk for pk in newest_first if f'href="/matches/{pk}/"' in first] == newest_first[:2]
    assert f"?before={newest_first[1]}" in first
    second = read(client, f"/matches/?before={newest_first[1]}")
    assert [pk for pk in newest_first if f'href="/matches/{pk}/"' in second] == newest_first[2:]


@pytest.fixture
def league(activate: Activate, people: dict[str, Client], play_all: PlayAll) -> list[Match]:
    """Pawn and King are ada's, Rook is bob's."""
    activate("Pawn")
    activate("Rook", owner=User.objects.get(username="bob"))
    activate("King")
    return play_all()


def shown(page: str) -> list[int]:
    return [int(pk) for pk in re.findall(r'class="result" href="/matches/(\d+)/"', page)]


@pytest.mark.parametrize(
    ("query", "pairs"),
    [
        ("?bot=Pawn", ["Pawn-Rook", "Pawn-King"]),
        ("?bot=pawn", ["Pawn-Rook", "Pawn-King"]),
        ("?author=bob", ["Pawn-Rook", "Rook-King"]),
        ("?author=ada&bot=King", ["Pawn-King", "Rook-King"]),
        ("?bot=&author=&outcome=&fault=", ["Pawn-Rook", "Pawn-King", "Rook-King"]),
        ("?outcome=won", ["Pawn-Rook"]),
        ("?bot=Pawn&outcome=won", ["Pawn-Rook"]),
        ("?bot=Rook&outcome=won", []),
        ("?bot=Rook&outcome=lost", ["Pawn-Rook", "Rook-King"]),
        ("?author=ada&outcome=lost", ["Rook-King"]),
        ("?outcome=drawn", ["Pawn-King"]),
        ("?fault=none", ["Pawn-Rook", "Pawn-King"]),
        ("?fault=any", ["Rook-King"]),
        ("?fault=memory", ["Rook-King"]),
        ("?fault=time", []),
        ("?fault=platform", []),
    ],
)
def test_the_list_is_of_a_bot_an_author_an_outcome_a_fault(
    league: list[Match], client: Client, query: str, pairs: list[str]
) -> None:
    results = {
        "Pawn-Rook": {"outcome": "A"},
        "Pawn-King": {"outcome": "draw"},
        "Rook-King": {"outcome": "none", "termination": "memory", "forfeits": "AB"},
    }
    numbers = {f"{match.version_a.bot.name}-{match.version_b.bot.name}": match.pk for match in league}
    for pair, result in results.items():
        Match.objects.filter(pk=numbers[pair]).update(**result)
    assert sorted(shown(read(client, f"/matches/{query}"))) == sorted(numbers[pair] for pair in pairs)


def test_filters_hold_on_the_next_page(league: list[Match], client: Client, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("league.matches.views.PAGE", 1)
    first = read(client, "/matches/?bot=Pawn")
    [last] = shown(first)
    assert f'rel="next" href="?bot=Pawn&before={last}"' in first
    assert len(shown(read(client, f"/matches/?bot=Pawn&before={last}"))) == 1


def test_an_unknown_bot_is_not_found_and_similar_ones_are_named(league: list[Match], client: Client) -> None:
    answer = client.get("/matches/", {"bot": "aw"})
    assert answer.status_code == 404
    page = html.unescape(answer.content.decode())
    assert "No bot is called aw." in page
    assert 'href="?bot=Pawn"' in page
    assert client.get("/matches/", {"author": "nobody"}).status_code == 404
    assert client.get("/matches/", {"author": "bob", "bot": "King"}).status_code == 404


@pytest.mark.django_db
def test_an_empty_list_says_what_to_do(client: Client) -> None:
    assert "it takes two active bots" in read(client, "/matches/")


@pytest.mark.django_db
@pytest.mark.parametrize("value", ["abc", "-1", "0", "1.5", "٣", "9" * 30])
def test_a_wrong_parameter_is_named(client: Client, value: str) -> None:
    answer = client.get("/matches/", {"before": value})
    assert answer.status_code == 400
    assert "before: expected a whole number" in answer.content.decode()


@pytest.mark.django_db
@pytest.mark.parametrize("field", ["outcome", "fault"])
def test_a_wrong_choice_is_named(client: Client, field: str) -> None:
    answer = client.get("/matches/", {field: "perhaps"})
    assert answer.status_code == 400
    assert f"{field}: expected one of" in answer.content.decode()


@pytest.mark.django_db
@pytest.mark.parametrize("field", ["bot", "author"])
@pytest.mark.parametrize("value", ["a\0b", "x" * 151])
def test_a_name_that_nobody_can_have_is_refused(client: Client, field: str, value: str) -> None:
    answer = client.get("/matches/", {field: value})
    assert answer.status_code == 400
    assert f"{field}: expected" in answer.content.decode()


def test_the_games_are_listed_with_dealer_rounds_and_times(queued: Match, play_all: PlayAll, client: Client) -> None:
    [match] = play_all()
    page = read(client, f"/matches/{match.pk}/")
    table = page[page.index('<table class="results games-table">') :]
    rows = re.findall(r"<tr>\s*<th scope=\"row\">.*?</tr>", table, re.DOTALL)
    assert len(rows) == len(match.games)
    lead = 0
    for row, (dealer, a, b, rounds) in zip(rows, match.games, strict=True):
        lead += a - b
        figures = re.sub(r"<[^>]+>", " ", row).split()[2:]
        assert figures[:4] == [str(a), str(b), str(abs(lead)), str(rounds)]
        assert f'<td class="number fold"><i class="seat seat-{"ab"[dealer]}"' in row
        assert all(re.fullmatch(r"\d[\d,]*(\.\d)?", figure) for figure in figures[4:])


def test_the_lead_is_drawn_on_the_side_of_who_has_it(queued: Match, play_all: PlayAll, client: Client) -> None:
    [match] = play_all()
    Match.objects.update(games=[[0, 60, 40, 20], [1, 30, 80, 20]])
    page = read(client, f"/matches/{match.pk}/")
    chart = page[page.index('class="lead-chart"') : page.index('class="lead-figures"')]
    # A leads by 20, then B by 30: 50 points over 100 units, so the line between them lies at 40
    assert '<rect class="a" x="0" y="0" width="10" height="40"/>' in chart
    assert '<rect class="b" x="10" y="40" width="10" height="60"/>' in chart
    assert 'points="0,0 10,0 10,100 20,100"' in chart


def test_a_damaged_record_leaves_the_rest_of_the_page(queued: Match, play_all: PlayAll, client: Client) -> None:
    [match] = play_all()
    Replay.objects.update(data=b"no record")
    page = read(client, f"/matches/{match.pk}/")
    assert str(match.points_a) in page
    assert "Engine version" not in page
    assert "Its replay is not kept." in page
    assert f"/matches/{match.pk}/games/" not in page


def test_the_match_can_be_played_and_watched_at_home(queued: Match, play_all: PlayAll, client: Client) -> None:
    [match] = play_all()
    page = read(client, f"/matches/{match.pk}/")
    assert f"arena play Bishop.py Rook.py --seed {match.seed} --games 2\narena replay match-{match.pk}.json\n" in page
    assert re.search(rf'href="/matches/{match.pk}/record\.json\?names=[0-9a-f]{{8}}" download', page)
    assert "arena rerun" not in page


def test_a_bot_that_forfeits_can_be_asked_again_at_home(
    queued: Match, play_all: PlayAll, raiser: type, client: Client
) -> None:
    """It raised at its first decision. That of B was not asked: the first forfeit ends a match."""
    [match] = play_all(bots=(raiser, raiser))
    [seat] = match.forfeits
    bot = {"A": "Bishop.py", "B": "Rook.py"}[seat]
    command = f"arena rerun match-{match.pk}.json {bot} --seat {seat} --stop-at 1."
    for page in (f"/matches/{match.pk}/", f"/matches/{match.pk}/games/1/"):
        [place] = re.findall(re.escape(command) + r"(\d+) --debug\n", read(client, page))
        assert f"game 1, decision {place}: " in match.reason


def test_times_are_in_utc_for_machines_and_named_for_people(queued: Match, play_all: PlayAll, client: Client) -> None:
    play_all()
    Match.objects.update(finished_at=datetime(2026, 3, 29, 0, 59, 59, tzinfo=UTC))
    page = read(client, f"/matches/{queued.pk}/")
    assert '<time datetime="2026-03-29T00:59:59+00:00" data-exact>2026-03-29 00:59:59 UTC</time>' in page


@pytest.mark.django_db
@pytest.mark.parametrize(
    "path", ["/matches/{}/", "/matches/{}/games/1/", "/matches/1/games/{}/", "/matches/?before={}"]
)
@pytest.mark.parametrize("number", [999, 10**17, 10**30])
def test_unknown_ids_are_not_found(client: Client, path: str, number: int) -> None:
    refused = 400 if "?" in path and number == 10**30 else 404
    assert client.get(path.format(number)).status_code == refused


def test_the_pages_take_few_queries_however_many_rows(
    activate: Activate, play_all: PlayAll, client: Client, django_assert_max_num_queries: DjangoAssertNumQueries
) -> None:
    for name in ("Pawn", "Rook", "King", "Queen"):
        activate(name)
    match = play_all()[0]
    with django_assert_max_num_queries(3):
        client.get("/matches/")
    with django_assert_max_num_queries(4):
        client.get("/matches/?bot=Pawn&author=ada&outcome=won&fault=none")
    with django_assert_max_num_queries(4):
        client.get(f"/matches/{match.pk}/")
    with django_assert_max_num_queries(1):
        client.get(f"/matches/{match.pk}/games/1/")
