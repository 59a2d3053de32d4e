"""Matches of hostile bots, and what must hold after each of them."""

from __future__ import annotations

import os
import resource
import time
from dataclasses import dataclass, field
from pathlib import Path

import docker

from arena import match, wire
from arena.outcome import Outcome, Termination
from arena.players import Answer
from arena.replay import Record
from arena.ruleset import Ruleset, TimeControl
from sandbox.box import BotBox
from sandbox.bundle import Bundle
from sandbox.launchers import Launcher
from sandbox.owner import owner
from sandbox.session import Session

HOSTILE = Path(__file__).parent / "hostile"
SHORT = TimeControl(load_s=0.5, decision_s=0.3, bank_s=2.0)
AMPLE = TimeControl(load_s=10.0, decision_s=5.0, bank_s=30.0)
OUTPUT_CHARS = 66_000
"""Both kept halves of a bot's output, and the line between them."""
ONE_GAME = Ruleset(games=1)
GROWTH_MIB = 5.0
"""What a worker may hold after a match that it did not before."""
HONEST = """
class Bot:
    def play(self, observation):
        return observation.hand[:1] if not observation.lobby else []
"""


def leftovers(name: str) -> list[str]:
    """Containers, or else child processes, that this process still owns."""
    if name == "process":
        children = Path(f"/proc/self/task/{os.getpid()}/children").read_text().split()
        return [pid for pid in children if b"sandbox.runner" in Path(f"/proc/{pid}/cmdline").read_bytes()]
    client = docker.from_env()
    try:
        return [each["Id"] for each in client.api.containers(all=True, filters={"label": f"arena.owner={owner()}"})]
    finally:
        client.close()


def write_bot(folder: Path, source: str, **modules: str) -> Bundle:
    folder.mkdir(exist_ok=True, parents=True)
    folder.chmod(0o755)
    for name, text in {"bot.py": source, **modules}.items():
        (folder / name).write_text(text)
        (folder / name).chmod(0o644)
    return Bundle(folder)


def hostile_files(module: str) -> dict[str, str]:
    """The texts of an attack's files by their names: a module with what all share, or a folder of modules."""
    folder = HOSTILE / module
    if folder.is_dir():
        return {path.name: path.read_text() for path in folder.glob("*.py")}
    return {
        "bot.py": folder.with_suffix(".py").read_text(),
        "attempts.py": (HOSTILE / "attempts.py").read_text(),
    }


@dataclass
class Fight:
    """A hostile bot's match against an honest one, and everything worth asking about it."""

    record: Record
    output: str
    seconds: float
    cpu_s: float
    peak_mib: float

    @property
    def outcome(self) -> Outcome:
        return self.record.outcome


class Timed:
    """A session that keeps what its decisions took."""

    def __init__(self, session: Session, taken: list[float]) -> None:
        self.defines: frozenset[str] = frozenset()
        self._session = session
        self._taken = taken

    def load(self, start: wire.Message) -> None:
        self._session.load(start)
        self.defines = self._session.defines

    def ask(self, request: wire.Message) -> Answer:
        answer = self._session.ask(request)
        self._taken.append(answer.cpu_s)
        return answer


@dataclass
class Arena:
    """Two warm boxes: the hostile bot is seat A."""

    launcher: Launcher
    hostile: BotBox
    honest: BotBox
    folder: Path
    seed: int = 1
    taken: list[float] = field(default_factory=list)
    """CPU seconds of the honest bot's decisions, in all matches so far."""

    def fight(self, time_control: TimeControl = SHORT) -> Fight:
        descriptors, resident = open_descriptors(), resident_mib()
        with self.hostile.match(time_control, "hostile") as bad, self.honest.match(AMPLE, "honest") as good:
            started = time.monotonic()
            record = match.play((bad, Timed(good, self.taken)), ONE_GAME, time_control, self.seed)
            seconds = time.monotonic() - started
        assert open_descriptors() == descriptors
        assert resident_mib() - resident < GROWTH_MIB
        return Fight(record, bad.output, seconds, bad.cpu_s, bad.memory_peak_kib / 1024)


def open_descriptors() -> int:
    return len(list(Path("/proc/self/fd").iterdir()))


def resident_mib() -> float:
    """Memory of this process, which stands for the worker."""
    pages = int(Path("/proc/self/statm").read_text().split()[1])
    return pages * resource.getpagesize() / 2**20


def nobody_left(box: BotBox, launcher: Launcher) -> None:
    """Between matches the zygote is alone."""
    assert box.alive
    if launcher.name == "process":
        assert Path(f"/proc/{box.pid}/task/{box.pid}/children").read_text() == ""
        return
    client = docker.from_env()
    try:
        for container in leftovers("docker"):
            assert len(client.api.top(container)["Processes"]) == 1
    finally:
        client.close()


def good_bot_plays_in_the_same_box(arena: Arena) -> None:
    """The bot is imported in each match anew, so that the box can be given another one."""
    write_bot(arena.folder, HONEST)
    started = time.monotonic()
    with arena.hostile.match(AMPLE, "after") as after:
        after.load(load_message(AMPLE))
        first_s = time.monotonic() - started
        with arena.honest.match(AMPLE, "honest") as good:
            record = match.play((Loaded(after), Timed(good, arena.taken)), ONE_GAME, AMPLE, arena.seed)
    assert record.outcome.termination is Termination.COMPLETED
    assert first_s < 0.1 * load_factor()


class Loaded:
    """A session that has been loaded before the match."""

    def __init__(self, session: Session) -> None:
        self.defines = session.defines
        self.ask = session.ask

    def load(self, start: wire.Message) -> None:
        pass


def load_message(time_control: TimeControl) -> wire.Message:
    return {
        "id": 0,
        "op": "load",
        "seat": 0,
        "ruleset": ONE_GAME.as_dict(),
        "time_control": time_control.as_dict(),
    }


def loaded(session: Session) -> Session:
    session.load(load_message(AMPLE))
    return session


def question(number: int) -> wire.Message:
    return {"id": number, "op": "play", "events": [[40, 1, 0]] if number == 1 else []}


def load_factor() -> float:
    """How much longer things may take on a machine that does other work as well."""
    return max(1.0, 3 * os.getloadavg()[0] / (os.cpu_count() or 1))


def in_time(seconds: float, limit_s: float) -> bool:
    """Wall time: at most the limit and half a second, on an idle machine."""
    return seconds <= limit_s + 0.5 * load_factor()
