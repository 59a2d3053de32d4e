from __future__ import annotations

import html
from collections.abc import Callable

import pytest
from django.test import Client
from django.utils import timezone
from pytest_django import DjangoAssertNumQueries

from league.accounts.models import User
from league.bots.models import Version
from league.matches import services
from league.matches.models import Match

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


def test_the_list_of_a_bot_has_its_matches_alone(activate: Activate, play_all: PlayAll, client: Client) -> None:
    for name in ("Pawn", "Rook", "King"):
        activate(name)
    play_all()
    pawn = Version.objects.get(bot__name="Pawn")
    page = read(client, f"/matches/?bot={pawn.bot_id}")
    assert "Matches of Pawn" in page
    with_pawn = Match.objects.filter(version_a=pawn)
    assert [f'href="/matches/{match.pk}/"' in page for match in Match.objects.order_by("pk")] == [
        match in with_pawn for match in Match.objects.order_by("pk")
    ]


@pytest.mark.django_db
def test_an_empty_list_says_what_to_do(client: Client) -> None:
    assert "it takes two active bots" in read(client, "/matches/")


@pytest.mark.django_db
@pytest.mark.parametrize("value", ["abc", "-1", "0", "1.5", "٣", "9" * 30])
@pytest.mark.parametrize("field", ["before", "bot"])
def test_a_wrong_parameter_is_named(client: Client, field: str, value: str) -> None:
    answer = client.get("/matches/", {field: value})
    assert answer.status_code == 400
    assert f"{field}: expected a whole number" in answer.content.decode()


@pytest.mark.django_db
@pytest.mark.parametrize(
    "path", ["/matches/{}/", "/matches/{}/games/1/", "/matches/1/games/{}/", "/matches/?bot={}", "/matches/?before={}"]
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
    with django_assert_max_num_queries(2):
        client.get("/matches/")
    with django_assert_max_num_queries(4):
        client.get(f"/matches/{match.pk}/")
    with django_assert_max_num_queries(1):
        client.get(f"/matches/{match.pk}/games/1/")
