"""What a bot prints changes no result, and how it ended is told with all that its author needs to see why."""

from __future__ import annotations

import resource
from pathlib import Path

import docker
import pytest

from arena import match
from arena.outcome import Forfeit, Termination
from arena.players import LocalPlayer
from arena.ruleset import TimeControl
from sandbox.launchers import Launcher
from sandbox.limits import KEPT_OUTPUT_BYTES
from tests.sandbox.harness import AMPLE, HONEST, ONE_GAME, leftovers, loaded, nobody_left, question, write_bot

ROOMY = TimeControl(load_s=10.0, decision_s=20.0, bank_s=60.0)
PRINTS = """
import sys
class Bot:
    printed = False
    def play(self, observation):
        if not self.printed:
            self.printed = True
            {prints}
        return observation.hand[:1] if not observation.lobby else []
"""
MIB = 1024 * 1024


class Silent:
    def play(self, observation: object) -> object:
        return observation.hand[:1] if not observation.lobby else []  # type: ignore[attr-defined]


@pytest.mark.parametrize(
    ("prints", "kept"),
    [
        ("print('hello')", "hello\n"),
        ("print('over\\rwritten')", "over\rwritten\n"),
        ("print('\\x1b[2J\\x1b[31mred')", "\x1b[31mred\n"),
        ('print(\'{"cards":[],"id":1}\', flush=True)', '{"cards":[],"id":1}\n'),
        ('print(\'{"cards":[],"id":1}\', file=sys.stderr)', '{"cards":[],"id":1}\n'),
        ("sys.stdout.buffer.write(bytes(range(256)))", "\ufffd"),
        ("for _ in range(3_200): print('x' * 65_535)", "bytes left out"),
    ],
    ids=["a line", "return", "colours", "an answer", "an answer as an error", "no text", "200 MiB"],
)
def test_the_result_is_that_of_a_silent_bot_whatever_a_bot_prints(
    launcher: Launcher, tmp_path: Path, prints: str, kept: str
) -> None:
    silent = match.play((LocalPlayer(Silent), LocalPlayer(Silent)), ONE_GAME, ROOMY, 7)
    bundle = write_bot(tmp_path / "bot", PRINTS.format(prints=prints))
    memory = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    with launcher.start(bundle) as box, box.match(ROOMY, "prints") as session:
        record = match.play((session, LocalPlayer(Silent)), ONE_GAME, ROOMY, 7)
    assert record.outcome == silent.outcome
    assert [game.actions for game in record.games] == [game.actions for game in silent.games]
    assert kept in session.output
    assert len(session.output) < 2 * KEPT_OUTPUT_BYTES + 100
    assert resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - memory < 10_000, "in KiB"


DIES = """
import ctypes, os, signal
class Bot:
    def play(self, observation):
        for number in range(60):
            print("line", number)
        {dies}
"""


@pytest.mark.parametrize(
    ("dies", "reason"),
    [
        ("ctypes.string_at(0)", "SIGSEGV"),
        ("os.abort()", "SIGABRT"),
        ("os._exit(3)", "exit status 3"),
        ("raise SystemExit(4)", "SystemExit: 4"),
        ("raise KeyError('a card')", "KeyError: 'a card'"),
    ],
)
def test_how_a_bot_ended_is_told_with_the_last_that_it_printed(
    launcher: Launcher, tmp_path: Path, dies: str, reason: str
) -> None:
    bundle = write_bot(tmp_path / "bot", DIES.format(dies=dies))
    with launcher.start(bundle) as box, box.match(AMPLE, "dies") as session:
        loaded(session)
        with pytest.raises(Forfeit) as ended:
            session.ask({**question(1), "at": [1, 1]})
    assert ended.value.termination is Termination.CRASH
    assert reason in ended.value.reason
    assert session.output.splitlines() == [f"line {number}" for number in range(60)]
    assert [each[:2] for each in session.printed] == [(1, 1)]


def test_a_bot_that_is_too_slow_is_asked_once(launcher: Launcher, tmp_path: Path) -> None:
    source = (
        "import time\nclass Bot:\n    def play(self, observation):\n        print('asked')\n        time.sleep(1e9)\n"
    )
    control = TimeControl(load_s=5.0, decision_s=0.2, bank_s=5.0)
    with launcher.start(write_bot(tmp_path / "bot", source)) as box, box.match(control, "sleeps") as session:
        record = match.play((session, LocalPlayer(Silent)), ONE_GAME, control, 7)
    assert (record.outcome.termination, record.outcome.winner) == (Termination.TIME, 1)
    assert session.output == "asked\n"


FORKS = """
import os, signal
for number in (signal.SIGTERM, signal.SIGINT, signal.SIGHUP):
    signal.signal(number, signal.SIG_IGN)
try:
    if os.fork() == 0:
        if os.fork() == 0:
            while True: pass
        os._exit(0)
except OSError as error:
    print(type(error).__name__)
class Bot:
    def play(self, observation):
        return []
"""


def test_a_hundred_matches_of_a_bot_that_forks_and_heeds_no_signal_leave_no_process(
    launcher: Launcher, tmp_path: Path
) -> None:
    with launcher.start(write_bot(tmp_path / "bot", FORKS)) as box:
        for _ in range(100):
            with box.match(AMPLE, "forks") as session:
                loaded(session)
            assert session.output == "PermissionError\n"
        nobody_left(box, launcher)


@pytest.mark.parametrize("launcher", [pytest.param("docker", marks=pytest.mark.docker)], indirect=True)
def test_the_engine_keeps_nothing_of_what_a_bot_prints(launcher: Launcher, tmp_path: Path) -> None:
    before = set(leftovers("docker"))
    client = docker.from_env()
    try:
        with launcher.start(write_bot(tmp_path / "bot", HONEST)):
            (container,) = set(leftovers("docker")) - before
            assert client.api.inspect_container(container)["HostConfig"]["LogConfig"]["Type"] == "none"
    finally:
        client.close()
