"""What a bot works between its answers, in the opponent's time, is its own time, wherever it finds a way to do so."""

from __future__ import annotations

import math
import time
from pathlib import Path

import pytest

from arena import match
from arena.outcome import Forfeit, Termination
from arena.ruleset import TimeControl
from sandbox.bundle import Bundle
from sandbox.cores import one_core
from sandbox.launchers import Launcher
from sandbox.session import Session
from tests.sandbox.harness import AMPLE, HONEST, ONE_GAME, loaded, question, write_bot

PONDER_S = 0.05
PONDERER = """
import os, time

def ponder(seconds):
    end = time.thread_time() + seconds
    while time.thread_time() < end:
        pass

read, write = os.read, os.write

def read_late(descriptor, count):
    if Bot.asked:
        ponder(PONDER_S)
    return read(descriptor, count)

def write_and_ponder(descriptor, data):
    written = write(descriptor, data)
    if Bot.asked:
        ponder(PONDER_S)
    return written

class Bot:
    asked = 0
    def play(self, observation):
        Bot.asked += 1
        return observation.hand[:1] if not observation.lobby else []
"""
WAYS = {
    "after the answer was written": "os.write = write_and_ponder",
    "before the next question is read": "os.read = read_late",
}
pytestmark = pytest.mark.parametrize("way", WAYS.values(), ids=WAYS.keys())


def ponderer(folder: Path, way: str, seconds: float) -> Bundle:
    return write_bot(folder, f"PONDER_S = {seconds}\n{PONDERER}\n{way}\n".replace("inf", "float('inf')"))


def ask_slowly(session: Session, questions: int) -> float:
    """The CPU seconds that those questions are charged with, when the opponent thinks between them."""
    charged = 0.0
    for number in range(1, questions + 1):
        charged += session.ask(question(number)).cpu_s
        time.sleep(2 * PONDER_S)
    return charged


def test_it_is_charged_to_the_decisions_that_follow(launcher: Launcher, tmp_path: Path, way: str) -> None:
    with launcher.start(ponderer(tmp_path / "bot", way, PONDER_S)) as box, box.match(AMPLE, "ponders") as session:
        charged = ask_slowly(loaded(session), 4)
    assert 3 * PONDER_S <= charged <= session.cpu_s


@pytest.mark.parametrize("seen", [True, False], ids=["from outside", "by the box"])
def test_it_uses_up_the_bank(
    launcher: Launcher, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, way: str, seen: bool
) -> None:
    if not seen:
        monkeypatch.setattr("sandbox.session.clock_of", lambda *_: None)
    control = TimeControl(load_s=2.0, decision_s=1.0, bank_s=4 * PONDER_S)
    with launcher.start(ponderer(tmp_path / "bot", way, PONDER_S)) as box, box.match(control, "ponders") as session:
        loaded(session)
        with pytest.raises(Forfeit, match=r"the bank of 0\.2 s of CPU time"):
            ask_slowly(session, 9)


def test_who_never_stops_is_out_of_time_and_not_the_other(launcher: Launcher, tmp_path: Path, way: str) -> None:
    control = TimeControl(load_s=2.0, decision_s=0.1, bank_s=2.0)
    with (
        launcher.start(ponderer(tmp_path / "bot", way, math.inf)) as box,
        launcher.start(write_bot(tmp_path / "honest", HONEST)) as honest_box,
        honest_box.match(control, "honest") as honest,
        box.match(control, "ponders") as session,
        one_core(),
    ):
        record = match.play((honest, session), ONE_GAME, control, 1)
    assert (record.outcome.forfeits, record.outcome.termination) == ((1,), Termination.TIME)
    assert "0.1 s of CPU time for a decision" in record.outcome.reason
