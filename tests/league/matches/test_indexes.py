"""Lists of matches are read from an index, in its order, whatever statistics the database has or lacks."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import pytest
from django.db import connection
from django.db.models import QuerySet

from league.matches import listing, queue
from league.matches.models import Match
from league.tournaments.models import Tournament

FINISHED = 1000  # matches; enough for an index to pay


@pytest.fixture(autouse=True)
def statistics(queued: Match) -> None:
    """PostgreSQL goes by what it counted last, and takes any index at all for a table that it believes is empty."""
    if connection.vendor != "postgresql":
        return
    end = datetime(2026, 1, 1, tzinfo=UTC)
    Match.objects.bulk_create(
        Match(
            tournament=queued.tournament,
            version_a=queued.version_a,
            version_b=queued.version_b,
            leg=leg,
            seed=leg,
            status=Match.Status.FAILED if leg % 20 == 0 else Match.Status.PLAYED,
            outcome=Match.Outcome.DRAW,
            termination=Match.Termination.TIME if leg % 20 == 1 else Match.Termination.COMPLETED,
            finished_at=end + timedelta(minutes=leg),
        )
        for leg in range(2, 2 + FINISHED)
    )
    with connection.cursor() as cursor:
        cursor.execute(f"ANALYZE {Match._meta.db_table}")


def plan(matches: QuerySet[Match]) -> str:
    """How the database goes about it, with the values as parameters, as in earnest."""
    if connection.vendor == "postgresql":  # a thousand rows are read and sorted in no time: it could do without
        for way in ("seqscan", "bitmapscan", "sort"):
            connection.cursor().execute(f"SET LOCAL enable_{way} = off")
    return matches.explain()


def is_sorted_apart(found: str) -> bool:
    return "TEMP B-TREE" in found or "Sort" in found


@pytest.mark.parametrize(
    "matches",
    [
        listing.finished(),
        listing.finished().filter(status=Match.Status.PLAYED),
        listing.with_fault(listing.finished(), "time"),
        listing.with_fault(listing.finished(), "any"),
        listing.with_fault(listing.finished(), "platform"),
        listing.with_outcome(listing.finished(), "drawn"),
        listing.before(listing.finished(), Match(pk=7, finished_at=datetime(2026, 1, 1, tzinfo=UTC))),
    ],
    ids=["all", "played", "time", "any fault", "platform", "drawn", "before"],
)
def test_finished_matches_come_in_the_order_of_their_index(matches: QuerySet[Match]) -> None:
    found = plan(matches[:50])
    assert "match_by_end" in found
    assert not is_sorted_apart(found)


def test_a_deep_page_begins_where_it_lies() -> None:
    last = Match(pk=7, finished_at=datetime(2026, 1, 1, tzinfo=UTC))
    found = plan(listing.before(listing.finished(), last)[:50])
    assert "finished_at<?" in found or "Index Cond" in found


@pytest.mark.parametrize(
    "matches",
    [
        queue.queued(),
        Match.objects.queued().filter(pk__lt=10**9),
        Match.objects.running().order_by("pk"),
    ],
    ids=["queued", "ahead", "running"],
)
def test_unfinished_matches_have_an_index_of_their_own(matches: QuerySet[Match]) -> None:
    found = plan(matches[:50])
    assert "match_unfinished" in found
    assert not is_sorted_apart(found)


def test_scrimmages_that_wait_are_found_by_their_tournaments() -> None:
    if connection.vendor != "sqlite":
        pytest.skip("PostgreSQL goes by its statistics")
    for slug in ("one", "two"):
        Tournament.objects.create(slug=slug, name=slug, kind="scrimmage", ruleset={}, time_control={})
    parts = Match.objects.queued().order_by("id").scrimmages()
    assert len(parts) == 2
    for part in parts:
        found = plan(part[:16])
        assert "match_unfinished_of (tournament_id=? AND status=?)" in found
        assert not is_sorted_apart(found)


def test_matches_of_a_bot_are_found_by_its_versions() -> None:
    if connection.vendor != "sqlite":
        pytest.skip("PostgreSQL goes by its statistics")
    found = plan(listing.of_versions(listing.finished(), [1, 2])[:50])
    assert "version_a_id=?" in found
    assert "version_b_id=?" in found
