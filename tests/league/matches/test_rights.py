"""What a worker needs of the database: deploy/worker/postgresql.sql gives it no more."""

from __future__ import annotations

import os
import re
from collections.abc import Callable
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

import sandbox
from league.accounts.models import User
from league.bots import trials
from league.bots.models import Version
from league.matches import tasks, workers
from league.matches.models import Match
from sandbox.errors import SandboxFault

GRANTS = Path(__file__).parents[3] / "deploy/worker/postgresql.sql"
TABLE = re.compile(r'(?:FROM|JOIN|INTO|UPDATE) "(\w+)"')


@pytest.mark.usefixtures("short_ladder")
def test_a_worker_touches_no_table_that_its_role_may_not_touch(
    queued: Match,
    upload: Callable[..., Version],
    author: User,
    local_boxes: Any,
    raiser: type,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    upload("Queen")
    upload("Pawn")
    trials.ask(author, "trial.py", b"class Bot: ...\n")
    local_boxes.bots["Pawn"] = raiser
    launcher = SimpleNamespace(describe=lambda: "containers", close=lambda: None)
    monkeypatch.setattr(sandbox, "open_launcher", lambda choice: launcher)
    monkeypatch.setattr(tasks, "boxes", lambda: local_boxes)
    with CaptureQueriesContext(connection) as asked:
        workers.beat([os.getpid()])
        tasks.play()
        for _ in range(3):
            tasks.check()
        local_boxes.fault = SandboxFault("no container for the bot")
        tasks.play()
        tasks.give_back()
        workers.sign_out()
    (granted,) = re.findall(r"tablename ~ '(.+?)'", GRANTS.read_text())
    touched = {table for query in asked for table in TABLE.findall(query["sql"])}
    assert {"bots_trial", "bots_report", "matches_replay", "matches_attempt", "tournaments_entry"} <= touched
    assert [table for table in sorted(touched) if not re.match(granted, table)] == []
