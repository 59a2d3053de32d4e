from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest
from django.core.management import get_commands, load_command_class

from league.commands import TablesCommand

ROOT = Path(__file__).parents[2]
WITHOUT_TABLES = {"broker", "doctor", "rehearse", "stack"}


def test_every_command_that_needs_the_tables_says_when_they_are_not_there() -> None:
    ours = {name: app for name, app in get_commands().items() if app.startswith("league.")}
    needing = {name for name, app in ours.items() if isinstance(load_command_class(app, name), TablesCommand)}
    assert needing == ours.keys() - WITHOUT_TABLES


@pytest.mark.parametrize(
    ("database", "said"),
    [
        ("new.sqlite3", "migrations of this release: run manage.py migrate first"),
        ("nowhere/new.sqlite3", "the database can't be read: unable to open database file; start it, or mend"),
    ],
)
def test_a_command_without_tables_ends_with_one_line(tmp_path: Path, database: str, said: str) -> None:
    ended = subprocess.run(
        [sys.executable, "manage.py", "dump", "ladder"],
        env={**os.environ, "ARENA_HOME": str(tmp_path), "DATABASE_URL": f"sqlite:///{tmp_path / database}"},
        capture_output=True,
        text=True,
        cwd=ROOT,
        check=False,
    )
    assert ended.returncode == 2
    assert said in ended.stderr
    assert len(ended.stderr.splitlines()) == 1
    assert ended.stdout == ""
