from __future__ import annotations

import os
from collections.abc import Callable
from datetime import timedelta
from types import SimpleNamespace
from typing import Any

import pytest

import arena
import sandbox
from league.bots import services as bots
from league.bots.models import Version
from league.matches import holder, playing, services, workers
from league.matches.models import Checking, Match, Worker

Clock = Any
pytestmark = pytest.mark.django_db


def test_a_worker_says_how_it_confines_bots_until_it_ends(monkeypatch: pytest.MonkeyPatch) -> None:
    launcher = SimpleNamespace(describe=lambda: "containers", close=lambda: None)
    monkeypatch.setattr(sandbox, "open_launcher", lambda choice: launcher)
    workers.sign_in()
    workers.sign_in([os.getpid()])
    worker = Worker.objects.get()
    assert (worker.name, worker.sandbox, worker.able) == (holder.name(), "containers", True)
    assert (worker.version, worker.processes) == (arena.__version__, [holder.name()])
    workers.sign_out()
    assert not Worker.objects.exists()


def test_a_worker_that_can_not_confine_bots_says_why(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    def refuse(choice: str) -> None:
        raise sandbox.NoSandbox("no engine answers, and this kernel has no Landlock: install one")

    monkeypatch.setattr(sandbox, "open_launcher", refuse)
    workers.sign_in()
    worker = Worker.objects.get()
    assert (worker.able, worker.sandbox) == (False, "no engine answers, and this kernel has no Landlock: install one")
    assert "this worker runs no bots: no engine answers" in caplog.text
    assert (worker.pause, worker.pause_reason) == ("test", worker.sandbox)
    assert worker.try_at is not None


def test_a_beat_says_that_the_worker_is_alive_and_who_plays_for_it(clock: Clock) -> None:
    Worker.objects.create(name=holder.name(), sandbox="containers", able=True)
    Worker.objects.create(name="elsewhere/1/1", sandbox="containers", able=True, seen_at=clock.now)
    clock.pass_by(seconds=31)
    mine = workers.beat([os.getpid()])
    assert (mine.seen_at, mine.processes) == (clock.now, [holder.name()])
    other = Worker.objects.get(name="elsewhere/1/1")
    assert other.is_lost
    assert not mine.is_lost


def test_a_worker_whose_row_was_removed_joins_again_with_its_next_beat(monkeypatch: pytest.MonkeyPatch) -> None:
    launcher = SimpleNamespace(describe=lambda: "containers", close=lambda: None)
    monkeypatch.setattr(sandbox, "open_launcher", lambda choice: launcher)
    workers.beat([])
    Worker.objects.all().delete()
    assert workers.beat([]).sandbox == "containers"


def test_a_process_of_a_pool_plays_for_the_worker_that_forked_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(holder, "_worker", 0)
    assert holder.worker() == holder.name()
    holder.join(os.getppid())
    assert holder.worker() == holder.of(os.getppid())
    assert not holder.is_gone(holder.worker())


def test_a_process_says_what_it_checks_while_it_does(upload: Callable[..., Version], local_boxes: Any) -> None:
    version = upload("Queen")
    held = bots.claim_check()
    assert held is not None
    told = []
    local_boxes.at_start = lambda: told.append(Checking.objects.get())
    playing.check(held, local_boxes)
    assert {(each.process, each.version) for each in told} == {(holder.name(), version)}
    assert not Checking.objects.exists()
    workers.begin_check(version)
    workers.begin_check(version)
    workers.sweep()  # no worker has this process: it was killed
    assert not Checking.objects.exists()


def test_the_match_of_a_lost_worker_of_another_host_comes_back_with_its_lease(
    queued: Match, clock: Clock, settings: Any
) -> None:
    settings.LEASE = timedelta(seconds=60)
    Worker.objects.create(name="elsewhere/1/1", sandbox="", able=True, processes=["elsewhere/2/1"], seen_at=clock.now)
    assert services.claim("elsewhere/2/1") == queued
    clock.pass_by(seconds=40)
    services.sweep()
    (lost,) = workers.seen()
    assert lost.worker.is_lost
    assert lost.plays == [queued]
    clock.pass_by(seconds=21)
    services.sweep()
    assert Match.objects.get().status == "queued"
    (lost,) = workers.seen()
    assert lost.plays == []


def test_workers_that_ended_without_a_word_are_struck_out(clock: Clock) -> None:
    host = holder.name().split("/")[0]
    for name in (holder.name(), f"{host}/1/another-start", "elsewhere/1/1"):
        Worker.objects.create(name=name, sandbox="", able=True, seen_at=clock.now)
    workers.sweep()
    assert set(Worker.objects.values_list("name", flat=True)) == {holder.name(), "elsewhere/1/1"}
    clock.pass_by(hours=25)
    workers.beat([])
    workers.sweep()
    assert Worker.objects.get().name == holder.name()
