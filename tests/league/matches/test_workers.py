from __future__ import annotations

from types import SimpleNamespace

import pytest

import sandbox
from league.matches import holder, workers
from league.matches.models import Worker

pytestmark = pytest.mark.django_db


def test_a_worker_says_how_it_confines_bots_until_it_ends(monkeypatch: pytest.MonkeyPatch) -> None:
    launcher = SimpleNamespace(describe=lambda: "containers", close=lambda: None)
    monkeypatch.setattr(sandbox, "open_launcher", lambda choice: launcher)
    workers.sign_in()
    workers.sign_in()
    assert Worker.objects.values_list("name", "sandbox", "able").get() == (holder.name(), "containers", True)
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


def test_workers_that_ended_without_a_word_are_struck_out() -> None:
    host = holder.name().split("/")[0]
    for name in (holder.name(), f"{host}/1/another-start", "elsewhere/1/1"):
        Worker.objects.create(name=name, sandbox="", able=True)
    workers.sweep()
    assert set(Worker.objects.values_list("name", flat=True)) == {holder.name(), "elsewhere/1/1"}
