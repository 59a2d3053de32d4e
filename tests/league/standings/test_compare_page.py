from __future__ import annotations

import html
import re
from collections.abc import Callable

import pytest
from django.test import Client
from django.utils import timezone
from pytest_django import DjangoAssertNumQueries

from arena.rating import rate
from league.bots.models import Version
from league.matches.models import Match
from league.standings import comparing, services
from league.standings.models import Fit
from league.tournaments import services as tournaments
from league.tournaments.models import Entry, Tournament

Activate = Callable[..., Version]
ADDRESS = "/leaderboard/ladder/compare/"


def meet(a: Version, b: Version, won: int, drawn: int, lost: int, tournament: Tournament | None = None) -> None:
    """Have two versions play so many matches, as many legs, seen from the first."""
    tournament = tournament or tournaments.ladder()
    outcomes = ["A"] * won + ["draw"] * drawn + ["B"] * lost
    Match.objects.filter(version_a=a, version_b=b, tournament=tournament).delete()
    Match.objects.bulk_create(
        Match(
            tournament=tournament, version_a=a, version_b=b, leg=leg, seed=1, status="played", outcome=outcome,
            points_a=100 + leg, points_b=50, finished_at=timezone.now(),
        )
        for leg, outcome in enumerate(outcomes, 1)
    )  # fmt: skip
    services.refresh(tournament)


def read(client: Client, a: str, b: str, status: int = 200, address: str = ADDRESS) -> str:
    """The text of the page, with single spaces."""
    answer = client.get(address, {"a": a, "b": b})
    assert answer.status_code == status
    page = answer.content.decode()
    return " ".join(html.unescape(re.sub(r"<[^>]+>", " ", page[page.index("<main") :])).split())


@pytest.fixture
def two(activate: Activate) -> tuple[Version, Version]:
    return activate("Pawn"), activate("Rook")


def test_two_that_differ_are_said_to(two: tuple[Version, Version], client: Client) -> None:
    # docs/ratings.md: "after 40 wins in 40 matches 763, give or take 484", each has half of both;
    # with a digit more 763.4 and 484.5
    meet(*two, won=40, drawn=0, lost=0)
    page = read(client, "Rook", "Pawn")
    assert "Yes Pawn is stronger." in page
    assert "Difference 763 ± 484 95 % interval from 279 to 1248" in page
    # 763 / (484 / 1.96) = 3.09: p = 0.002 in a table of the normal distribution
    assert "p-value 0.002" in page
    assert "in fewer than 1 of 100 cases" in page
    assert "Pawn ada 1 382 ± 242 40–0–0 Rook ada 2 −382 ± 242 0–0–40" in page
    assert "Matches that would tell 6 If they differ as rated, 6 matches between the two alone" in page


def test_two_that_may_be_equal_are_said_to_be_unsure(two: tuple[Version, Version], client: Client) -> None:
    meet(*two, won=3, drawn=1, lost=2)
    page = read(client, "pawn", " ROOK ")
    assert "Not sure What they have played does not tell which of them is stronger." in page
    # By the closed form: log(3.5 / 2.5) by sqrt(1 / 3.5 + 1 / 2.5) is 0.4063; p is 0.6845010.
    assert "in 68 of 100 cases" in page
    assert "p-value 0.685" in page


def test_two_that_are_rated_alike_differ_by_no_number_of_matches(two: tuple[Version, Version], client: Client) -> None:
    meet(*two, won=2, drawn=0, lost=2)
    page = read(client, "Pawn", "Rook")
    assert "p-value 1.000 Matches that would tell –" in page
    assert "They are rated alike" in page


def test_their_matches_are_told_from_the_side_of_the_higher_one(two: tuple[Version, Version], client: Client) -> None:
    meet(*two, won=0, drawn=1, lost=2)
    page = read(client, "Pawn", "Rook")
    # Rook is B: the points of leg 3 were 103 : 50 for Pawn
    assert "Rook : Pawn When W 50 : 103" in page
    assert page.index("50 : 103") < page.index("50 : 102") < page.index("D 50 : 101")
    last = Match.objects.get(leg=3)
    assert f'href="/matches/{last.pk}/"' in client.get(ADDRESS, {"a": "Pawn", "b": "Rook"}).content.decode()


def test_two_that_have_not_met_are_compared_by_way_of_others(activate: Activate, client: Client) -> None:
    pawn, rook, king = (activate(name) for name in ("Pawn", "Rook", "King"))
    Match.objects.all().delete()
    meet(pawn, rook, won=30, drawn=0, lost=2)
    meet(rook, king, won=30, drawn=0, lost=2)
    page = read(client, "Pawn", "King")
    assert "Yes Pawn is stronger." in page
    assert "They have not met yet." in page


@pytest.mark.parametrize(
    ("a", "b", "status", "said"),
    [
        ("", "", 200, "What the rating means"),
        ("Pawn", "", 200, "Choose the other bot too."),
        ("", "Pawn", 200, "Choose the other bot too."),
        ("Pawn", "Pawn", 400, "Choose two different bots."),
        ("Pawn", "PAWN", 400, "Choose two different bots."),
        ("Pawn", "Nobody", 404, "No bot of this table is called Nobody."),
        ("<b>", "Pawn", 404, "No bot of this table is called <b>."),
        ("Pawn", "Abbot", 200, "Abbot has no rating yet"),
        ("Pawn", "Gone", 404, "No bot of this table is called Gone."),
    ],
)
def test_who_can_not_be_compared_is_told_why(
    two: tuple[Version, Version], activate: Activate, client: Client, a: str, b: str, status: int, said: str
) -> None:
    activate("Abbot")
    Entry.objects.filter(version=activate("Gone")).delete()
    meet(*two, won=1, drawn=0, lost=0)
    assert said in read(client, a, b, status)


@pytest.mark.parametrize(("name", "said"), [("x" * 151, "expected at most 150"), ("a\0b", "expected text without NUL")])
def test_a_name_that_nobody_can_have_is_named(db: None, client: Client, name: str, said: str) -> None:
    tournaments.ladder()
    answer = client.get(ADDRESS, {"b": name})
    assert answer.status_code == 400
    assert f"b: {said}" in answer.content.decode()


def test_names_of_bots_are_offered_and_shown_as_text(activate: Activate, client: Client) -> None:
    version = activate("Pawn")
    version.bot.name = '"><script>'
    version.bot.save()
    services.refresh(tournaments.ladder())
    page = client.get(ADDRESS, {"a": version.bot.name}).content.decode()
    assert page.count("&quot;&gt;&lt;script&gt;") == 2
    assert '"><script>' not in page


def test_ratings_that_can_not_be_read_are_said_to_come_again(two: tuple[Version, Version], client: Client) -> None:
    meet(*two, won=1, drawn=0, lost=0)
    Fit.objects.update(ratings=b"damaged")
    assert "can't be read now" in read(client, "Pawn", "Rook", 503)
    services.refresh(tournaments.ladder())
    read(client, "Pawn", "Rook")


def test_bots_that_the_stored_ratings_lack_are_no_failure(two: tuple[Version, Version], client: Client) -> None:
    meet(*two, won=1, drawn=0, lost=0)
    Fit.objects.update(ratings=rate([], [two[0].pk]).packed())
    read(client, "Pawn", "Rook", 503)
    assert client.get("/leaderboard/").status_code == 200


def test_a_table_that_is_computed_meanwhile_changes_nothing_and_who_left_meanwhile_is_told(
    two: tuple[Version, Version],
) -> None:
    meet(*two, won=40, drawn=0, lost=0)
    ladder = tournaments.ladder()
    known = comparing.names(ladder)
    services.refresh(ladder)
    answer = comparing.compare(ladder, known, "Pawn", "Rook")
    assert isinstance(answer, comparing.Comparison)
    assert answer.differ
    Entry.objects.filter(version=two[0]).delete()
    services.refresh(ladder)
    refused = comparing.compare(ladder, known, "Pawn", "Rook")
    assert isinstance(refused, comparing.Refused)


@pytest.mark.parametrize(("kind", "status"), [("season", 200), ("scrimmage", 404), ("rejudging", 404)])
def test_every_ranked_tournament_has_its_page(
    two: tuple[Version, Version], client: Client, kind: str, status: int
) -> None:
    ladder = tournaments.ladder()
    other = Tournament.objects.create(
        slug="autumn", name="Autumn", kind=kind, ruleset=ladder.ruleset, time_control=ladder.time_control
    )
    Entry.objects.bulk_create(Entry(tournament=other, bot=each.bot, version=each) for each in two)
    meet(*two, won=0, drawn=0, lost=40, tournament=other)
    address = "/leaderboard/autumn/compare/"
    assert client.get(address, {"a": "Pawn", "b": "Rook"}).status_code == status
    if status == 200:
        assert "Rook is stronger." in read(client, "Pawn", "Rook", address=address)
        assert "No bot of this table is called Pawn." in read(client, "Pawn", "Rook", 404)
    assert client.get("/leaderboard/nowhere/compare/").status_code == 404


def test_the_page_takes_few_queries(
    two: tuple[Version, Version], client: Client, django_assert_max_num_queries: DjangoAssertNumQueries
) -> None:
    meet(*two, won=5, drawn=0, lost=5)
    with django_assert_max_num_queries(5):
        client.get(ADDRESS, {"a": "Pawn", "b": "Rook"})
