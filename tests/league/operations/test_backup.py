from __future__ import annotations

import re
import sqlite3
from collections.abc import Callable
from contextlib import closing
from datetime import timedelta
from io import StringIO
from pathlib import Path
from typing import Any

import pytest
from django.core.management import call_command
from django.core.management.base import CommandError
from django.db import connection
from django.utils import timezone
from pytest_django import Settings

from league.accounts.models import User
from league.bots.models import Source
from league.matches import holder
from league.matches.models import Match, Replay, Worker
from league.operations import backup, seeding, services, stack
from league.operations.backup import archive, postgresql
from league.operations.backup.failure import Refused
from league.operations.models import Upkeep

pytestmark = pytest.mark.django_db(transaction=True)
SQLITE = pytest.mark.skipif("connection.vendor != 'sqlite'")


@pytest.fixture(autouse=True)
def at_home(settings: Settings, tmp_path: Path) -> None:
    settings.HOME = tmp_path


def run(*arguments: Any) -> str:
    out = StringIO()
    call_command(*map(str, arguments), stdout=out)
    return out.getvalue()


def everything() -> dict[str, list[str]]:
    """All rows of all tables, as text."""
    dump = {}
    with connection.cursor() as cursor:
        for table in connection.introspection.table_names():
            cursor.execute(f'SELECT * FROM "{table}"')
            rows = [
                [bytes(each) if isinstance(each, memoryview) else each for each in row] for row in cursor.fetchall()
            ]
            dump[table] = sorted(map(repr, rows))
    return dump


def test_a_league_comes_back_as_it_was(tmp_path: Path) -> None:
    seeding.fill(1, 6, 12, 4, timezone.now())
    before = everything()
    assert len(before["matches_replay"]) == 4
    said = run("backup", tmp_path / "league.backup")
    assert connection.vendor in said
    assert (tmp_path / "league.backup").stat().st_mode & 0o777 == 0o600

    Replay.objects.all().delete()
    Match.objects.update(reason="lost")
    User.objects.create_user("mallory")
    Source.objects.update(content=b"")
    assert everything() != before

    assert "manage.py migrate" in run("restore", tmp_path / "league.backup", "--yes")
    assert everything() == before
    assert not list(tmp_path.glob(".backup-*"))
    User.objects.create_user("eve")  # the numbers of rows go on where they were


@SQLITE
def test_a_backup_is_of_one_moment_while_others_write(author: User, tmp_path: Path) -> None:
    with closing(sqlite3.connect(connection.settings_dict["NAME"], isolation_level=None)) as other:
        other.execute("BEGIN IMMEDIATE")
        other.execute("UPDATE accounts_user SET username = 'half done'")
        backup.back_up(tmp_path / "one.backup")
        other.execute("COMMIT")
    assert User.objects.get().username == "half done"
    backup.restore(tmp_path / "one.backup")
    assert User.objects.get().username == "ada"


def test_a_backup_writes_over_no_file(tmp_path: Path) -> None:
    (tmp_path / "kept").write_text("mine")
    with pytest.raises(CommandError, match="is there already: choose another name"):
        run("backup", tmp_path / "kept")
    assert (tmp_path / "kept").read_text() == "mine"


def test_a_folder_that_is_not_there_is_named(tmp_path: Path) -> None:
    with pytest.raises(CommandError, match=r"can't write in .*nowhere.*choose another folder"):
        run("backup", tmp_path / "nowhere/file")


@pytest.fixture
def backed_up(author: User, tmp_path: Path) -> Path:
    """A backup of a league with one user, who has left since."""
    path = tmp_path / "league.backup"
    backup.back_up(path)
    author.delete()
    return path


@pytest.mark.parametrize(
    ("harm", "reason"),
    [
        (lambda content: b"PGDMP" + content, "is no backup: expected a file that manage.py backup wrote"),
        (lambda content: b"", "is no backup"),
        (lambda content: content[:-1], r"is damaged: expected \d+ bytes, got \d+"),
        (lambda content: content + b"\0", r"is damaged: expected \d+ bytes, got \d+"),
        (lambda content: content[:-1] + bytes([content[-1] ^ 1]), "is damaged: its checksum is not what it says"),
        (lambda content: content.replace(b"backup 1 ", b"backup 2 ", 1), "expected a backup of format 1, got 2"),
        (lambda content: re.sub(rb"sqlite|postgresql", b"oracle", content, count=1), "got one of oracle"),
    ],
)
def test_a_file_that_is_no_whole_backup_changes_nothing(
    backed_up: Path, harm: Callable[[bytes], bytes], reason: str
) -> None:
    backed_up.write_bytes(harm(backed_up.read_bytes()))
    with pytest.raises(CommandError, match=reason):
        run("restore", backed_up, "--yes")
    assert not User.objects.exists()


@SQLITE
def test_a_whole_file_with_a_damaged_database_inside_changes_nothing(backed_up: Path, tmp_path: Path) -> None:
    (tmp_path / "text").write_bytes(b"not a database " * 1000)
    backed_up.unlink()
    archive.write(backed_up, "sqlite", timezone.now(), tmp_path / "text")
    with pytest.raises(CommandError, match=r"holds no whole database \(file is not a database"):
        run("restore", backed_up, "--yes")
    assert not User.objects.exists()


def test_a_file_that_is_not_there_is_named(tmp_path: Path) -> None:
    with pytest.raises(CommandError, match="nowhere can't be read: No such file"):
        run("restore", tmp_path / "nowhere", "--yes")


def test_under_running_workers_nothing_is_restored(backed_up: Path) -> None:
    Worker.objects.create(name="elsewhere/7/7", sandbox="containers", able=True)
    with pytest.raises(CommandError, match="workers run: elsewhere/7/7; stop them first"):
        run("restore", backed_up, "--yes")
    assert not User.objects.exists()
    run("restore", backed_up, "--yes", "--force")
    assert User.objects.exists()


def test_a_worker_of_this_host_that_has_ended_is_in_nobodys_way(backed_up: Path) -> None:
    host = holder.name().partition("/")[0]
    Worker.objects.create(name=f"{host}/1/1", sandbox="containers", able=True)
    run("restore", backed_up, "--yes")
    assert User.objects.exists()


def test_workers_of_the_time_of_the_backup_are_forgotten(author: User, tmp_path: Path) -> None:
    Worker.objects.create(name="elsewhere/7/7", sandbox="containers", able=True)
    backup.back_up(tmp_path / "busy.backup")
    Worker.objects.all().delete()
    backup.restore(tmp_path / "busy.backup")
    assert not Worker.objects.exists()


def test_while_the_clock_runs_nothing_is_restored(backed_up: Path) -> None:
    services.tick()
    with pytest.raises(CommandError, match=r"the clock was heard \d+ s ago: stop beat"):
        run("restore", backed_up, "--yes")
    Upkeep.objects.update(ticked_at=timezone.now() - timedelta(seconds=31))
    run("restore", backed_up, "--yes")
    assert User.objects.exists()


def test_beside_a_site_on_this_machine_nothing_is_restored(backed_up: Path, tmp_path: Path) -> None:
    with stack.alone(tmp_path), pytest.raises(CommandError, match="the site is running already"):
        run("restore", backed_up, "--yes")
    assert not User.objects.exists()


@pytest.mark.parametrize("answer", ["no", "", "y"])
def test_without_a_yes_nothing_is_restored(backed_up: Path, monkeypatch: pytest.MonkeyPatch, answer: str) -> None:
    monkeypatch.setattr("builtins.input", lambda _: answer)
    with pytest.raises(CommandError, match="nothing was changed"):
        run("restore", backed_up)
    assert not User.objects.exists()
    monkeypatch.setattr("builtins.input", lambda _: "yes")
    run("restore", backed_up)
    assert User.objects.exists()


def test_where_nobody_can_answer_yes_has_to_be_said(backed_up: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def nobody(_: str) -> str:
        raise EOFError

    monkeypatch.setattr("builtins.input", nobody)
    with pytest.raises(CommandError, match="say --yes"):
        run("restore", backed_up)


def test_without_the_programs_of_postgresql_it_says_what_to_install(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    with pytest.raises(Refused, match="pg_dump is not on the path: install PostgreSQL's client programs"):
        postgresql.copy_to(tmp_path / "copy")


def test_a_program_that_fails_is_quoted(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    program = tmp_path / "pg_dump"
    program.write_text("#!/bin/sh\necho 'pg_dump: error: server version mismatch' >&2\nexit 1\n")
    program.chmod(0o700)
    monkeypatch.setenv("PATH", str(tmp_path))
    monkeypatch.setattr(connection, "get_connection_params", lambda: {"dbname": "arena", "host": "postgres"})
    with pytest.raises(Refused, match="pg_dump failed: pg_dump: error: server version mismatch"):
        postgresql.copy_to(tmp_path / "copy")
