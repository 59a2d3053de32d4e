"""Which match a worker process takes next."""

import re
from collections.abc import Callable, Iterator

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from league.bots.models import Version
from league.matches import services, turns
from league.matches.models import Match

Activate = Callable[..., Version]
NAMES = ("Pawn", "Rook", "King", "Queen", "Bishop")


@pytest.fixture
def league(activate: Activate) -> dict[str, int]:
    """The versions of five bots by name, each with a match against each."""
    return {name: activate(name).pk for name in NAMES}


def claims(warm: tuple[int, ...] = ()) -> Iterator[set[str]]:
    """Who plays in the matches that one process claims, one after the other."""
    while match := services.claim("w", warm):
        yield {match.version_a.bot.name, match.version_b.bot.name}


def test_matches_between_warm_bots_are_played_first(league: dict[str, int]) -> None:
    claimed = claims((league["Rook"], league["Queen"], league["Bishop"]))
    assert [next(claimed) for _ in range(3)] == [{"Rook", "Queen"}, {"Rook", "Bishop"}, {"Queen", "Bishop"}]


def test_then_comes_the_bot_that_has_the_most_matches_with_warm_ones(league: dict[str, int]) -> None:
    Match.objects.filter(version_a=league["Pawn"], version_b=league["Rook"]).update(status=Match.Status.CANCELLED)
    claimed = claims((league["Rook"], league["Queen"]))
    assert next(claimed) == {"Rook", "Queen"}
    assert next(claimed) == {"Rook", "King"}  # Pawn is older, but has one left


def test_without_warm_bots_the_oldest_match_comes_first(league: dict[str, int]) -> None:
    assert next(claims()) == {"Pawn", "Rook"}


def test_every_match_is_claimed_whatever_is_warm(league: dict[str, int]) -> None:
    claimed = [frozenset(names) for names in claims((league["Pawn"],))]
    assert len(claimed) == len(set(claimed)) == 10


def test_the_oldest_match_has_its_turn_once_in_a_while(monkeypatch: pytest.MonkeyPatch) -> None:
    now = 1_000.0
    monkeypatch.setattr(turns.time, "monotonic", lambda: now)
    turn = turns.Turn()
    assert turn.favours((7, 8)) == ()
    assert turn.favours((7, 8)) == (7, 8)
    now += turns.PATIENCE_S
    assert turn.favours((7, 8)) == ()
    assert turn.favours((7, 8)) == (7, 8)


def test_neither_what_was_played_nor_the_whole_queue_is_looked_at(queued: Match) -> None:
    if connection.vendor != "sqlite":
        pytest.skip("PostgreSQL goes by its statistics")
    with CaptureQueriesContext(connection) as asked:
        list(turns.in_turn(Match.objects.queued(), (queued.version_a_id,)))
    plans = [plan for query in asked if "matches_match" in query["sql"] for plan in plan_of(query["sql"])]
    searches = [re.sub(r".*USING (?:COVERING )?INDEX ", "", plan) for plan in plans if "SEARCH" in plan]
    assert set(searches) == {
        "match_unfinished_in_turn (status=?)",
        "match_unfinished_of_a (status=? AND version_a_id=?)",
        "match_unfinished_of_b (status=? AND version_b_id=?)",
        "match_unfinished_of_b (status=? AND version_b_id=? AND version_a_id=?)",
    }
    assert not [plan for plan in plans if "SCAN" in plan]


def plan_of(sql: str) -> list[str]:
    with connection.cursor() as cursor:
        cursor.execute(f"EXPLAIN QUERY PLAN {sql}")
        return [row[3] for row in cursor.fetchall()]
