"""How quick ratings are, and how often their intervals hold the truth: `make bench-ratings`.

Leagues are played by lot, each with strengths of its own that are spread normally. Counted is how often the 95 %
intervals of ratings, and of differences between two, hold the strengths that were given. The time is the median of
rounds, in CPU time of one core, from a list of results to the sorted rows. Exit code 1 where a goal is not met.
"""

from __future__ import annotations

import argparse
import json
import os
import sys
import time
from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor
from datetime import UTC, datetime
from pathlib import Path
from random import Random
from statistics import median
from typing import NamedTuple

from arena.pairing import round_robin
from arena.rating import NORMAL, chances, rate
from arena.standings import Result

ROOT = Path(__file__).parents[1]
BOTS = 1_000
GOAL_S = 1.0
LOW, HIGH = 0.93, 0.97
NO_LIMIT = 1.0
"""With very few matches there are few possible results, and intervals hold more often than they say."""


class League(NamedTuple):
    bots: int
    matches: int
    """Of each pair."""
    spread: float
    """Standard deviation of the strengths, in points."""
    draw: float
    """The draw parameter."""
    high: float = HIGH
    """The most of the intervals that may hold the truth."""

    def __str__(self) -> str:
        drawn = self.draw / (2 + self.draw)
        return f"{self.bots:4} bots, {self.matches:3} a pair, spread {self.spread:4.0f}, equals draw {drawn:4.0%}"


LEAGUES = [
    League(2, 20, 100, 0.2),
    League(2, 100, 300, 0.0),
    League(4, 1, 100, 0.2, NO_LIMIT),
    League(4, 12, 200, 0.5),
    League(6, 10, 400, 0.1),
    League(10, 1, 50, 0.5, NO_LIMIT),
    League(10, 1, 400, 0.1),
    League(10, 4, 50, 0.0),
    League(10, 10, 200, 2.0),
    League(20, 1, 200, 0.0),
    League(20, 4, 600, 0.2),
    League(20, 1, 0, 0.1),
    League(50, 1, 100, 1.0),
    League(50, 1, 500, 0.2),
    League(100, 1, 200, 0.05),
    League(100, 1, 800, 0.05),
]


class Covered(NamedTuple):
    """Shares of 95 % intervals that held the truth."""

    ratings: float
    differences: float

    def reach(self, league: League) -> bool:
        return all(LOW <= share <= league.high for share in self)


def main() -> int:
    options = _options()
    speeds = [_timed(seed) for seed in range(options.rounds)]
    with ProcessPoolExecutor(options.jobs) as pool:
        covered = list(pool.map(_cover, LEAGUES, [options.intervals] * len(LEAGUES)))
    short = _report(speeds, dict(zip(LEAGUES, covered, strict=True)))
    print(f"load average {os.getloadavg()[0]:.1f} on {os.cpu_count()} cores")
    print(f"short of {short} goals" if short else "every goal is met")
    _write(options, speeds, covered)
    return int(bool(short))


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="benchmarks.ratings", description="speed and coverage of ratings")
    parser.add_argument("--rounds", type=int, default=7, help="of the timed fit; default: 7")
    parser.add_argument("--intervals", type=int, default=10_000, help="of each kind of league; default: 10,000")
    parser.add_argument("--jobs", type=int, default=os.cpu_count(), help="leagues at a time; default: one a core")
    parser.add_argument("--output", type=Path, default=ROOT / "build" / "bench-ratings.json", metavar="FILE")
    return parser.parse_args()


def _played(strengths: list[float], draw: float, matches: int, rng: Random) -> Iterator[Result]:
    for a, b in round_robin(range(len(strengths))):
        for outcome in rng.choices(["A", "draw", "B"], chances(strengths[a] - strengths[b], draw), k=matches):
            yield Result(a, b, outcome, 0, 0, "")


def _timed(seed: int) -> float:
    """CPU seconds for a thousand bots that all met once."""
    rng = Random(seed)
    results = list(_played([rng.gauss(0, 200) for _ in range(BOTS)], 0.1, 1, rng))
    began = time.process_time()
    rate(results, range(BOTS)).rows()
    return time.process_time() - began


def _cover(league: League, intervals: int) -> Covered:
    rng = Random(repr(league))
    rated = together = pairs = 0
    leagues = -(-intervals // league.bots)
    for _ in range(leagues):
        strengths = [rng.gauss(0, league.spread) for _ in range(league.bots)]
        mean = sum(strengths) / league.bots
        found = rate(_played(strengths, league.draw, league.matches, rng), range(league.bots))
        for row in found.rows():
            low, high = row.interval
            rated += low <= strengths[row.entrant] - mean <= high
        for a, b in round_robin(range(min(league.bots, 5))):
            difference = found.difference(a, b)
            together += abs(difference.elo - strengths[a] + strengths[b]) <= NORMAL * difference.error
            pairs += 1
    return Covered(rated / (leagues * league.bots), together / pairs)


def _report(speeds: list[float], covered: dict[League, Covered]) -> int:
    """Prints the figures beside their goals; how many are not met."""
    took, matches = median(speeds), BOTS * (BOTS - 1) // 2
    short = int(took >= GOAL_S)
    print(f"{BOTS:,} bots, {matches:,} matches: {took:.2f} s of one core   goal: < {GOAL_S:g}{' - short' * short}")
    print(f"{'95 % intervals that hold the truth':50} ratings  differences   goal")
    for league, shares in covered.items():
        missed = not shares.reach(league)
        short += missed
        goal = f"{LOW:.0%} to {league.high:.0%}{' - short' * missed}"
        print(f"{league!s:50} {shares.ratings:7.1%}  {shares.differences:11.1%}   {goal}")
    return short


def _write(options: argparse.Namespace, speeds: list[float], covered: list[Covered]) -> None:
    figures = {
        "at": datetime.now(UTC).isoformat(timespec="seconds"),
        "python": sys.version.split()[0],
        "cores": os.cpu_count(),
        "load": os.getloadavg(),
        "seconds": {"goal": GOAL_S, "by_round": speeds},
        "intervals": options.intervals,
        "leagues": [
            {**league._asdict(), "low": LOW, "covered": shares._asdict()}
            for league, shares in zip(LEAGUES, covered, strict=True)
        ],
    }
    options.output.parent.mkdir(parents=True, exist_ok=True)
    options.output.write_text(json.dumps(figures, indent=1) + "\n")


if __name__ == "__main__":
    sys.exit(main())
