"""Lists of matches are read from an index, in its order, whatever statistics the database has or lacks."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest
from django.db import connection
from django.db.models import QuerySet

from league.matches import listing, queue
from league.matches.models import Match

pytestmark = pytest.mark.django_db


def plan(matches: QuerySet[Match]) -> str:
    """How the database goes about it, with the values as parameters, as in earnest."""
    if connection.vendor == "postgresql":  # of an empty table it would read all
        connection.cursor().execute("SET LOCAL enable_seqscan = off; SET LOCAL enable_bitmapscan = off")
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
        Match.objects.queued().filter(pk__lt=1000),
        Match.objects.running().order_by("pk"),
    ],
    ids=["queued", "ahead", "running"],
)
def test_unfinished_matches_have_an_index_of_their_own(matches: QuerySet[Match]) -> None:
    found = plan(matches[:50])
    assert "match_unfinished" in found
    assert not is_sorted_apart(found)


def test_matches_of_a_bot_are_found_by_its_versions() -> None:
    if connection.vendor != "sqlite":
        pytest.skip("PostgreSQL goes by its statistics")
    found = plan(listing.of_versions(listing.finished(), [1, 2])[:50])
    assert "version_a_id=?" in found
    assert "version_b_id=?" in found
