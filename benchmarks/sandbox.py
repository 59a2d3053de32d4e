"""What the sandbox costs, in both launchers: `make bench-sandbox`.

Starting a box, a new match in it, a decision, the end of a match, and the same for a bot with a small network in numpy;
then whole matches of 12 games as a worker plays them, in turn with the same match of the same bots in this process,
without a sandbox. The goals are for a machine that has nothing else to do, so what is measured while it has does not
count (`benchmarks.quiet`). Exit code 1 where a goal is not reached.
"""

from __future__ import annotations

import argparse
import json
import os
import sys
import tempfile
import time
from collections.abc import Callable
from datetime import UTC, datetime
from itertools import chain, count
from pathlib import Path
from statistics import median
from typing import Any, NamedTuple

from arena import match, wire
from arena.players import Answer, LocalPlayer
from arena.ruleset import Ruleset, TimeControl
from benchmarks.quiet import Quiet
from sandbox import NoSandbox, open_launcher
from sandbox.box import BotBox
from sandbox.bundle import Bundle
from sandbox.cores import one_core
from sandbox.launchers import Launcher
from sandbox.session import Session

ROOT = Path(__file__).parents[1]
LAUNCHERS = ("docker", "process")
AMPLE = TimeControl(load_s=10.0, decision_s=5.0, bank_s=600.0)
RULES = Ruleset()
TRIVIAL = """
class Bot:
    def play(self, observation):
        return next(iter(observation.legal_plays), ())
"""
THINKS_MS = 1.0
THINKING = f"""
import time

class Bot:
    def play(self, observation):
        end = time.thread_time_ns() + {int(THINKS_MS * 1e6)}
        while time.thread_time_ns() < end:
            pass
        return next(iter(observation.legal_plays), ())
"""
NETWORK = """
import numpy as np

RNG = np.random.default_rng(1)
LAYERS = [RNG.standard_normal(shape).astype(np.float32) for shape in ((64, 128), (128, 128), (128, 1))]
PLAYS = RNG.standard_normal((16, 64)).astype(np.float32)

class Bot:
    def play(self, observation):
        values = PLAYS
        for layer in LAYERS:
            values = np.tanh(values @ layer)
        self.best = int(values.argmax())
        return ()
"""
BOTS = {"trivial": TRIVIAL, "thinking": THINKING, "network": NETWORK}
WITH_NUMPY = "numpy: "
OVERHEAD = "overhead with 1 ms a decision, %"
MATCHES = "matches a second"


class Goal(NamedTuple):
    figure: float
    at_least: bool = False

    def reached(self, median_: float) -> bool:
        return median_ >= self.figure if self.at_least else median_ <= self.figure


GOALS = {
    "docker": {
        "start of a box, ms": Goal(270.0),
        "new match, ms": Goal(5.0),
        "decision, us": Goal(55.0),
        "end of a match, ms": Goal(1.9),
        MATCHES: Goal(15.0, at_least=True),
        OVERHEAD: Goal(15.0),
        WITH_NUMPY + "start of a box, ms": Goal(410.0),
        WITH_NUMPY + "new match, ms": Goal(8.4),
        WITH_NUMPY + "decision, us": Goal(120.0),
    },
    "process": {
        "new match, ms": Goal(6.0),
        "decision, us": Goal(83.0),
        WITH_NUMPY + "new match, ms": Goal(8.0),
        WITH_NUMPY + "decision, us": Goal(140.0),
    },
}
"""Of the medians: a prototype's on a machine of this kind, and a fifth more; with numpy, of the first version here.

Its new match in a container takes 6.4 to 8.1 ms, as the machine is.
"""


def main() -> int:
    options = _options()
    launchers = (options.launcher,) if options.launcher else LAUNCHERS
    quiet = Quiet()
    try:
        figures = {name: _measure(name, quiet, options) for name in launchers}
    except NoSandbox as missing:
        print(f"{missing}; ARGS='--launcher process' measures without an engine")
        return 1
    short = [f"{name}: {what}" for name in launchers for what in _report(name, figures[name])]
    print(f"{quiet.counted} of {quiet.taken} samples count, the others were disturbed")
    print(f"load average {os.getloadavg()[0]:.1f} on {os.cpu_count()} cores")
    print(f"short of a goal: {', '.join(short)}" if short else "every goal is met")
    at = datetime.now(UTC).isoformat(timespec="seconds")
    options.output.parent.mkdir(parents=True, exist_ok=True)
    samples = {"taken": quiet.taken, "counted": quiet.counted}
    found = {"at": at, "cores": os.cpu_count(), "samples": samples, "launchers": figures}
    options.output.write_text(json.dumps(found, indent=1) + "\n")
    return int(bool(short))


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="benchmarks.sandbox", description="what the sandbox costs")
    parser.add_argument("--launcher", choices=LAUNCHERS, help="only this one; default: both")
    parser.add_argument("--boxes", type=int, default=10, help="boxes to start; default: 10")
    parser.add_argument("--starts", type=int, default=100, help="matches to start; default: 100")
    parser.add_argument("--decisions", type=int, default=5_000, help="default: 5000")
    parser.add_argument("--rounds", type=int, default=15, help="whole matches of each kind; default: 15")
    parser.add_argument("--output", type=Path, default=ROOT / "build" / "bench-sandbox.json", metavar="FILE")
    return parser.parse_args()


def _measure(name: str, quiet: Quiet, options: argparse.Namespace) -> dict[str, list[float]]:
    """Every figure that was taken, sorted, by what it is of."""
    with tempfile.TemporaryDirectory() as folder:
        launcher = open_launcher(name)
        try:
            trivial, thinking, network = (_write(Path(folder) / kind, source) for kind, source in BOTS.items())
            found = _first_figures(launcher, trivial, quiet, options)
            with_numpy = _first_figures(launcher, network, quiet, options)
            found |= {WITH_NUMPY + what: times for what, times in with_numpy.items()}
            found |= _matches(launcher, trivial, "trivial", quiet, options.rounds)
            found |= _matches(launcher, thinking, "thinking", quiet, options.rounds // 3)
        finally:
            launcher.close()
    return {what: sorted(times) for what, times in found.items()}


def _write(folder: Path, source: str) -> Bundle:
    folder.mkdir()
    for path in (folder.parent, folder):
        path.chmod(0o755)
    (folder / "bot.py").write_text(source)
    return Bundle(folder)


def _first_figures(
    launcher: Launcher, bundle: Bundle, quiet: Quiet, options: argparse.Namespace
) -> dict[str, list[float]]:
    started = {"start of a box, ms": quiet.samples(options.boxes, lambda: _start_ms(launcher, bundle))}
    return started | _moments(launcher, bundle, quiet, options.starts, options.decisions)


def _start_ms(launcher: Launcher, bundle: Bundle) -> float:
    with _Timer() as timer:
        box = launcher.start(bundle)
    box.close()
    return 1e3 * timer.s


def _moments(launcher: Launcher, bundle: Bundle, quiet: Quiet, starts: int, decisions: int) -> dict[str, list[float]]:
    """From the request of a match to the first reply, a decision, and from the last reply until the box is free."""
    with launcher.start(bundle) as box, one_core():
        _moments_of_match(box, 1)  # imports what the others find
        found = quiet.samples(starts, lambda: _moments_of_match(box, decisions // starts))
    news, asks, ends = zip(*found, strict=True)
    return {"new match, ms": [*news], "decision, us": [*chain(*asks)], "end of a match, ms": [*ends]}


def _moments_of_match(box: BotBox, decisions: int) -> tuple[float, list[float], float]:
    asks = []
    with _Timer() as new:
        session = box.match(AMPLE, "benchmark").__enter__()
        session.load(_load())
        session.ask(_question(1))
    for each in range(decisions):
        with _Timer() as ask:
            session.ask(_question(each + 2))
        asks.append(1e6 * ask.s)
    with _Timer() as end:
        session.__exit__(None, None, None)
    return 1e3 * new.s, asks, 1e3 * end.s


def _matches(launcher: Launcher, bundle: Bundle, kind: str, quiet: Quiet, rounds: int) -> dict[str, list[float]]:
    """Whole matches in warm boxes, in turn with the same ones in this process."""
    factory = _local(BOTS[kind])
    seeds = count()

    def round_() -> tuple[float, float, dict[str, float]]:
        seed = next(seeds)
        with _Timer() as boxed:
            share = _in_boxes(a, b, seed)
        with _Timer() as plain:
            match.play((LocalPlayer(factory), LocalPlayer(factory)), RULES, AMPLE, seed)
        return boxed.s, plain.s, share

    with launcher.start(bundle) as a, launcher.start(bundle) as b:
        _in_boxes(a, b, 0)
        inside, outside, shares = zip(*quiet.samples(rounds, round_), strict=True)
    if kind == "trivial":
        return {
            MATCHES: [1 / each for each in inside],
            "matches a second in this process": [1 / each for each in outside],
            "times a match in this process": [one / other for one, other in zip(inside, outside, strict=True)],
            **{f"of a match: {what}, ms": [share[what] for share in shares] for what in shares[0]},
        }
    return {OVERHEAD: [100 * (one / other - 1) for one, other in zip(inside, outside, strict=True)]}


def _in_boxes(a: BotBox, b: BotBox, seed: int) -> dict[str, float]:
    """Plays that match; the milliseconds of its parts, and of CPU that worker and bots used."""
    began, worker_began = time.perf_counter(), time.process_time()
    with a.match(AMPLE, "benchmark") as first, b.match(AMPLE, "benchmark") as second, one_core():
        asked = time.perf_counter()
        seats = _Loading(first), _Loading(second)
        match.play(seats, RULES, AMPLE, seed)
        played = time.perf_counter()
    ended, worker_ended = time.perf_counter(), time.process_time()
    loading = sum(seat.load_s for seat in seats)
    parts = {
        "start and load of both": asked - began + loading,
        "play": played - asked - loading,
        "end of both": ended - played,
        "CPU of the worker": worker_ended - worker_began,
        "CPU of the bots": first.cpu_s + second.cpu_s,
    }
    return {what: 1e3 * seconds for what, seconds in parts.items()}


class _Loading:
    """That player, with the seconds that it took to load."""

    def __init__(self, session: Session) -> None:
        self.defines: frozenset[str] = frozenset()
        self.ask = session.ask
        self._session = session

    def load(self, start: wire.Message) -> Answer:
        with _Timer() as timer:
            answer = self._session.load(start)
        self.load_s = timer.s
        self.defines = self._session.defines
        return answer


def _local(source: str) -> Callable[[], Any]:
    names: dict[str, Any] = {}
    exec(source, names)  # noqa: S102 - our own
    factory: Callable[[], Any] = names["Bot"]
    return factory


def _load() -> wire.Message:
    return {"id": 0, "op": "load", "seat": 0, "ruleset": RULES.as_dict(), "time_control": AMPLE.as_dict()}


def _question(number: int) -> wire.Message:
    """To play in a game that is not dealt yet, where the bot passes."""
    return {"id": number, "op": wire.PLAY, "events": [[wire.GAME, 1, 0]] if number == 1 else []}


class _Timer:
    def __enter__(self) -> _Timer:
        self._began = time.perf_counter()
        return self

    def __exit__(self, *_: object) -> None:
        self.s = time.perf_counter() - self._began


def _report(name: str, figures: dict[str, list[float]]) -> list[str]:
    """Prints the figures beside their goals; those that fall short."""
    short = []
    print(f"{name + ' launcher':36}   median      p99   goal")
    for what, times in figures.items():
        middle, late = median(times), times[min(len(times) - 1, int(0.99 * len(times)))]
        goal = GOALS[name].get(what)
        missed = goal is not None and not goal.reached(middle)
        beside = f"{'>=' if goal.at_least else '<='} {goal.figure:g}{' - short' * missed}" if goal else ""
        print(f"{what:36} {middle:8.2f} {late:8.2f}   {beside}")
        if missed:
            short.append(what)
    return short


if __name__ == "__main__":
    sys.exit(main())
