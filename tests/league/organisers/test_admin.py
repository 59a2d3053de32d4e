"""The administration's lists: a few queries however many rows, and none that counts or reads a whole table."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import reverse
from django.utils import timezone

from league.accounts.models import User
from league.bots import admin as lists
from league.bots.models import Version
from league.matches.models import Attempt, Match
from league.organisers.acts import record_act
from league.organisers.models import Act, Announcement, Flag
from league.tournaments import services as tournaments
from league.tournaments.models import Disqualification

MOST_QUERIES = 6
"""The session, the user, the count and the page; for matches also what a name stands for."""
LISTS = [
    "accounts.user", "bots.bot", "bots.version", "matches.attempt", "matches.match", "matches.worker",
    "organisers.act", "organisers.announcement", "organisers.flag", "organisers.rejudging", "standings.standing",
    "standings.table", "tournaments.disqualification", "tournaments.entry", "tournaments.tournament",
]  # fmt: skip
MATCHES = 120


@pytest.fixture
def root(client: Client, league: list[Match]) -> Client:
    """Somebody who sees all lists, on a league with several rows of each kind."""
    user = User.objects.create_superuser("root")
    client.force_login(user)
    first = league[0]
    end = datetime(2026, 1, 1, tzinfo=UTC)
    Match.objects.bulk_create(
        Match(
            tournament=first.tournament, version_a=first.version_a, version_b=first.version_b, leg=leg, seed=leg,
            status="played", outcome="draw", termination="completed", finished_at=end + timedelta(minutes=leg),
        )
        for leg in range(2, MATCHES)
    )  # fmt: skip
    now = timezone.now()
    Attempt.objects.bulk_create(
        Attempt(match=match, number=1, worker="w", started_at=now, fault="no engine") for match in league
    )
    for version in Version.objects.order_by("pk")[:2]:
        Disqualification.objects.create(tournament=first.tournament, bot=version.bot, reason="two of one")
        record_act(user, Act.Action.DISQUALIFY, tournament=first.tournament, bot=version.bot)
    for number in range(3):
        Announcement.objects.create(title="Soon", text="More", published_at=now)
        Flag.objects.create(kind="file", key=str(number), tournament=tournaments.ladder())
    return client


def test_lists_take_few_queries_and_count_no_table(root: Client, subtests: pytest.Subtests) -> None:
    for model in LISTS:
        with subtests.test(model), CaptureQueriesContext(connection) as queries:
            page = root.get(reverse(f"admin:{model.replace('.', '_')}_changelist"))
            assert page.status_code == 200
        assert len(queries) <= MOST_QUERIES, [query["sql"][:200] for query in queries]
        if model != "accounts.user":
            counts = [query["sql"] for query in queries if "COUNT(*)" in query["sql"]]
            assert all("LIMIT" in count for count in counts)


@pytest.mark.parametrize(
    ("search", "found"), [("q=999999", 0), ("q=nobody", 0), ("q=king", 2), ("status__exact=failed", 0)]
)
def test_matches_are_found_by_number_bot_and_status(root: Client, search: str, found: int) -> None:
    Match.objects.filter(leg__gt=1).delete()
    page = root.get(reverse("admin:matches_match_changelist") + f"?{search}")
    assert page.context["cl"].result_count == found


def test_a_match_is_found_by_its_number_alone(root: Client, league: list[Match]) -> None:
    page = root.get(reverse("admin:matches_match_changelist") + f"?q={league[1].pk}")
    assert list(page.context["cl"].result_list) == [league[1]]


def test_a_long_list_is_counted_to_a_limit(root: Client, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(lists, "COUNTED", 110)
    page = root.get(reverse("admin:matches_match_changelist") + "?p=2")
    assert page.status_code == 200
    assert page.context["cl"].result_count == 110


@pytest.mark.parametrize("search", ["", "status__exact=failed", "status__exact=played&termination__exact=crash"])
def test_a_list_of_matches_is_read_in_the_order_of_an_index(root: Client, search: str) -> None:
    if connection.vendor != "sqlite":
        pytest.skip("PostgreSQL goes by its statistics")
    page = root.get(reverse("admin:matches_match_changelist") + f"?{search}")
    plan = page.context["cl"].queryset[:100].explain()
    assert "match_by_end" in plan
    assert "TEMP B-TREE" not in plan


@pytest.mark.parametrize("row", ["standings/table", "scrimmages/scrimmage", "matches/match"])
@pytest.mark.parametrize("page", ["change", "history", "delete"])
def test_a_number_that_no_row_can_have_is_none(client: Client, db: None, row: str, page: str) -> None:
    client.force_login(User.objects.create_superuser("root"))
    assert client.get(f"/admin/{row}/{'9' * 40}/{page}/").status_code in (302, 403)
