"""A bot at which the platform fails each time: that is nobody's loss, no worker's fault, and costs others nothing."""

from __future__ import annotations

from collections.abc import Callable
from datetime import timedelta
from typing import Any

import pytest

from league.bots import trials
from league.bots.models import Trial, Version
from league.matches import blame, holder, pausing, playing, services, tasks
from league.matches.models import Attempt, Match, Worker
from sandbox.errors import SandboxFault
from tests.league.conftest import PASSER

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("short_ladder")]
FAULTS = 3
OTHERS = 5


@pytest.fixture
def poison(local_boxes: Any, monkeypatch: pytest.MonkeyPatch) -> set[str]:
    """Names of bots and files of trials whose boxes can't be started."""
    names: set[str] = set()
    opened = local_boxes.of

    def of(upload: Version | Trial) -> Any:
        if (upload.filename if isinstance(upload, Trial) else upload.bot.name) in names:
            raise SandboxFault("the box is gone")
        return opened(upload)

    monkeypatch.setattr(local_boxes, "of", of)
    return names


@pytest.fixture
def worker(monkeypatch: pytest.MonkeyPatch, local_boxes: Any, clock: Any, settings: Any) -> Worker:
    """This process, at noon."""
    settings.PAUSE_AFTER_FAULTS = FAULTS
    monkeypatch.setattr(tasks, "boxes", lambda: local_boxes)
    return Worker.objects.create(name=holder.name(), sandbox="containers", able=True)


def fail_at(match: Match, boxes: Any) -> None:
    """Have the worker take that match of all, and fail at it."""
    Match.objects.exclude(pk=match.pk).update(not_before=pausing.timezone.now() + timedelta(days=1))
    Match.objects.filter(pk=match.pk).update(not_before=None)
    held = services.claim(holder.name())
    assert held == match
    assert not playing.play(held, boxes)
    Match.objects.update(not_before=None)


def rehearse(worker: Worker, clock: Any) -> None:
    """Well, as soon as its turn has come."""
    worker.refresh_from_db()
    clock.now = worker.try_at
    assert pausing.begin_rehearsal(worker)
    assert pausing.passed_rehearsal(worker, "containers")


def held_back() -> set[Match]:
    return set(Match.objects.queued().filter(not_before__gt=pausing.timezone.now()))


def matches_of(*names: str) -> set[Match]:
    both = Match.objects.select_related("version_a__bot", "version_b__bot")
    return {each for each in both if {each.version_a.bot.name, each.version_b.bot.name} >= set(names)}


def test_one_bot_at_which_the_platform_fails_each_time_keeps_no_other_from_playing(
    activate: Callable[..., Version], worker: Worker, poison: set[str], clock: Any, author: Any
) -> None:
    author.bots_allowed = OTHERS + 2
    author.save()
    for number in range(OTHERS):
        activate(f"Bot {number}")
    tasks.play()
    activate("Poison")
    activate("Late")
    poison.add("Poison")
    of_others = Match.objects.exclude(pk__in=[each.pk for each in matches_of("Poison")])
    pauses = 0
    while of_others.exclude(status="played").exists():
        tasks.play()
        if not pausing.works():
            rehearse(worker, clock)
            pauses += 1
    assert pauses == 1
    assert held_back() == matches_of("Poison")
    assert Attempt.objects.count() == FAULTS - 1
    clock.pass_by(minutes=15)
    poison.clear()
    tasks.play()
    assert not Match.objects.exclude(status="played").exists()


def test_what_waits_is_held_back_where_all_faults_have_a_version_in_common(
    activate: Callable[..., Version], worker: Worker, poison: set[str], local_boxes: Any, clock: Any
) -> None:
    for name in ("Poison", "King", "Queen", "Rook"):
        activate(name)
    poison.add("Poison")
    for other in ("King", "Queen", "Rook"):
        fail_at(*matches_of("Poison", other), local_boxes)
    rehearse(worker, clock)
    assert held_back() == matches_of("Poison")
    worker.refresh_from_db()
    assert worker.suspects is None


def test_of_two_that_fail_together_neither_is_kept_from_others(
    activate: Callable[..., Version], worker: Worker, local_boxes: Any, clock: Any
) -> None:
    for name in ("King", "Queen", "Rook"):
        activate(name)
    local_boxes.fault = SandboxFault("the box is gone")
    for _ in range(FAULTS):
        fail_at(*matches_of("King", "Queen"), local_boxes)
    rehearse(worker, clock)
    assert held_back() == matches_of("King", "Queen")


@pytest.mark.parametrize("how", ["others too", "a rehearsal failed", "by hand"])
def test_a_worker_that_may_be_to_blame_itself_holds_nothing_back(
    activate: Callable[..., Version], worker: Worker, local_boxes: Any, clock: Any, how: str
) -> None:
    for name in ("Poison", "King", "Queen"):
        activate(name)
    local_boxes.fault = SandboxFault("the engine is gone")
    pairs = [("Poison", "King"), ("Poison", "Queen"), ("King", "Queen") if how == "others too" else ("Poison", "King")]
    for pair in pairs:
        fail_at(*matches_of(*pair), local_boxes)
    worker.refresh_from_db()
    assert worker.pause == "faults"
    if how == "by hand":
        assert pausing.resume(worker, by_hand=True)
    else:
        if how == "a rehearsal failed":
            assert pausing.failed_rehearsal(worker, "no engine answers")
        rehearse(worker, clock)
    assert held_back() == set()


def test_a_match_that_goes_well_clears_those_before_it(
    activate: Callable[..., Version], worker: Worker, poison: set[str], local_boxes: Any, clock: Any
) -> None:
    for name in ("Poison", "King", "Queen", "Rook"):
        activate(name)
    poison.add("Poison")
    fail_at(*matches_of("Poison", "King"), local_boxes)
    poison.clear()
    Match.objects.exclude(pk__in=[each.pk for each in matches_of("Queen", "Rook")]).update(not_before=clock.now)
    well = services.claim(holder.name())
    assert well is not None
    assert playing.play(well, local_boxes)
    worker.refresh_from_db()
    assert (worker.faults, worker.suspects) == (0, None)


@pytest.mark.parametrize("as_trial", [False, True])
def test_a_check_at_which_the_platform_fails_each_time_is_held_back(
    upload: Callable[..., Version], worker: Worker, poison: set[str], clock: Any, author: Any, as_trial: bool
) -> None:
    poison.update({"Poison", "poison.py"})
    checked: Any = trials.ask(author, "poison.py", PASSER) if as_trial else upload("Poison")
    for _ in range(3):
        while pausing.works():
            tasks.check()
            clock.pass_by(minutes=1)
        rehearse(worker, clock)
        checked.refresh_from_db()
        assert checked.status == "checking"
        assert checked.not_before == clock.now + blame.HELD_BACK
        worker.refresh_from_db()
        assert worker.tries == 0, "the worker's next pause is no longer than this one"
        clock.now = checked.not_before
    poison.clear()
    tasks.check()
    checked.refresh_from_db()
    assert checked.status == ("passed" if as_trial else "active")
