from __future__ import annotations

from datetime import timedelta
from typing import Any

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.utils import timezone
from pytest_django import Settings

from league.matches import playing, services
from league.matches.models import Log, Match, Replay
from league.operations import retention, tasks


@pytest.fixture
def match(queued: Match, short_ladder: Any, local_boxes: Any) -> Match:
    """A match that was played 31 days ago, with the logs of both bots."""
    claimed = services.claim("a worker")
    assert claimed is not None
    assert playing.play(claimed, local_boxes)
    Match.objects.update(finished_at=timezone.now() - timedelta(days=31))
    assert Log.objects.exclude(output="").count() == 2
    return Match.objects.get()


def test_by_default_logs_are_kept(match: Match) -> None:
    tasks.clear()
    assert Log.objects.count() == 2


def test_logs_go_with_their_time_and_results_and_replays_stay(match: Match, settings: Settings, client: Client) -> None:
    settings.KEEP_LOGS = timedelta(days=32)
    tasks.clear()
    assert Log.objects.count() == 2
    settings.KEEP_LOGS = timedelta(days=30)
    tasks.clear()
    assert not Log.objects.exists()
    kept = Match.objects.get()
    assert (kept.outcome, kept.games, kept.reason) == (match.outcome, match.games, match.reason)
    assert Replay.objects.filter(match=match).exists()
    client.force_login(match.version_a.bot.owner)
    assert client.get(f"/matches/{match.pk}/").status_code == 200
    assert client.get(f"/matches/{match.pk}/games/1/").status_code == 200
    assert client.get(f"/matches/{match.pk}/times/A.csv").status_code == 404


def test_many_are_cleared_in_small_parts_and_a_bounded_number_at_once(
    match: Match, settings: Settings, monkeypatch: pytest.MonkeyPatch
) -> None:
    settings.KEEP_LOGS = timedelta(days=30)
    monkeypatch.setattr(retention, "AT_ONCE", 2)
    monkeypatch.setattr(retention, "MOST", 3)
    Log.objects.all().delete()
    rows = [Match(**{**copied(match), "leg": leg}) for leg in range(2, 5)]
    later = Match.objects.create(**{**copied(match), "leg": 5, "finished_at": timezone.now()})
    Log.objects.bulk_create(
        Log(match=row, seat=seat) for row in [*Match.objects.bulk_create(rows), later] for seat in "AB"
    )
    with CaptureQueriesContext(connection) as queries:
        assert retention.clear_old_logs() == 4
    assert sum(query["sql"].startswith("DELETE") for query in queries) == 2
    assert retention.clear_old_logs() == 2
    assert retention.clear_old_logs() == 0
    assert {log.match for log in Log.objects.select_related("match")} == {later}


def copied(match: Match) -> dict[str, Any]:
    """The columns of that match, for another one."""
    return {field.name: getattr(match, field.name) for field in match._meta.concrete_fields if not field.primary_key}
