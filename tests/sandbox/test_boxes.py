"""Boxes and sessions in both launchers: clocks, freshness, faults that are nobody's loss, and what is left."""

from __future__ import annotations

import os
import resource
import select
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import msgspec
import pytest

from arena import match, wire
from arena.outcome import Forfeit
from arena.players import Answer, LocalPlayer
from arena.ruleset import Ruleset, TimeControl
from arena.witness import Witness
from sandbox import SandboxFault
from sandbox.box import BotBox
from sandbox.launchers import Launcher
from tests.sandbox.harness import (
    AMPLE,
    HONEST,
    HOSTILE,
    ONE_GAME,
    Arena,
    load_message,
    loaded,
    open_descriptors,
    question,
    write_bot,
)

Enter = Callable[..., Arena]


def test_a_match_in_the_sandbox_is_the_match_without(box: BotBox, launcher: Launcher) -> None:
    class Bot:
        def play(self, observation: object) -> object:
            return observation.hand[:1] if not observation.lobby else []  # type: ignore[attr-defined]

    local = match.play((LocalPlayer(Bot), LocalPlayer(Bot)), ONE_GAME, AMPLE, 7)
    with box.match(AMPLE, "a") as session:
        record = match.play((session, LocalPlayer(Bot)), ONE_GAME, AMPLE, 7)
    assert [game.actions for game in record.games] == [game.actions for game in local.games]
    assert record.outcome == local.outcome
    assert session.cpu_s > 0
    assert session.memory_peak_kib > 5_000
    box.close()


def test_wall_time_is_that_from_the_question_to_the_answer(launcher: Launcher, tmp_path: Path) -> None:
    source = """
import time
time.sleep(0.1)
class Bot:
    def play(self, observation):
        time.sleep(0.2)
        return []
"""
    with launcher.start(write_bot(tmp_path / "bot", source)) as box, box.match(AMPLE, "slow") as session:
        load = session.load(load_message(AMPLE))
        play = session.ask(question(1))
    assert load.wall_s >= 0.1 > load.cpu_s
    assert play.wall_s >= 0.2 > play.cpu_s


def test_cpu_time_is_measured_from_outside(launcher: Launcher, tmp_path: Path) -> None:
    source = """
import time
class Bot:
    def play(self, observation):
        end = time.process_time() + 0.05
        while time.process_time() < end: pass
        time.sleep(0.05)
        return []
"""
    with launcher.start(write_bot(tmp_path / "bot", source)) as box, box.match(AMPLE, "a") as session:
        loaded(session)
        for number in (1, 2, 3):
            assert session.ask(question(number)).cpu_s == pytest.approx(0.05, abs=0.02)
    assert 0.15 < session.cpu_s < 0.3


def test_what_a_bot_prints_is_tied_to_the_decision_at_which_it_did(launcher: Launcher, tmp_path: Path) -> None:
    source = """
import gc, sys
print("imported")
class Bot:
    def game_start(self, observation):
        print("game", observation.game)
    def play(self, observation):
        places = [each for each in gc.get_objects() if type(each) is dict and "op" in each and "at" in each]
        print(len(observation.history), len(places), end="")
        if observation.game == 2 and observation.lobby:
            print("y" * 100_000)
            print("broken", file=sys.stderr, flush=True)
            1 / 0
        return observation.legal_plays[-1]
"""
    asked: list[tuple[int, ...]] = []

    class Layer:
        def play(self, observation: Any) -> Any:
            return observation.legal_plays[-1]

    class Listener(Witness):
        def ask(self, request: wire.Message) -> Answer:
            asked.append(tuple(request["at"]))
            return super().ask(request)

    with launcher.start(write_bot(tmp_path / "bot", source)) as box, box.match(AMPLE, "prints") as session:
        match.play((Listener(session), LocalPlayer(Layer)), Ruleset(games=2), AMPLE, 7)
    printed = session.printed
    assert printed[0] == (0, 0, "imported\n")
    assert [each[:2] for each in printed[1:]] == asked
    assert [each.text for each in printed if each.decision == 0][1:] == ["game 1\n", "game 2\n"]
    assert printed[-1].text.endswith("y\nbroken\n")
    assert session.output == "".join(each.text for each in printed)
    # the bot itself is not told the number of the decision: it would tell whether the other had a choice
    assert {each.text.split()[1] for each in printed if each.decision > 0 and "y" not in each.text} == {"0"}


def test_where_the_child_can_not_be_seen_the_box_tells_its_clock(
    launcher: Launcher, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("sandbox.session.clock_of", lambda *_: None)
    control = TimeControl(load_s=1.0, decision_s=0.3, bank_s=2.0)
    with launcher.start(write_bot(tmp_path / "bot", (HOSTILE / "cpu_slices.py").read_text())) as box:
        with box.match(control, "thinks") as session:
            assert loaded(session).ask(question(1)).cpu_s == pytest.approx(0.1, abs=0.03)
        for module, reason in (("busy_loop", "0.3 s of CPU time"), ("sleep_forever", "asleep")):
            write_bot(tmp_path / "bot", (HOSTILE / f"{module}.py").read_text())
            with box.match(control, module) as session, pytest.raises(Forfeit, match=reason):
                loaded(session).ask(question(1))


def test_each_match_starts_from_nothing(launcher: Launcher, tmp_path: Path) -> None:
    source = """
import builtins, json, mmap, random, sys
seen = getattr(json, "seen", 0) + getattr(builtins, "seen", 0)
json.seen = builtins.seen = seen + 1
class Bot:
    def __init__(self):
        print(seen, random.random())
    def play(self, observation):
        return []
"""
    outputs = []
    with launcher.start(write_bot(tmp_path / "bot", source)) as box:
        for _ in range(3):
            with box.match(AMPLE, "a") as session:
                loaded(session)
            outputs.append(session.output.split())
    assert [seen for seen, _ in outputs] == ["0", "0", "0"]
    assert len({number for _, number in outputs}) == 3


def test_fifty_matches_leave_nothing_behind(box: BotBox) -> None:
    def play() -> None:
        with box.match(AMPLE, "a") as session:
            loaded(session).ask(question(1))

    play()
    descriptors, memory = open_descriptors(), resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    for _ in range(50):
        play()
    assert open_descriptors() == descriptors
    assert resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - memory < 5_000
    box.close()


def test_a_box_plays_one_match_at_a_time(box: BotBox) -> None:
    with box.match(AMPLE, "a"), pytest.raises(SandboxFault, match="one match at a time"):
        box.match(AMPLE, "b")
    with box.match(AMPLE, "c") as session:
        loaded(session)
    box.close()
    with pytest.raises(SandboxFault, match="closed"):
        box.match(AMPLE, "d")
    assert not box.alive


NOBODY_PYTHON = "/usr/bin/python3"


@pytest.mark.skipif(os.getuid() != 0, reason="only root can become nobody")
def test_a_worker_needs_not_be_root() -> None:
    """With Debian's Python, since this one may be in a folder that nobody else can enter."""
    probe = [NOBODY_PYTHON, "-c", f"import sys; sys.exit(sys.version_info[:2] != {sys.version_info[:2]})"]
    if not Path(NOBODY_PYTHON).exists() or subprocess.run(probe, check=False).returncode:
        pytest.skip(f"no {NOBODY_PYTHON} of this version")
    root = Path(__file__).parents[2]
    script = f"""
import sys, tempfile
sys.path += {[str(root), str(Path(msgspec.__file__).parents[1])]}
from pathlib import Path
from arena.players import Answer, LocalPlayer
from arena.ruleset import Ruleset, TimeControl
from arena.witness import Witness
from sandbox.bundle import prepare
from sandbox.process import ProcessLauncher
launcher = ProcessLauncher()
with tempfile.TemporaryDirectory() as folder:
  bundle = prepare({HONEST.encode()!r}, "bot.py", Path(folder))
  with launcher.start(bundle) as box, box.match(TimeControl(), "a") as session:
    session.load({load_message(AMPLE)})
    print(session.ask({question(1)}).value)
"""
    worker = subprocess.run(
        [NOBODY_PYTHON, "-B", "-c", script],
        user=65534,
        group=65534,
        extra_groups=[],
        cwd="/",
        capture_output=True,
        text=True,
        check=False,
    )
    assert (worker.stdout, worker.stderr) == ("[]\n", "")


class TakingBack:
    """A poll that takes what it has just told of, once."""

    def __init__(self, poll: select.poll) -> None:
        self._poll = poll
        self._taken = False

    def poll(self, timeout_ms: float) -> list[tuple[int, int]]:
        ready = self._poll.poll(timeout_ms)
        if not self._taken:
            self._taken = True
            assert os.read(ready[0][0], 1) == b"x"
        return ready


def test_what_a_bot_takes_back_voids_no_match(box: BotBox) -> None:
    """It can't open the other end of its pipe; could it do so all the same, it would only lose its own time."""
    session = box.match(AMPLE, "a")
    bots_end = os.dup(session._answers.writer)
    with session:
        loaded(session)
        os.write(bots_end, b"x")
        session._poll = TakingBack(session._poll)
        assert session.ask(question(1)).value is not None
    os.close(bots_end)
    box.close()
