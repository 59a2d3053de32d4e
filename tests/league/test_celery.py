from __future__ import annotations

import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest
from celery.fixups.django import DjangoWorkerFixup
from celery.signals import task_prerun
from django.db import connections

from league import celery
from league.matches import tasks

SHARES = """
import os
import signal
from billiard.heap import Arena
from league import celery
celery.share_no_folder()
Arena(4_096)
os.kill(os.getpid(), signal.SIGKILL)
"""


def test_a_worker_that_is_killed_leaves_no_temporary_folder(tmp_path: Path) -> None:
    killed = subprocess.run([sys.executable, "-c", SHARES], env={**os.environ, "TMPDIR": str(tmp_path)}, check=False)
    assert killed.returncode == -signal.SIGKILL
    assert list(tmp_path.iterdir()) == []


def test_tasks_keep_their_connections_to_the_database() -> None:
    """By a setting of Celery's own, whose name is not like those of the others."""
    assert DjangoWorkerFixup(celery.app).db_reuse_max == sys.maxsize


@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize("is_usable", [True, False])
def test_a_task_gives_up_a_broken_connection_alone(monkeypatch: pytest.MonkeyPatch, is_usable: bool) -> None:
    held, closed = connections["default"], []
    held.ensure_connection()
    for name, value in {"errors_occurred": True, "close_at": None, "is_usable": lambda: is_usable}.items():
        monkeypatch.setattr(held, name, value)
    monkeypatch.setattr(held, "close", lambda: closed.append(held))
    task_prerun.send(sender=tasks.play)
    assert bool(closed) is not is_usable
