"""Workers that take no work while they can't be trusted with it; faults are those of the boxes."""

from __future__ import annotations

from collections import namedtuple
from collections.abc import Callable
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest
from django.test import override_settings

from league.bots import services as bots
from league.bots.models import Trial, Version
from league.matches import holder, pausing, playing, services, tasks
from league.matches.models import Attempt, Match, Worker
from sandbox.errors import SandboxFault
from tests.small_disk import small_disk

pytestmark = pytest.mark.django_db
Usage = namedtuple("Usage", "total used free")


@pytest.fixture
def worker(monkeypatch: pytest.MonkeyPatch, local_boxes: Any) -> Worker:
    """This process, with boxes in it."""
    monkeypatch.setattr(tasks, "boxes", lambda: local_boxes)
    return Worker.objects.create(name=holder.name(), sandbox="containers", able=True)


def claimed() -> Match:
    Match.objects.update(not_before=None)
    match = services.claim(holder.name())
    assert match is not None
    return match


def test_faults_in_a_row_pause_a_worker_and_the_last_is_no_attempt_at_the_match(
    queued: Match, local_boxes: Any, worker: Worker
) -> None:
    local_boxes.fault = SandboxFault("the engine is gone")
    for faults in range(1, 6):
        assert not playing.play(claimed(), local_boxes)
        worker.refresh_from_db()
        assert (worker.faults, worker.pause) == (faults, "faults" if faults == 5 else "")
    assert "the engine is gone" in worker.pause_reason
    assert worker.fault.startswith("Traceback")
    match = Match.objects.get()
    assert (match.status, match.lease_until) == ("queued", None)  # by five attempts it would have failed
    assert Attempt.objects.count() == 4


def test_a_paused_worker_takes_no_match_and_no_check(
    queued: Match, upload: Callable[..., Version], worker: Worker
) -> None:
    upload("Queen")
    assert pausing.pause(worker, Worker.Pause.DISK, "the disk is full")
    tasks.play()
    tasks.check()
    assert (Match.objects.get().status, Match.objects.get().attempt) == ("queued", 0)
    assert Version.objects.get(bot__name="Queen").attempt == 0
    assert pausing.resume(worker)
    tasks.check()
    tasks.play()
    assert Match.objects.get(pk=queued.pk).status == "played"
    assert Version.objects.get(bot__name="Queen").status == "active"


def test_a_worker_that_pauses_takes_no_more_of_what_waits(
    activate: Callable[..., Version], local_boxes: Any, worker: Worker
) -> None:
    for name in ("Pawn", "Rook", "King", "Queen"):
        activate(name)
    local_boxes.fault = SandboxFault("the engine is gone")
    with override_settings(PAUSE_AFTER_FAULTS=3):
        tasks.play()
    assert (Attempt.objects.count(), Match.objects.queued().count()) == (2, 6)
    worker.refresh_from_db()
    assert worker.faults == 3


def test_the_faults_of_a_worker_that_is_paused_meanwhile_burn_no_attempts(
    queued: Match, local_boxes: Any, worker: Worker
) -> None:
    """As other processes of it, or an organiser, may pause it while this one plays."""
    for _ in range(7):
        match = claimed()
        pausing.pause(worker, Worker.Pause.HAND, "it is needed elsewhere")
        local_boxes.fault = SandboxFault("the engine is gone")
        assert not playing.play(match, local_boxes)
    assert Match.objects.get().status == "queued"
    assert not Attempt.objects.exists()


@pytest.mark.parametrize("as_trial", [False, True])
def test_a_check_that_pauses_a_worker_is_given_back_at_once(
    upload: Callable[..., Version], local_boxes: Any, worker: Worker, as_trial: bool
) -> None:
    version = upload("Queen")
    held: Version | Trial | None = bots.claim_check()
    if as_trial:
        held = Trial.objects.create(
            owner=version.bot.owner, filename="bot.py", content=b"", attempt=1, lease_until=version.created_at
        )
    assert held is not None
    local_boxes.fault = SandboxFault("the engine is gone")
    with override_settings(PAUSE_AFTER_FAULTS=1):
        playing.check(held, local_boxes)
    held.refresh_from_db()
    assert (held.status, held.lease_until, held.not_before) == ("checking", None, None)


def test_what_goes_well_is_counted_and_ends_a_row_of_faults(
    queued: Match, upload: Callable[..., Version], worker: Worker, local_boxes: Any
) -> None:
    Worker.objects.update(faults=4, tries=3)
    assert playing.play(claimed(), local_boxes)
    upload("Queen")
    tasks.check()
    worker.refresh_from_db()
    assert (worker.matches, worker.checks, worker.faults, worker.tries) == (1, 1, 0, 0)


def test_what_a_paused_worker_still_finishes_counts_and_ends_no_pause(
    queued: Match, worker: Worker, local_boxes: Any
) -> None:
    match = claimed()
    Worker.objects.update(faults=5, tries=1)
    pausing.pause(worker, Worker.Pause.FAULTS, "five faults")
    assert playing.play(match, local_boxes)
    worker.refresh_from_db()
    assert (worker.matches, worker.faults, worker.tries, worker.pause) == (1, 5, 1, "faults")


def test_a_worker_without_a_row_works(queued: Match, local_boxes: Any) -> None:
    assert pausing.works()
    local_boxes.fault = SandboxFault("the engine is gone")
    assert not playing.play(claimed(), local_boxes)
    assert Attempt.objects.count() == 1


def test_of_two_who_pause_or_resume_one_does(worker: Worker) -> None:
    assert pausing.pause(worker, Worker.Pause.FAULTS, "five faults")
    assert not pausing.pause(worker, Worker.Pause.DISK, "the disk is full")
    worker.refresh_from_db()
    assert worker.pause_reason == "five faults"
    assert pausing.resume(worker)
    assert not pausing.resume(worker)
    worker.delete()
    assert not pausing.pause(worker, Worker.Pause.HAND, "it is needed elsewhere")


def test_what_an_organiser_paused_he_alone_resumes(worker: Worker) -> None:
    pausing.pause(worker, Worker.Pause.FAULTS, "five faults")
    assert pausing.pause(worker, Worker.Pause.HAND, "it is needed elsewhere")
    assert not pausing.pause(worker, Worker.Pause.HAND, "it is needed elsewhere")
    assert not pausing.begin_rehearsal(worker)
    assert not pausing.passed_rehearsal(worker, "containers")
    assert not pausing.failed_rehearsal(worker, "no engine")
    worker.refresh_from_db()
    assert (worker.pause, worker.pause_reason) == ("hand", "it is needed elsewhere")
    assert pausing.resume(worker, by_hand=True)


def test_rehearsals_come_at_growing_intervals(worker: Worker, clock: Any) -> None:
    pausing.pause(worker, Worker.Pause.FAULTS, "five faults")
    waited = []
    for _ in range(10):
        worker.refresh_from_db()
        assert worker.try_at is not None
        waited.append((worker.try_at - clock.now).total_seconds())
        assert not pausing.begin_rehearsal(worker)
        clock.now = worker.try_at
        assert pausing.begin_rehearsal(worker)
        assert not pausing.begin_rehearsal(worker)
        assert pausing.failed_rehearsal(worker, "no engine")
    assert waited == [15, 30, 60, 120, 240, 480, 960, 1800, 1800, 1800]


def test_a_worker_that_falls_back_into_its_faults_waits_longer_than_before(worker: Worker, clock: Any) -> None:
    pausing.pause(worker, Worker.Pause.FAULTS, "five faults")
    clock.pass_by(minutes=1)
    assert pausing.begin_rehearsal(worker)
    assert pausing.passed_rehearsal(worker, "containers of another engine")
    worker.refresh_from_db()
    assert (worker.pause, worker.faults, worker.sandbox) == ("", 0, "containers of another engine")
    pausing.pause(worker, Worker.Pause.FAULTS, "five faults")
    worker.refresh_from_db()
    assert worker.try_at == clock.now + timedelta(seconds=30)


def test_too_little_disk_names_the_folder_and_what_was_expected(monkeypatch: pytest.MonkeyPatch, settings: Any) -> None:
    settings.HOME, settings.LEAST_FREE_MIB = "/data", 200
    free = {"/data": 500, pausing.gettempdir(): 500}
    monkeypatch.setattr(pausing.shutil, "disk_usage", lambda folder: Usage(0, 0, free[folder] * 1024 * 1024))
    assert pausing.short_of_disk() == ""
    free["/data"] = 199
    assert "expected 200 MiB free in /data, got 199" in pausing.short_of_disk()
    free["/data"], free[pausing.gettempdir()] = 200, 0
    assert f"200 MiB free in {pausing.gettempdir()}, got 0" in pausing.short_of_disk()


def test_a_disk_that_fills_up_is_too_little_until_there_is_room_again(tmp_path: Path, settings: Any) -> None:
    settings.HOME, settings.LEAST_FREE_MIB = tmp_path, 4
    with small_disk(tmp_path, size="6m"):
        assert pausing.short_of_disk() == ""
        (tmp_path / "left behind").write_bytes(bytes(3 * pausing.MIB))
        assert pausing.short_of_disk().startswith(f"expected 4 MiB free in {tmp_path}, got 3")
        (tmp_path / "left behind").unlink()
        assert pausing.short_of_disk() == ""


def test_a_folder_that_can_not_be_looked_at_is_too_little_disk(settings: Any) -> None:
    settings.HOME = "/does/not/exist"
    assert pausing.short_of_disk() == "/does/not/exist can't be looked at: No such file or directory"
