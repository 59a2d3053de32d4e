"""A busy machine forfeits nobody, and hides nobody: matches beside four busy processes a core, and a stopped worker."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from arena import match
from arena.outcome import Forfeit, Outcome, Termination
from arena.ruleset import TimeControl
from sandbox.box import BotBox
from sandbox.cores import one_core
from sandbox.launchers import Launcher
from tests.sandbox.harness import HOSTILE, ONE_GAME, load_message, loaded, question, write_bot

ROOT = Path(__file__).parents[2]
A_CORE = 4
SPINS = "import signal; signal.alarm(100); print(flush=True)\nwhile True: pass"
"""Until it is killed; the alarm is for the case that the test itself is."""
CONTROL = TimeControl(load_s=2.0, decision_s=0.1, bank_s=2.0)
WORKS = """
import time
def work(seconds):
    end = time.thread_time() + seconds
    while time.thread_time() < end:
        pass
"""
THINKER = f"""{WORKS}
class Bot:
    left = 3
    def play(self, observation):
        if self.left:
            self.left -= 1
            work(0.05)
        return observation.hand[:1] if not observation.lobby else []
"""
"""Uses half of its limit in its first decisions."""


@pytest.fixture
def busy() -> Iterator[None]:
    """A machine that has four times as much to do as it has cores."""
    count = A_CORE * (os.cpu_count() or 1)
    spinning = [subprocess.Popen([sys.executable, "-S", "-c", SPINS], stdout=subprocess.PIPE) for _ in range(count)]
    try:
        for each in spinning:
            assert each.stdout is not None
            assert each.stdout.readline() == b"\n"
        yield
    finally:
        for each in spinning:
            each.kill()
            each.communicate()


@pytest.fixture
def thinker_box(launcher: Launcher, tmp_path: Path) -> Iterator[BotBox]:
    with launcher.start(write_bot(tmp_path / "thinker", THINKER)) as box:
        yield box


@pytest.mark.usefixtures("busy")
def test_half_the_limit_in_each_decision_is_in_time(launcher: Launcher, thinker_box: BotBox, tmp_path: Path) -> None:
    with (
        launcher.start(write_bot(tmp_path / "second", THINKER)) as second,
        thinker_box.match(CONTROL, "a") as a,
        second.match(CONTROL, "b") as b,
        one_core(),
    ):
        record = match.play((a, b), ONE_GAME, CONTROL, 1)
    assert record.outcome.termination is Termination.COMPLETED
    thought = sorted(record.games[0].times)[-6:]
    assert 500 <= thought[0] <= thought[-1] < 1_000, "in tenths of a millisecond"


@pytest.mark.usefixtures("busy")
@pytest.mark.parametrize(("module", "reason"), [("busy_loop", "0.1 s of CPU time"), ("sleep_forever", "asleep")])
def test_who_is_too_slow_is_found_and_not_the_other(
    launcher: Launcher, thinker_box: BotBox, tmp_path: Path, module: str, reason: str
) -> None:
    bundle = write_bot(tmp_path / "slow", (HOSTILE / f"{module}.py").read_text())
    with (
        launcher.start(bundle) as box,
        box.match(CONTROL, module) as slow,
        thinker_box.match(CONTROL, "honest") as honest,
        one_core(),
    ):
        record = match.play((honest, slow), ONE_GAME, CONTROL, 1)
    assert record.outcome == Outcome(0, Termination.TIME, (1,), record.outcome.reason)
    assert reason in record.outcome.reason


@pytest.mark.usefixtures("busy")
def test_half_the_bank_is_not_the_whole(launcher: Launcher, tmp_path: Path) -> None:
    control = TimeControl(load_s=2.0, decision_s=1.0, bank_s=0.4)
    source = f"{WORKS}\nclass Bot:\n    def play(self, observation):\n        work(0.1)\n        return []\n"
    with launcher.start(write_bot(tmp_path / "bot", source)) as box, box.match(control, "bank") as session, one_core():
        loaded(session)
        for number in (1, 2):
            assert session.ask(question(number)).cpu_s >= 0.1
        session.ask(question(3))
        with pytest.raises(Forfeit, match=r"the bank of 0\.4 s of CPU time"):
            session.ask(question(4))


@pytest.mark.usefixtures("busy")
@pytest.mark.parametrize(("part", "comes_up"), [(0.5, True), (1.5, False)])
def test_half_the_time_to_load_is_enough_and_more_than_all_of_it_is_not(
    launcher: Launcher, tmp_path: Path, part: float, comes_up: bool
) -> None:
    control = TimeControl(load_s=0.3, decision_s=1.0, bank_s=2.0)
    source = f"{WORKS}\nwork({part * control.load_s})\nclass Bot:\n    def play(self, observation): ...\n"
    with launcher.start(write_bot(tmp_path / "bot", source)) as box, box.match(control, "load") as session, one_core():
        if comes_up:
            assert part * control.load_s <= session.load(load_message(control)).cpu_s < control.load_s
        else:
            with pytest.raises(Forfeit, match=r"s of CPU time (used )?to load"):
                session.load(load_message(control))


WORKER = """
import os, signal, sys
from pathlib import Path
from threading import Timer
from arena import match
from arena.ruleset import TimeControl
from sandbox import open_launcher
from sandbox.bundle import Bundle
from sandbox.session import Session
from tests.sandbox.harness import ONE_GAME

class Stopped(Session):
    stopped = False
    def ask(self, request):
        if not self.stopped:
            self.stopped = True
            Timer(0.03, os.kill, (os.getpid(), signal.SIGSTOP)).start()
        return super().ask(request)

import sandbox.box
sandbox.box.Session = Stopped
control = TimeControl(load_s=2.0, decision_s=0.1, bank_s=0.5)
launcher = open_launcher(sys.argv[1])
with launcher.start(Bundle(Path(sys.argv[2]))) as a, launcher.start(Bundle(Path(sys.argv[2]))) as b:
    with a.match(control, "a") as first, b.match(control, "b") as second:
        record = match.play((first, second), ONE_GAME, control, 1)
launcher.close()
print(record.outcome)
"""
"""A worker that is stopped in the middle of the first decision of each of its two bots."""
STOP_S = 0.7
NAPPER = THINKER.replace("work(0.05)", "work(0.05); time.sleep(0.02)")


def test_a_worker_that_was_stopped_for_longer_than_all_limits_blames_nobody(launcher: Launcher, tmp_path: Path) -> None:
    write_bot(tmp_path / "bot", NAPPER)
    command = [sys.executable, "-c", WORKER, launcher.name, str(tmp_path / "bot")]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True, cwd=ROOT) as worker:
        stops = 0
        while next_change(worker.pid) == os.CLD_STOPPED:
            stops += 1
            time.sleep(STOP_S)
            worker.send_signal(signal.SIGCONT)
        told, _ = worker.communicate()
    assert (stops, told) == (2, f"{Outcome(None)}\n")


def next_change(pid: int) -> int:
    """Waits until that child is stopped, or ends; which of these it was."""
    found = os.waitid(os.P_PID, pid, os.WSTOPPED | os.WEXITED | os.WNOWAIT)
    assert found is not None
    return found.si_code
