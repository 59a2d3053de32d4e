"""Trials go the way of versions, and leave nothing but what they found."""

from __future__ import annotations

from typing import Any

import pytest

from league.accounts.models import User
from league.bots import findings, moments, trials
from league.bots.models import Bot, Trial
from league.matches import playing, tasks
from league.matches.models import Match
from sandbox.errors import BadUpload, SandboxFault

pytestmark = pytest.mark.usefixtures("short_ladder")
BOT = b"class Bot: ...\n"


@pytest.fixture
def trial(author: User) -> Trial:
    return trials.ask(author, "bot.py", BOT)


def check(local_boxes: Any) -> Trial:
    held = trials.claim()
    assert held is not None
    playing.check(held, local_boxes)
    assert local_boxes.forgotten == [held]
    return Trial.objects.get(pk=held.pk)


def test_a_trial_that_passes_shows_its_games_and_enters_nothing(trial: Trial, local_boxes: Any) -> None:
    done = check(local_boxes)
    assert (done.status, done.reason, done.games_done) == ("passed", "", 2)
    record = findings.record(done)
    assert record is not None
    assert len(record.games) == 2
    assert not Bot.objects.exists()
    assert not Match.objects.exists()


def test_a_trial_that_fails_shows_what_the_bot_saw(trial: Trial, local_boxes: Any, raiser: type) -> None:
    local_boxes.bots["bot.py"] = raiser
    done = check(local_boxes)
    assert done.status == "failed"
    assert "ValueError: no idea" in done.reason
    assert "in play" in done.traceback
    seen = moments.moment(findings.record(done))
    assert seen is not None
    assert done.reason.startswith(f"game {seen.game}, decision {seen.decision}:")
    assert (seen.hand, seen.lobby, seen.kind) == (["2C", "3C", "4C", "8C", "TC"], ["TH"], "open")
    assert seen.plays == [[], ["TC"]]  # two tens are a set
    assert seen.other == [("C", 5), ("D", 0), ("H", 0), ("S", 0)]
    assert seen.piles == [("C", 3), ("D", 12), ("H", 12), ("S", 13)]  # a diamond went unclaimed


def test_what_can_not_be_unpacked_fails_with_its_reason(trial: Trial, local_boxes: Any) -> None:
    local_boxes.fault = BadUpload("the archive holds no bot.py")
    done = check(local_boxes)
    assert (done.status, done.reason) == ("failed", "the archive holds no bot.py")


def test_a_platform_fault_is_no_failure_of_a_trial(trial: Trial, local_boxes: Any) -> None:
    local_boxes.fault = SandboxFault("the engine is gone")
    done = check(local_boxes)
    assert done.status == "checking"
    assert done.not_before is not None
    assert "the engine is gone" in done.reason


def test_a_trial_superseded_in_the_middle_comes_to_nothing(
    trial: Trial, local_boxes: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    local_boxes.at_start = lambda: Trial.objects.update(status="superseded")
    assert check(local_boxes).status == "superseded"


def test_versions_are_checked_before_trials(
    trial: Trial, upload: Any, local_boxes: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(tasks, "boxes", lambda: local_boxes)
    version = upload("Bishop")
    tasks.check()
    version.refresh_from_db()
    assert version.status == "active"
    assert Trial.objects.get().status == "checking"
    tasks.check()
    assert Trial.objects.get().status == "passed"
    tasks.check()  # nothing waits
