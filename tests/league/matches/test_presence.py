"""A worker's own process, with a consumer of messages that is none."""

from __future__ import annotations

import os
import subprocess
import sys
from types import SimpleNamespace
from typing import Any

import pytest
from django.db import DatabaseError

import sandbox
from league.matches import holder, pausing, presence, tasks
from league.matches.models import Worker
from league.matches.presence import Presence

pytestmark = pytest.mark.django_db


class Consumer:
    """Stands for Celery's: what it listens to."""

    def __init__(self) -> None:
        self.queues = ["checks", "matches"]
        self.add_task_queue = self.queues.append
        self.cancel_task_queue = self.queues.remove
        self.pool = SimpleNamespace(info={"processes": [os.getpid()]})


@pytest.fixture
def consumer(monkeypatch: pytest.MonkeyPatch) -> Consumer:
    launcher = SimpleNamespace(describe=lambda: "containers", close=lambda: None)
    monkeypatch.setattr(sandbox, "open_launcher", lambda choice: launcher)
    monkeypatch.setattr(pausing, "short_of_disk", lambda: "")
    return Consumer()


@pytest.fixture
def here(consumer: Consumer, clock: Any) -> Presence:
    joined = Presence(consumer)
    joined.join()
    return joined


def beat(here: Presence) -> Worker:
    here._next = 0.0
    here.beat()
    return Worker.objects.get()


def says(monkeypatch: pytest.MonkeyPatch, text: str, status: int) -> None:
    """Rehearsals say that and end, without a game."""
    program = [sys.executable, "-S", "-c", f"print({text!r}); raise SystemExit({status})"]

    def rehearsal() -> subprocess.Popen[str]:
        process = subprocess.Popen(program, stdout=subprocess.PIPE, text=True)
        os.waitid(os.P_PID, process.pid, os.WEXITED | os.WNOWAIT)
        return process

    monkeypatch.setattr(presence, "rehearsal", rehearsal)


def test_a_worker_joins_tells_of_itself_at_most_every_few_seconds_and_leaves(here: Presence, clock: Any) -> None:
    worker = Worker.objects.get()
    assert (worker.name, worker.processes, worker.seen_at) == (holder.name(), [holder.name()], clock.now)
    clock.pass_by(seconds=9)
    here.beat()
    assert not Worker.objects.filter(seen_at=clock.now).exists()
    assert beat(here).seen_at == clock.now
    here.leave()
    assert not Worker.objects.exists()


def test_workers_join_and_leave_beside_others(here: Presence, clock: Any) -> None:
    Worker.objects.create(name="elsewhere/1/1", sandbox="containers", able=True)
    here.leave()
    assert Worker.objects.get().name == "elsewhere/1/1"
    here.join()
    assert Worker.objects.count() == 2


def test_a_process_that_takes_no_matches_is_no_worker(consumer: Consumer, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(tasks, "_presence", None)
    tasks.sign_in(sender=consumer)
    tasks.beat()
    assert not Worker.objects.exists()


def test_a_beat_leaves_no_connection_behind_also_where_the_database_fails(monkeypatch: pytest.MonkeyPatch) -> None:
    closed: list[bool] = []

    def fail() -> None:
        raise DatabaseError("gone")

    monkeypatch.setattr(tasks, "_presence", SimpleNamespace(beat=fail))
    monkeypatch.setattr(tasks, "connection", SimpleNamespace(close=lambda: closed.append(True)))
    with pytest.raises(DatabaseError):
        tasks.beat()
    assert closed == [True]


def test_a_paused_worker_leaves_the_bells_to_others(here: Presence, consumer: Consumer) -> None:
    pausing.pause(Worker.objects.get(), Worker.Pause.HAND, "it is needed elsewhere")
    beat(here)
    assert consumer.queues == []
    beat(here)
    pausing.resume(Worker.objects.get(), by_hand=True)
    beat(here)
    assert consumer.queues == ["checks", "matches"]


def test_too_little_disk_pauses_a_worker_until_there_is_more_and_a_rehearsal_passed(
    here: Presence, consumer: Consumer, clock: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    says(monkeypatch, "containers", 0)
    monkeypatch.setattr(pausing, "short_of_disk", lambda: "expected 200 MiB free in /data, got 3")
    paused = beat(here)
    assert (paused.pause, paused.pause_reason) == ("disk", "expected 200 MiB free in /data, got 3")
    assert consumer.queues == []
    clock.pass_by(hours=1)
    beat(here)
    assert beat(here).tries == 0  # no rehearsal is worth a try
    monkeypatch.setattr(pausing, "short_of_disk", lambda: "")
    assert beat(here).tries == 1
    assert beat(here).pause == ""
    assert consumer.queues == ["checks", "matches"]


def test_a_worker_that_fails_its_rehearsal_stays_paused_and_says_why(
    here: Presence, clock: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    pausing.pause(Worker.objects.get(), Worker.Pause.FAULTS, "five faults")
    says(monkeypatch, "no engine answers", 1)
    clock.pass_by(seconds=15)
    beat(here)
    failed = beat(here)
    assert (failed.pause, failed.pause_reason) == ("test", "no engine answers")
    says(monkeypatch, "containers of another engine", 0)
    clock.pass_by(seconds=30)
    beat(here)
    resumed = beat(here)
    assert (resumed.pause, resumed.sandbox) == ("", "containers of another engine")


def test_a_rehearsal_that_hangs_is_ended_and_has_failed(
    here: Presence, clock: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    pausing.pause(Worker.objects.get(), Worker.Pause.FAULTS, "five faults")
    hangs = [sys.executable, "-S", "-c", "import signal; signal.pause()"]
    started: list[subprocess.Popen[str]] = []

    def rehearsal() -> subprocess.Popen[str]:
        started.append(subprocess.Popen(hangs, stdout=subprocess.PIPE, text=True))
        return started[0]

    monkeypatch.setattr(presence, "rehearsal", rehearsal)
    clock.pass_by(seconds=15)
    beat(here)
    assert beat(here).pause == "faults"
    monkeypatch.setattr(presence, "REHEARSAL_S", 0.0)
    assert beat(here).pause_reason == "its rehearsal ended with status -9"
    assert started[0].poll() == -9


def test_a_worker_that_can_not_confine_bots_works_once_it_can(
    consumer: Consumer, clock: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(choice: str) -> None:
        raise sandbox.NoSandbox("no engine answers")

    monkeypatch.setattr(sandbox, "open_launcher", refuse)
    says(monkeypatch, "containers", 0)
    here = Presence(consumer)
    here.join()
    assert not pausing.works()
    resumed = beat(here)
    assert (resumed.pause, resumed.able, resumed.sandbox) == ("", True, "containers")
    assert not resumed.is_lost
