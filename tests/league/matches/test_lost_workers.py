"""A worker that is killed, or stopped, in the middle of a match."""

from __future__ import annotations

import signal
import time
from collections.abc import Callable, Iterator
from datetime import timedelta
from pathlib import Path

import pytest
from django.utils import timezone

import sandbox
from arena.ruleset import Ruleset, TimeControl
from league.bots.models import Version
from league.matches import playing, services
from league.matches.boxes import Boxes
from league.matches.models import Attempt, Match, Replay
from league.tournaments import services as tournaments
from tests.league.matches.workers_alone import WorkerAlone

pytestmark = pytest.mark.django_db(transaction=True)
LEAVES_S = 10.0
DECISION_S = 0.3
THINKS = b"""import time
class Bot:
    def play(self, observation):
        ends = time.process_time() + 0.005
        while time.process_time() < ends:
            pass
        return observation.legal_plays[-1]
"""


@pytest.fixture(params=[pytest.param("docker", marks=pytest.mark.docker), "process"])
def launcher(request: pytest.FixtureRequest) -> str:
    if request.param == "docker":
        request.getfixturevalue("engine")
    return str(request.param)


@pytest.fixture
def two_that_think(short_ladder: Ruleset, activate: Callable[..., Version]) -> None:
    """A match of two games, each of which takes most of a second, with little time for a decision."""
    ladder = tournaments.ladder()
    ladder.time_control = TimeControl(load_s=10.0, decision_s=DECISION_S, bank_s=10.0).as_dict()
    ladder.save()
    activate("Pawn", THINKS)
    activate("Rook", THINKS + b"#\n")


@pytest.fixture
def worker(two_that_think: None, launcher: str, tmp_path: Path) -> Iterator[WorkerAlone]:
    """Such a worker, which has played the first game."""
    tmp_path.chmod(0o755)
    started = WorkerAlone(launcher, tmp_path / "unpacked")
    try:
        assert started.hear() == "first game"
        yield started
    finally:
        started.end()


def play_again(folder: Path) -> None:
    """By another worker: this process."""
    Match.objects.update(not_before=None)
    match = services.claim("another")
    assert match is not None
    boxes = Boxes(sandbox.open_launcher("process"), 3, folder)
    try:
        assert playing.play(match, boxes)
    finally:
        boxes.close()


def recorded_once(attempt: int) -> None:
    """By that attempt, whole, and nobody has lost by what happened."""
    match = Match.objects.get()
    assert (match.status, match.termination, match.forfeits) == ("played", "completed", "")
    assert (match.attempt, match.lease_until, len(match.games)) == (attempt, None, 2)
    assert Replay.objects.count() == 1


def nothing_left(worker: WorkerAlone) -> None:
    ends = time.monotonic() + LEAVES_S
    while worker.left():
        assert time.monotonic() < ends, worker.left()
        time.sleep(0.02)


def test_the_match_of_a_killed_worker_is_played_again_whole(worker: WorkerAlone, tmp_path: Path) -> None:
    worker.signal(signal.SIGKILL)
    assert worker.rest() == ([], -signal.SIGKILL)
    services.sweep()
    lost = Match.objects.get()
    assert (lost.status, lost.outcome, lost.games_done) == ("queued", "", 0)
    assert Attempt.objects.get().fault == "the worker process ended"
    nothing_left(worker)
    play_again(tmp_path / "unpacked")
    recorded_once(attempt=2)


@pytest.mark.parametrize("launcher", ["process"], indirect=True)
def test_what_a_worker_brings_that_was_stopped_past_its_lease_is_refused(worker: WorkerAlone, tmp_path: Path) -> None:
    worker.signal(signal.SIGSTOP)
    Match.objects.update(lease_until=timezone.now() - timedelta(seconds=1))
    services.sweep()
    assert "the lease has passed" in Attempt.objects.get().fault
    play_again(tmp_path / "unpacked")
    recorded = Match.objects.values().get()
    worker.signal(signal.SIGCONT)
    assert worker.rest() == (["not recorded"], 0)
    assert Match.objects.values().get() == recorded
    recorded_once(attempt=2)
    assert Attempt.objects.count() == 1
    nothing_left(worker)


@pytest.mark.parametrize("launcher", ["process"], indirect=True)
@pytest.mark.parametrize("its_bots_too", [False, True])
def test_the_time_for_which_a_worker_was_stopped_is_held_against_no_bot(
    worker: WorkerAlone, its_bots_too: bool
) -> None:
    worker.signal(signal.SIGSTOP, its_bots_too)
    time.sleep(4 * DECISION_S)  # longer than a bot may be asleep
    worker.signal(signal.SIGCONT, its_bots_too)
    assert worker.rest() == (["recorded"], 0)
    recorded_once(attempt=1)
    assert not Attempt.objects.exists()
    nothing_left(worker)
