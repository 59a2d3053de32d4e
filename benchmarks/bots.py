"""How strong the house bots are, and how quickly the endgame is solved: `make bench-bots`.

Neighbours on the ladder of house bots play matches of 12 games, each bot in a confined box as a worker plays them, and
each pair of matches on the same seed with seats exchanged. The endgames of these matches are solved afterwards, and as
many of two random hands. Times are CPU time, goals are for a machine that has nothing else to do. Exit code 1 where one
is not reached.
"""

from __future__ import annotations

import argparse
import json
import os
import sys
import tempfile
import time
from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor
from contextlib import ExitStack, closing
from datetime import UTC, datetime
from itertools import pairwise
from pathlib import Path
from random import Random
from statistics import NormalDist, median
from typing import Any, NamedTuple

from arena import CARDS, Ruleset, State, TimeControl, bots, match
from arena.endgame import solve
from arena.replay import Record, positions
from arena.state import HAND_SIZE, LEAD
from arena.usage import LOAD
from arena.witness import Witness
from sandbox import NoSandbox, bundle, open_launcher
from sandbox.box import BotBox
from sandbox.cores import one_core

ROOT = Path(__file__).parents[1]
LADDER = tuple(pairwise(bots.HOUSE))
RULES = Ruleset()
TIMES = TimeControl()
SEEDS_A_TASK = 5
SHARES = {"montecarlo": 0.6}
"""The least share of matches, a draw counting half, that this bot wins of those with its neighbour."""
BETTER = 0.5
"""For the others the whole interval lies above this."""
BANK_S = TIMES.bank_s / 2
SOLVED_MS = {"median": 10.0, "worst": 100.0}
NORMAL = NormalDist().inv_cdf(0.975)


class Task(NamedTuple):
    """Some pairs of matches between neighbours."""

    weaker: str
    stronger: str
    seeds: range
    launcher: str


class Played(NamedTuple):
    """One match: points, seats that forfeited, CPU time from the bank; the stronger one's first."""

    points: tuple[int, int]
    forfeits: int
    bank_s: tuple[float, float]
    solved_ms: list[float]
    """The endgame of each game, from the moment that the last pile was empty."""


class Rung(NamedTuple):
    """All matches of two neighbours."""

    stronger: str
    weaker: str
    won: int
    drawn: int
    lost: int
    share: float
    low: float
    """Ends of the 95 % interval of the share."""
    high: float
    bank_s: float
    """The most that a match took of the stronger one's bank."""

    @property
    def goal(self) -> str:
        share = SHARES.get(self.stronger)
        return f"share >= {share:.0%}" if share else f"interval above {BETTER:.0%}"

    @property
    def reached(self) -> bool:
        share = SHARES.get(self.stronger)
        return self.share >= share if share else self.low > BETTER


def main() -> int:
    options = _options()
    try:
        with closing(open_launcher(options.launcher)) as launcher:
            confinement = launcher.describe()
    except NoSandbox as missing:
        print(missing)
        return 1
    began = time.monotonic()
    with ProcessPoolExecutor(options.jobs) as pool:
        random = pool.submit(_solve_random, options.matches * RULES.games // 2)
        tasks = list(_tasks(options))
        played: dict[tuple[str, str], list[Played]] = {pair: [] for pair in LADDER}
        for task, found in zip(tasks, pool.map(_play, tasks), strict=True):
            played[task.weaker, task.stronger] += found
    rungs = [_rung(stronger, weaker, played[weaker, stronger]) for weaker, stronger in reversed(LADDER)]
    every = [each for found in played.values() for each in found]
    figures = {
        "at": datetime.now(UTC).isoformat(timespec="seconds"),
        "took_s": round(time.monotonic() - began, 1),
        "cores": os.cpu_count(),
        "jobs": options.jobs,
        "confinement": confinement,
        "rungs": [rung._asdict() for rung in rungs],
        "forfeits": sum([each.forfeits for each in every]),
        "endgames of matches, ms": _summed([ms for each in every for ms in each.solved_ms]),
        "endgames at random, ms": _summed(random.result()),
    }
    options.output.parent.mkdir(parents=True, exist_ok=True)
    options.output.write_text(json.dumps(figures, indent=1) + "\n")
    return _report(figures, rungs)


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="benchmarks.bots", description="strength of the house bots")
    parser.add_argument("--launcher", choices=("docker", "process"), default="process", help="default: process")
    parser.add_argument("--matches", type=int, default=200, help="of each two neighbours; default: 200")
    parser.add_argument("--jobs", type=int, default=os.cpu_count(), help="matches at a time; default: one a core")
    parser.add_argument("--output", type=Path, default=ROOT / "build" / "bench-bots.json", metavar="FILE")
    return parser.parse_args()


def _tasks(options: argparse.Namespace) -> Iterator[Task]:
    """The slowest bots' first, so that all cores have something to do until the end."""
    pairs = options.matches // 2
    for weaker, stronger in reversed(LADDER):
        for first in range(0, pairs, SEEDS_A_TASK):
            yield Task(weaker, stronger, range(first, min(first + SEEDS_A_TASK, pairs)), options.launcher)


def _play(task: Task) -> list[Played]:
    with ExitStack() as stack:
        folder = Path(stack.enter_context(tempfile.TemporaryDirectory(prefix="arena-bench-")))
        launcher = stack.enter_context(closing(open_launcher(task.launcher)))
        stronger, weaker = (
            stack.enter_context(launcher.start(bundle.prepare(bots.source(name), f"{name}.py", folder / name)))
            for name in (task.stronger, task.weaker)
        )
        return [_match(stronger, weaker, seed, seat) for seed in task.seeds for seat in range(2)]


def _match(stronger: BotBox, weaker: BotBox, seed: int, seat: int) -> Played:
    """The stronger one's match from that seat."""
    name = f"seed {seed}"
    with stronger.match(TIMES, name) as mine, weaker.match(TIMES, name) as other, one_core():
        witnesses = Witness(mine), Witness(other)
        record = match.play(witnesses if seat == 0 else witnesses[::-1], RULES, TIMES, seed)
    a, b = record.points
    used = [sum([call.cpu_s or 0.0 for call in each.calls if call.name != LOAD]) for each in witnesses]
    points = (a, b) if seat == 0 else (b, a)
    return Played(points, len(record.outcome.forfeits), (used[0], used[1]), _solve_played(record))


def _solve_played(record: Record) -> list[float]:
    endgames = []
    for number in range(1, len(record.games) + 1):
        states = (position.state for position in positions(record, number))
        endgames += [state.clone() for state in states if not state.left][:1]
    return [_solving_ms(state) for state in endgames]


def _solve_random(count: int) -> list[float]:
    rng = Random(1)
    found = []
    for _ in range(count):
        some = rng.sample(CARDS, 2 * HAND_SIZE)
        hands = some[:HAND_SIZE], some[HAND_SIZE:]
        found.append(_solving_ms(State.position(RULES, [[], [], [], []], hands, LEAD, 0)))
    return found


def _solving_ms(state: State) -> float:
    began = time.thread_time()
    solve(state)
    return 1000 * (time.thread_time() - began)


def _rung(stronger: str, weaker: str, played: list[Played]) -> Rung:
    points = [each.points for each in played]
    won, drawn = sum([mine > other for mine, other in points]), sum([mine == other for mine, other in points])
    share = (won + drawn / 2) / len(points)
    low, high = wilson(share, len(points))
    most = max([each.bank_s[0] for each in played])
    return Rung(stronger, weaker, won, drawn, len(points) - won - drawn, share, low, high, most)


def wilson(share: float, count: int) -> tuple[float, float]:
    """The ends of Wilson's 95 % interval of a share of so many trials."""
    square = NORMAL**2 / count
    middle = share + square / 2
    width = (square * share * (1 - share) + square**2 / 4) ** 0.5
    return (middle - width) / (1 + square), (middle + width) / (1 + square)


def _summed(times: list[float]) -> dict[str, float]:
    times.sort()
    late = times[min(len(times) - 1, int(0.99 * len(times)))]
    return {"count": len(times), "median": median(times), "p99": late, "worst": times[-1]}


def _report(figures: dict[str, Any], rungs: list[Rung]) -> int:
    """Prints the figures beside their goals; the exit code."""
    short = 0
    print(f"{'':26} won-drawn-lost   share   95 % interval      bank   goal")
    for rung in rungs:
        short += not rung.reached
        score = f"{rung.won}-{rung.drawn}-{rung.lost}"
        interval = f"{rung.low:.1%} to {rung.high:.1%}"
        beside = f"{rung.goal}{' - short' * (not rung.reached)}"
        name = f"{rung.stronger} - {rung.weaker}"
        print(f"{name:26} {score:>14}  {rung.share:6.1%}  {interval:>14}  {rung.bank_s:6.2f} s   {beside}")
    most = max([rung.bank_s for rung in rungs])
    goals = [("bank used at most, s", most, BANK_S), ("forfeits", figures["forfeits"], 0)]
    for what in ("endgames of matches, ms", "endgames at random, ms"):
        goals += [(f"{what}: {which}", figures[what][which], goal) for which, goal in SOLVED_MS.items()]
        print(f"{figures[what]['count']} {what}: p99 {figures[what]['p99']:.2f}")
    for what, figure, goal in goals:
        short += figure > goal
        print(f"{what:33} {figure:8.2f}   goal: {goal:g}{' - short' * (figure > goal)}")
    print(f"{figures['took_s']:.0f} s in {figures['jobs']} jobs on {figures['cores']} cores; {figures['confinement']}")
    print(f"short of {short} goals" if short else "every goal is met")
    return int(bool(short))


if __name__ == "__main__":
    sys.exit(main())
