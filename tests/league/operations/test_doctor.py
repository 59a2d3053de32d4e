from __future__ import annotations

import json
from collections import namedtuple
from datetime import timedelta
from io import StringIO
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from django.core.management import call_command
from django.db import OperationalError
from django.db.migrations.recorder import MigrationRecorder
from django.utils import timezone
from pytest_django import Settings
from redis.exceptions import ConnectionError as Away

import sandbox
from league.accounts.models import User
from league.matches import holder, slowness
from league.matches import services as matches
from league.matches.models import Match, Worker
from league.operations import broker, doctor, services
from league.operations.doctor import configuration, database, life, machine
from league.operations.doctor.findings import Finding, State
from league.standings import services as standings
from league.standings.models import Table
from league.tournaments import services as tournaments

PUBLIC = ["arena.example.org"]
Usage = namedtuple("Usage", "total used free")


def states(findings: Any) -> dict[str, str]:
    return {finding.subject: finding.state for finding in findings}


def of(findings: Any, subject: str) -> Finding:
    return next(finding for finding in findings if finding.subject == subject)


@pytest.fixture(autouse=True)
def at_home(settings: Settings, tmp_path: Path) -> None:
    settings.HOME = tmp_path
    settings.SECRET_KEY = "k" * 40
    settings.ALLOWED_HOSTS = ["localhost"]


@pytest.fixture(autouse=True)
def confined(monkeypatch: pytest.MonkeyPatch) -> SimpleNamespace:
    """A machine that confines bots in containers, without a look at this one."""
    launcher = SimpleNamespace(describe=lambda: "containers", close=lambda: None)
    found = SimpleNamespace(launcher=launcher, error="")

    def opened(choice: str) -> SimpleNamespace:
        if found.error:
            raise sandbox.NoSandbox(found.error)
        return launcher

    monkeypatch.setattr(sandbox, "open_launcher", opened)
    monkeypatch.setattr(life, "examine_sandbox", list)
    return found


@pytest.fixture
def healthy(db: None, monkeypatch: pytest.MonkeyPatch) -> None:
    """A league in which all is well, but for a broker that nobody looks for."""
    monkeypatch.setattr(machine, "_broker", lambda: Finding("broker", State.OK, "it answers"))
    Worker.objects.create(name="elsewhere/1/1", sandbox="containers", able=True)
    services.tick()
    standings.refresh(tournaments.ladder())
    User.objects.create_user("sue", is_staff=True)


def run(*arguments: str) -> tuple[int, str]:
    """The exit code, and what is printed."""
    out = StringIO()
    try:
        call_command("doctor", *arguments, stdout=out)
    except SystemExit as end:
        return int(str(end.code)), out.getvalue()
    return 0, out.getvalue()


def test_where_all_is_well_every_line_says_so(healthy: None) -> None:
    code, said = run()
    assert code == 0
    assert {line[:5] for line in said.splitlines()} == {"ok   "}
    assert "ok   workers: 1 of 1 take matches" in said


def test_a_warning_says_what_to_do_and_is_no_failure(healthy: None) -> None:
    User.objects.all().delete()
    code, said = run()
    assert code == 0
    assert "warn staff: nobody may organise or administer\n     manage.py createsuperuser\n" in said


def test_what_is_bad_is_told_with_the_exit_code_and_as_json(healthy: None) -> None:
    Worker.objects.all().delete()
    code, said = run("--json")
    assert code == 1
    told = {each["subject"]: each for each in json.loads(said)}
    assert told["workers"]["state"] == "bad"
    assert "start one" in told["workers"]["advice"]
    assert {each["state"] for name, each in told.items() if name != "workers"} == {"ok"}


@pytest.mark.django_db
def test_a_database_that_does_not_answer_is_said_and_no_table_is_asked(monkeypatch: pytest.MonkeyPatch) -> None:
    def away() -> None:
        raise OperationalError("connection refused\n")

    monkeypatch.setattr(machine, "examine", list)
    monkeypatch.setattr(database.connection, "ensure_connection", away)
    found = doctor.examine()
    assert of(found, "database") == Finding(
        "database", State.BAD, "it does not answer: connection refused", "start it, or mend DATABASE_URL"
    )
    assert not states(found).keys() & {"migrations", "workers", "clock"}


@pytest.mark.django_db
def test_migrations_that_are_missing_or_of_a_newer_release_are_told() -> None:
    MigrationRecorder.Migration.objects.filter(app="operations", name="0001_initial").delete()
    missing = of(database.examine(), "migrations")
    assert (missing.state, missing.advice) == ("bad", "manage.py migrate")
    assert "operations.0001_initial" in missing.found
    MigrationRecorder.Migration.objects.create(app="operations", name="0001_initial")
    MigrationRecorder.Migration.objects.create(app="operations", name="9999_later")
    assert of(database.examine(), "migrations").state == "warn"


@pytest.mark.django_db
def test_a_database_that_knows_no_unicode_is_told() -> None:
    assert of(database.examine(), "encoding").state == "ok"
    assert [database.encoding(name).state for name in ("UTF8", "UTF-8", "SQL_ASCII", "LATIN1")] == [
        "ok", "ok", "bad", "bad",
    ]  # fmt: skip


def test_a_broker_and_a_cache_that_are_away_are_told(
    settings: Settings, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    def away(*_: Any) -> None:
        raise Away("no Redis")

    nowhere = SimpleNamespace(set=away)
    monkeypatch.setattr(machine, "cache", nowhere)
    monkeypatch.setattr(machine.app.conf, "broker_url", f"redis+socket://{tmp_path}/nowhere.sock")
    found = list(machine.examine())
    assert (of(found, "broker").state, of(found, "cache").state) == ("bad", "warn")
    assert "nowhere.sock does not answer" in of(found, "broker").found
    assert "no Redis" in of(found, "cache").found


def test_a_broker_that_runs_answers(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    socket = tmp_path / "broker.sock"
    monkeypatch.setattr(machine.app.conf, "broker_url", f"redis+socket://{socket}")
    with broker.running(socket, tmp_path / "broker"):
        assert states(machine.examine()) == {"broker": "ok", "cache": "ok", "disk": "ok"}


@pytest.mark.parametrize(("free_mib", "state"), [(2048, "ok"), (2047, "warn"), (256, "warn"), (255, "bad")])
def test_a_disk_that_fills_up_is_told(monkeypatch: pytest.MonkeyPatch, free_mib: int, state: str) -> None:
    monkeypatch.setattr(machine.shutil, "disk_usage", lambda _: Usage(0, 0, free_mib * 1024 * 1024))
    assert machine._disk().state == state


def test_a_short_key_and_one_that_others_may_read_are_bad(settings: Settings, tmp_path: Path) -> None:
    kept = tmp_path / "secret_key"
    kept.write_text(settings.SECRET_KEY)
    kept.chmod(0o644)
    finding = configuration._secret_key()
    assert (finding.state, finding.advice) == ("bad", f"chmod 600 {kept}")
    kept.chmod(0o600)
    assert configuration._secret_key().state == "ok"
    settings.SECRET_KEY = "short"
    assert (configuration._secret_key().state, configuration._secret_key().found) == (
        "bad", "expected at least 32 characters, got 5",
    )  # fmt: skip


def test_a_public_site_is_asked_for_tls_proxies_and_no_debug_pages(settings: Settings) -> None:
    settings.ALLOWED_HOSTS, settings.HTTPS, settings.PROXIES, settings.DEBUG = PUBLIC, False, 0, True
    found = states(configuration.examine())
    assert (found["hosts"], found["visitors"], found["debug pages"]) == ("ok", "warn", "bad")
    settings.HTTPS = True
    assert "ARENA_PROXIES" in of(configuration.examine(), "visitors").advice
    settings.PROXIES, settings.DEBUG = 1, False
    assert set(states(configuration.examine()).values()) == {"ok"}
    settings.ALLOWED_HOSTS = ["*"]
    assert of(configuration.examine(), "hosts").state == "warn"


def test_a_machine_without_a_sandbox_is_bad_only_where_no_other_has_one(
    healthy: None, confined: SimpleNamespace
) -> None:
    confined.error = "no Docker engine answers"
    assert of(life.examine(), "sandbox").state == "ok"
    Worker.objects.update(able=False, sandbox="no engine")
    found = list(life.examine())
    assert (of(found, "sandbox").state, of(found, "workers").state) == ("bad", "bad")
    assert "no Docker engine answers" in of(found, "sandbox").found


def test_workers_that_are_unable_or_gone_are_named(healthy: None) -> None:
    host = holder.name().partition("/")[0]
    Worker.objects.create(name="third/1/1", sandbox="no engine", able=False)
    Worker.objects.create(name=f"{host}/1/1", sandbox="containers", able=True)
    finding = of(life.examine(), "workers")
    assert (finding.state, finding.found) == ("warn", "1 of 2 take matches (third/1/1: no engine)")
    Worker.objects.filter(name="third/1/1").delete()
    finding = of(life.examine(), "workers")
    assert (finding.state, finding.found) == ("warn", f"1 of 1 take matches; {host}/1/1 ended without a word")


def test_workers_that_are_silent_or_paused_take_no_matches(healthy: None) -> None:
    silent = timezone.now() - timedelta(seconds=31)
    Worker.objects.create(name="fourth/1/1", sandbox="containers", able=True, seen_at=silent)
    finding = of(life.examine(), "workers")
    assert (finding.state, finding.found) == ("warn", "1 of 2 take matches (fourth/1/1: not heard for 30 s)")
    Worker.objects.filter(name="elsewhere/1/1").update(pause="disk", pause_reason="3 MiB free")
    finding = of(life.examine(), "workers")
    assert finding.state == "bad"
    assert "0 of 2 take matches (elsewhere/1/1: paused, 3 MiB free; fourth" in finding.found


def test_without_a_sweep_matches_that_are_held_past_their_leases_are_bad(
    healthy: None, queued: Match, clock: Any
) -> None:
    assert matches.claim("elsewhere/1/1") == queued
    clock.pass_by(seconds=300 + 61)
    finding = of(life.examine(), "leases")
    assert (finding.state, finding.found) == ("bad", "1 matches are held past them, and nobody gives them back")
    matches.sweep()
    assert of(life.examine(), "leases").state == "ok"


def test_a_machine_on_which_bots_run_out_of_time_is_named(healthy: None, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(slowness, "slow", lambda: [slowness.Slow("host-1", 20, 9.96, [4711, 4712])])
    finding = of(life.examine(), "time")
    assert (finding.state, finding.found) == (
        "warn", "on host-1 bots ran out of time 20 times, 10.0 were to be expected of the same bots",
    )  # fmt: skip
    assert "4711, 4712" in finding.advice


def test_a_clock_that_stopped_is_bad(healthy: None) -> None:
    services.Upkeep.objects.update(ticked_at=timezone.now() - timedelta(seconds=61))
    assert of(life.examine(), "clock").state == "bad"
    services.Upkeep.objects.all().delete()
    assert of(life.examine(), "clock").found == "it never was heard"


def test_a_table_that_failed_or_is_behind_is_told(healthy: None, queued: Match) -> None:
    Table.objects.update(computed_at=timezone.now() - timedelta(minutes=6))
    assert (of(life.examine(), "tables").state, of(life.examine(), "tables").found) == (
        "warn", "behind their results: ladder",
    )  # fmt: skip
    Table.objects.update(error="ValueError: no", computed_at=timezone.now())
    finding = of(life.examine(), "tables")
    assert (finding.state, finding.found) == ("bad", "ladder: ValueError: no")
