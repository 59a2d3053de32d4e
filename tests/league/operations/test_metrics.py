from __future__ import annotations

import json
import re
from collections.abc import Callable
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest
import yaml
from django.core.cache import cache
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.utils import timezone
from pytest_django import Settings
from redis.exceptions import ConnectionError as Away

from league.bots.models import Version
from league.matches import playing
from league.matches import services as matches
from league.matches.models import Match, Worker
from league.operations import exposition, metrics, services, tasks
from league.operations.exposition import Metric, Sample
from league.standings import services as standings
from league.standings.models import Table
from league.tournaments import services as tournaments

DEPLOY = Path(__file__).parents[3] / "deploy"
TOKEN = "a token of the monitoring"
SUFFIXES = ("_bucket", "_sum", "_count")


@pytest.fixture
def token(settings: Settings, tmp_path: Path) -> str:
    settings.METRICS_TOKEN = TOKEN
    settings.PAGE_TIMES = tmp_path / "page_times"
    return TOKEN


def ask(client: Client) -> str:
    answer = client.get("/metrics", headers={"Authorization": f"Bearer {TOKEN}"})
    assert answer.status_code == 200
    assert answer["Content-Type"] == "text/plain; version=0.0.4; charset=utf-8"
    return answer.content.decode()


def told(client: Client) -> dict[str, float]:
    """The samples, by their name and labels."""
    lines = [line for line in ask(client).splitlines() if not line.startswith("#")]
    return {sample: float(value) for sample, _, value in (line.rpartition(" ") for line in lines)}


@pytest.mark.parametrize("given", ["", "Bearer ", "Bearer other", f"Basic {TOKEN}", TOKEN, "Bearer \u00fc"])
def test_metrics_are_told_to_who_has_the_token(client: Client, token: str, given: str) -> None:
    answer = client.get("/metrics", headers={"Authorization": given})
    assert (answer.status_code, answer["WWW-Authenticate"]) == (401, "Bearer")
    assert b"ARENA_METRICS_TOKEN" in answer.content


def test_without_a_token_there_are_no_metrics(client: Client, settings: Settings) -> None:
    settings.METRICS_TOKEN = ""
    assert client.get("/metrics", headers={"Authorization": "Bearer "}).status_code == 404


def test_metrics_can_only_be_read(client: Client, token: str) -> None:
    assert client.post("/metrics", headers={"Authorization": f"Bearer {TOKEN}"}).status_code == 405


@pytest.mark.django_db
def test_an_empty_league_has_zeros_and_no_clock(client: Client, token: str) -> None:
    found = told(client)
    assert found['arena_queue_waiting{queue="matches"}'] == 0
    assert found['arena_queue_oldest_seconds{queue="checks"}'] == 0
    assert found['arena_workers{state="able"}'] == 0
    assert found['arena_matches_ended{status="failed",termination="",outcome=""}'] == 0
    assert "arena_clock_age_seconds" not in found


def test_queues_and_matches_are_counted(
    client: Client, token: str, queued: Match, upload: Callable[..., Version], short_ladder: Any, local_boxes: Any
) -> None:
    upload("Queen")
    Match.objects.update(created_at=timezone.now() - timedelta(seconds=90))
    found = told(client)
    assert found['arena_queue_waiting{queue="checks"}'] == 1
    assert found['arena_queue_waiting{queue="matches"}'] == 1
    assert found['arena_queue_oldest_seconds{queue="matches"}'] == pytest.approx(90, abs=30)
    match = matches.claim("a worker")
    assert match is not None
    Match.objects.update(started_at=timezone.now() - timedelta(seconds=40))
    found = told(client)
    assert found["arena_matches_running"] == 1
    assert found["arena_match_longest_seconds"] == pytest.approx(40, abs=30)
    assert matches.fail(match, "the engine is gone")
    Match.objects.update(not_before=None)
    again = matches.claim("a worker")
    assert again is not None
    assert playing.play(again, local_boxes)
    cache.clear()
    outcome = Match.objects.get().outcome
    found = told(client)
    assert found[f'arena_matches_ended{{status="played",termination="completed",outcome="{outcome}"}}'] == 1
    assert found["arena_platform_faults_total"] == 1
    assert found["arena_matches_running"] == found['arena_queue_waiting{queue="matches"}'] == 0


def test_workers_tables_and_the_clock_are_told(client: Client, token: str, queued: Match) -> None:
    Worker.objects.create(name="a", sandbox="containers", able=True)
    Worker.objects.create(name="b", sandbox="no Docker engine answers", able=False)
    ladder = tournaments.ladder()
    assert standings.refresh(ladder)
    tasks.tick()
    found = told(client)
    assert workers(found) == [1, 0, 1, 0]
    assert found['arena_table_stale{tournament="ladder"}'] == found['arena_table_failed{tournament="ladder"}'] == 0
    assert 0 <= found["arena_clock_age_seconds"] < 30
    Table.objects.update(error="ValueError: no", computed_at=timezone.now() - timedelta(seconds=600))
    tournaments.touch(ladder)
    found = told(client)
    assert found['arena_table_stale{tournament="ladder"}'] == found['arena_table_failed{tournament="ladder"}'] == 1
    assert found['arena_table_age_seconds{tournament="ladder"}'] == pytest.approx(600, abs=30)


@pytest.mark.django_db
def test_a_worker_that_takes_no_matches_is_not_counted_among_those_that_do(client: Client, token: str) -> None:
    silent = timezone.now() - timedelta(seconds=31)
    Worker.objects.create(name="a", sandbox="containers", able=True, seen_at=silent)
    Worker.objects.create(name="b", sandbox="containers", able=True, pause="disk")
    Worker.objects.create(name="c", sandbox="no engine", able=False, pause="test")
    assert workers(told(client)) == [0, 1, 1, 1]


def workers(found: dict[str, float]) -> list[float]:
    return [found[f'arena_workers{{state="{state}"}}'] for state in ("able", "paused", "unable", "lost")]


def test_a_match_that_no_sweep_takes_from_its_worker_is_told(
    client: Client, token: str, queued: Match, clock: Any
) -> None:
    assert matches.claim("elsewhere/1/1") == queued
    clock.pass_by(seconds=300 + 60)
    assert told(client)["arena_matches_overdue"] == 0
    clock.pass_by(seconds=1)
    assert told(client)["arena_matches_overdue"] == 1
    matches.sweep()
    assert told(client)["arena_matches_overdue"] == 0


@pytest.mark.django_db
def test_the_clock_ticks_in_one_row() -> None:
    tasks.tick()
    services.Upkeep.objects.update(ticked_at=timezone.now() - timedelta(hours=1))
    tasks.tick()
    since = services.since_tick()
    assert since is not None
    assert since < timedelta(minutes=1)


@pytest.mark.django_db
def test_pages_are_measured_by_view(client: Client, token: str) -> None:
    for address in ("/rules/", "/rules/", "/nowhere/", "/admin/"):
        client.get(address)
    found = told(client)
    assert found['arena_page_seconds_bucket{view="pages:rules",le="+Inf"}'] == 2
    assert found['arena_page_seconds_count{view="pages:rules"}'] == 2
    assert found['arena_page_seconds_sum{view="pages:rules"}'] > 0
    assert found['arena_page_seconds_count{view="none"}'] == found['arena_page_seconds_count{view="admin"}'] == 1
    assert found['arena_page_failures_total{view="pages:rules"}'] == 0


@pytest.mark.django_db
def test_a_page_that_fails_is_counted(client: Client, token: str, monkeypatch: pytest.MonkeyPatch) -> None:
    from league.pages import documents

    def fail(name: str) -> None:
        raise OSError("no such document")

    monkeypatch.setattr(documents, "document", fail)
    client.raise_request_exception = False
    assert client.get("/rules/").status_code == 500
    assert told(client)['arena_page_failures_total{view="pages:rules"}'] == 1


@pytest.mark.django_db
def test_where_no_file_can_be_written_all_else_is_told(
    client: Client, token: str, settings: Settings, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    settings.PAGE_TIMES = tmp_path / "nowhere/page_times"
    assert not [name for name in told(client) if name.startswith("arena_page")]
    assert "page times are not measured" in caplog.text


@pytest.mark.django_db
def test_without_a_cache_matches_are_counted_each_time(
    client: Client, token: str, queued: Match, monkeypatch: pytest.MonkeyPatch
) -> None:
    Match.objects.update(status="failed", finished_at=timezone.now())

    class AwayCache:
        def get(self, key: str) -> None:
            raise Away("no Redis")

    monkeypatch.setattr(metrics, "cache", AwayCache())
    assert told(client)['arena_matches_ended{status="failed",termination="",outcome=""}'] == 1


@pytest.mark.django_db
def test_matches_that_ended_are_counted_in_an_index_alone() -> None:
    with CaptureQueriesContext(
        connection,
    ) as queries:
        metrics._count_ended()
    (query,) = queries
    if connection.vendor == "sqlite":
        with connection.cursor() as cursor:
            plan = " ".join(str(row) for row in cursor.execute(f"EXPLAIN QUERY PLAN {query['sql']}").fetchall())
        assert "COVERING INDEX match_by_end" in plan


@pytest.mark.django_db
def test_few_queries_are_made_whatever_there_is(queued: Match) -> None:
    with CaptureQueriesContext(connection) as queries:
        list(metrics.metrics())
    assert len(queries) <= 14


def test_labels_are_escaped() -> None:
    hostile = Metric("arena_x", "gauge", "It.", [Sample(0.5, {"name": 'a"b\\c\nd'}), Sample(3)])
    assert exposition.text([hostile]) == (
        '# HELP arena_x It.\n# TYPE arena_x gauge\narena_x{name="a\\"b\\\\c\\nd"} 0.5\narena_x 3\n'
    )


@pytest.fixture
def told_names(client: Client, token: str, queued: Match) -> set[str]:
    """Names of all metrics that there are, with those of the parts of histograms."""
    client.get("/rules/")
    names = dict(re.findall(r"^# TYPE (\S+) (\S+)$", ask(client), re.MULTILINE))
    parts = {name + suffix for name, kind in names.items() if kind == "histogram" for suffix in SUFFIXES}
    return names.keys() | parts


def test_the_dashboard_and_the_alerts_ask_for_metrics_that_there_are(told_names: set[str]) -> None:
    dashboard = json.loads((DEPLOY / "grafana/candidate-arena.json").read_text())
    alerts = yaml.safe_load((DEPLOY / "prometheus/alerts.yml").read_text())
    asked = [target["expr"] for panel in dashboard["panels"] for target in panel["targets"]]
    asked += [rule["expr"] for group in alerts["groups"] for rule in group["rules"]]
    named = {name for expression in asked for name in re.findall(r"\barena_\w+", expression)}
    assert named
    assert named <= told_names


def test_every_alert_says_what_to_do_and_every_panel_has_a_place() -> None:
    alerts = yaml.safe_load((DEPLOY / "prometheus/alerts.yml").read_text())
    rules = [rule for group in alerts["groups"] for rule in group["rules"]]
    assert all(rule["annotations"].keys() == {"summary", "action"} for rule in rules)
    assert len({rule["alert"] for rule in rules}) == len(rules)
    panels = json.loads((DEPLOY / "grafana/candidate-arena.json").read_text())["panels"]
    taken = [
        (x, y)
        for place in (panel["gridPos"] for panel in panels)
        for x in range(place["x"], place["x"] + place["w"])
        for y in range(place["y"], place["y"] + place["h"])
    ]
    assert len(set(taken)) == len(taken)
    assert max(x for x, _ in taken) < 24
    scraped = yaml.safe_load((DEPLOY / "prometheus/prometheus.yml").read_text())
    assert [each["metrics_path"] for each in scraped["scrape_configs"]] == ["/metrics"]
