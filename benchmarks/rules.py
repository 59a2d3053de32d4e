"""Whether the engine plays docs/rules.md, over many games of each combination of options: `make check-rules`.

First the engine and a naive implementation, which share no code, step through the same games; then bots with drawn
policies play matches of two games, in each of which the promises of the rules are checked, and each bot meets itself
with the seats exchanged. Every seed is fixed: two runs play the same games. Exit code 1 where a figure falls short.
"""

from __future__ import annotations

import argparse
import json
import os
import sys
import time
from collections import Counter
from collections.abc import Iterable
from concurrent.futures import ProcessPoolExecutor
from datetime import UTC, datetime
from itertools import product
from math import ceil
from pathlib import Path
from random import Random
from typing import NamedTuple

from arena.ruleset import CHOICES, Ruleset
from tests.arena.comparison import compare_game
from tests.arena.invariants import broken_by_exchange, broken_in
from tests.arena.policies import drawn, match_of

ROOT = Path(__file__).parents[1]
OPTIONS = [name for name in CHOICES if name != "games"]
COMBINATIONS = [
    Ruleset.from_dict({"games": 2, **dict(zip(OPTIONS, values, strict=True))})
    for values in product(*(CHOICES[name] for name in OPTIONS))
]
GOALS = {"compared": 2_000, "played": 10_000}
SHOWN = 20


class Checked(NamedTuple):
    """What one piece of work found."""

    ruleset: Ruleset
    games: int
    found: list[str]
    """Differences, or rules that were broken."""


class Figures(NamedTuple):
    """What a check found in all, and of each option by the games in which it was in force."""

    games: Counter[str]
    broken: Counter[str]
    found: list[str]


def main() -> int:
    options = _options()
    began = time.perf_counter()
    with ProcessPoolExecutor(options.processes) as pool:
        figures = {
            "compared": _sum(pool.map(_compare, *_work(options.compared), chunksize=4)),
            "played": _sum(pool.map(_play, *_work(options.played / 2), chunksize=4)),
        }
    short = [what for what, each in figures.items() if each.found or each.games["all"] < GOALS[what]]
    _report(figures)
    print(f"{time.perf_counter() - began:.0f} s, load average {os.getloadavg()[0]:.1f} on {os.cpu_count()} cores")
    print(f"short of a goal: {', '.join(short)}" if short else "every goal is met")
    plain = {what: each._asdict() | {"goal": GOALS[what]} for what, each in figures.items()}
    at = datetime.now(UTC).isoformat(timespec="seconds")
    options.output.parent.mkdir(parents=True, exist_ok=True)
    options.output.write_text(json.dumps({"at": at, "cores": os.cpu_count(), **plain}, indent=1) + "\n")
    return int(bool(short))


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="benchmarks.rules", description="whether the engine plays the rules")
    parser.add_argument("--compared", type=int, default=GOALS["compared"], help="games of both; default: %(default)s")
    parser.add_argument("--played", type=int, default=GOALS["played"], help="games of bots; default: %(default)s")
    parser.add_argument("--processes", type=int, default=os.cpu_count(), help="default: one a core")
    parser.add_argument("--output", type=Path, default=ROOT / "build" / "check-rules.json", metavar="FILE")
    return parser.parse_args()


def _work(least: float) -> tuple[list[Ruleset], list[int]]:
    """At least so many pairs of a ruleset and a seed, each ruleset equally often."""
    pairs = list(product(COMBINATIONS, range(ceil(least / len(COMBINATIONS)))))
    return [ruleset for ruleset, _ in pairs], [seed for _, seed in pairs]


def _compare(ruleset: Ruleset, seed: int) -> Checked:
    difference = compare_game(ruleset, seed).difference
    return Checked(ruleset, 1, [difference] if difference else [])


def _play(ruleset: Ruleset, seed: int) -> Checked:
    rng = Random(f"{ruleset} {seed}")
    policies = drawn(rng), drawn(rng)
    found = broken_in(match_of(ruleset, seed, policies)) + broken_by_exchange(ruleset, seed, policies[0])
    return Checked(ruleset, ruleset.games, [f"{ruleset}, seed {seed}, {policies}: {what}" for what in found])


def _sum(checked: Iterable[Checked]) -> Figures:
    games: Counter[str] = Counter()
    broken: Counter[str] = Counter()
    found = []
    for each in checked:
        for name in ("all", *[f"{option} {getattr(each.ruleset, option)}" for option in OPTIONS]):
            games[name] += each.games
            broken[name] += len(each.found)
        found += each.found
    return Figures(games, broken, found)


def _report(figures: dict[str, Figures]) -> None:
    titles = {"compared": "games compared, differences found", "played": "games played, invariants broken"}
    for what, each in figures.items():
        games, broken = each.games["all"], each.broken["all"]
        short = games < GOALS[what] or broken
        print(f"{titles[what]:36} {games:8} {broken:4}   goal: >= {GOALS[what]}, 0{' - short' * bool(short)}")
        for name in sorted(each.games - Counter(all=games)):
            print(f"  {name:34} {each.games[name]:8} {each.broken[name]:4}{' - short' * bool(each.broken[name])}")
        for line in each.found[:SHOWN]:
            print(f"  {line}")


if __name__ == "__main__":
    sys.exit(main())
