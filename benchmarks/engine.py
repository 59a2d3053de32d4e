"""How quick the engine is, beside other libraries with card games: `make bench-engine`.

Everybody plays whole games at random, shuffling included, each in a process of its own that stays; in each round all
take turns. A figure is the median of the rounds, a ratio the median of the rounds' ratios, so that what slows the
machine for a while slows all. The peers are the optional dependencies `bench`; where one is missing, its goal is not
reached. Exit code 1 where one is not.
"""

from __future__ import annotations

import argparse
import json
import multiprocessing
import os
import sys
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ProcessPoolExecutor
from datetime import UTC, datetime
from functools import partial
from itertools import count
from pathlib import Path
from random import Random
from statistics import median
from typing import Any, NamedTuple

from arena import chance, match, replay
from arena.observation import Observation
from arena.players import LocalPlayer
from arena.ruleset import Ruleset, TimeControl
from arena.state import State
from benchmarks import peers

ROOT = Path(__file__).parents[1]
RULES = Ruleset()
CORE = "Candidate"
RECORDED = "Candidate, recorded matches"
WARM_UP_S = 2.0
"""Before the first round: tables fill, code is specialized."""


class Speed(NamedTuple):
    games_s: float
    decisions_s: float


class Goal(NamedTuple):
    """That one is at least so many times as quick as the other."""

    quick: str
    times: float
    slow: str

    def __str__(self) -> str:
        return f"{self.quick} / {self.slow}"


def candidate() -> Iterator[int]:
    """Games by the state's own methods; as in the peers, a forced step is a decision."""
    draw = Random(1).random
    for seed in count():
        state, decisions = State(RULES, chance.piles(seed, 1, RULES.decks), 0), 0
        while actions := state.legal_actions():
            state.apply(actions[int(draw() * len(actions))])
            decisions += 1
        yield decisions


class RandomPlays:
    """Lays by lot; piles are left to the engine."""

    def __init__(self) -> None:
        self.rng = Random(1)

    def play(self, observation: Observation) -> Any:
        return self.rng.choice(observation.legal_plays)


def recorded() -> Iterator[int]:
    """Games of whole matches between two bots of this process, with observations and the stored replay.

    A decision here is one that is put down: a choice of several.
    """
    for seed in count():
        record = match.play((LocalPlayer(RandomPlays), LocalPlayer(RandomPlays)), RULES, TimeControl(), seed)
        replay.encode(record)
        for game in record.games:
            yield len(game.actions)


CONTESTANTS: dict[str, Callable[[], Iterator[int]]] = {
    CORE: candidate,
    RECORDED: recorded,
    "OpenSpiel gin_rummy": partial(peers.open_spiel, "gin_rummy"),
    "OpenSpiel crazy_eights": partial(peers.open_spiel, "crazy_eights"),
    "OpenSpiel crazy_eights, even chance": partial(peers.open_spiel_even_chance, "crazy_eights"),
    "RLCard gin-rummy": partial(peers.rlcard, "gin-rummy"),
    "RLCard uno": partial(peers.rlcard, "uno"),
}
GOALS = [
    Goal(CORE, 20.0, "OpenSpiel gin_rummy"),
    Goal(CORE, 1.5, "OpenSpiel crazy_eights"),
    Goal(CORE, 60.0, "RLCard gin-rummy"),
    Goal(RECORDED, 0.2, CORE),
]


def main() -> int:
    options = _options()
    missing: dict[str, str] = {}
    spawn = multiprocessing.get_context("spawn")
    pools = {name: ProcessPoolExecutor(1, mp_context=spawn) for name in CONTESTANTS}
    try:
        for name, pool in pools.items():
            try:
                pool.submit(speed, name, WARM_UP_S).result()
            except ImportError as error:
                missing[name] = f"not installed: {error}"
        there = [name for name in CONTESTANTS if name not in missing]
        rounds = [
            {name: pools[name].submit(speed, name, options.seconds).result() for name in there}
            for _ in range(options.rounds)
        ]
    finally:
        for pool in pools.values():
            pool.shutdown()
    ratios = {goal: _ratios(goal, rounds) for goal in GOALS}
    short = [str(goal) for goal in GOALS if not ratios[goal] or median(ratios[goal]) < goal.times]
    _report(rounds, missing, ratios)
    print(f"load average {os.getloadavg()[0]:.1f} on {os.cpu_count()} cores")
    print(f"short of a goal: {', '.join(short)}" if short else "every goal is met")
    _write(options.output, rounds, missing, ratios)
    return int(bool(short))


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="benchmarks.engine", description="the engine's speed beside its peers'")
    parser.add_argument("--rounds", type=int, default=7, help="default: 7")
    parser.add_argument("--seconds", type=float, default=1.5, help="of CPU time, each time; default: 1.5")
    parser.add_argument("--output", type=Path, default=ROOT / "build" / "bench-engine.json", metavar="FILE")
    return parser.parse_args()


_playing: dict[str, Iterator[int]] = {}


def speed(name: str, seconds: float) -> Speed:
    """What that contestant does in this process in so much CPU time; it goes on from where it was."""
    games = _playing.setdefault(name, CONTESTANTS[name]())
    played = decisions = 0
    began = time.process_time()
    while (used := time.process_time() - began) < seconds:
        decisions += next(games)
        played += 1
    return Speed(played / used, decisions / used)


def _ratios(goal: Goal, rounds: list[dict[str, Speed]]) -> list[float]:
    """By round, in games a second; none where one of the two is missing."""
    pairs = [(each.get(goal.quick), each.get(goal.slow)) for each in rounds]
    return [quick.games_s / slow.games_s for quick, slow in pairs if quick and slow]


def _report(rounds: list[dict[str, Speed]], missing: dict[str, str], ratios: dict[Goal, list[float]]) -> None:
    print(f"{'medians of ' + str(len(rounds)) + ' rounds':48}    games/s  decisions/s")
    for name in CONTESTANTS:
        if name in missing:
            print(f"{name:48}  {missing[name]}")
            continue
        games_s, decisions_s = (median(values) for values in zip(*(each[name] for each in rounds), strict=True))
        print(f"{name:48} {games_s:10,.0f} {decisions_s:12,.0f}")
    print(f"{'games a second, as a ratio':64}  ratio  goal")
    for goal, found in ratios.items():
        reached = f"{median(found):6.2f}" if found else "     -"
        missed = "" if found and median(found) >= goal.times else " - short"
        print(f"{goal!s:64} {reached}  >= {goal.times:g}{missed}")


def _write(to: Path, rounds: list[dict[str, Speed]], missing: dict[str, str], ratios: dict[Goal, list[float]]) -> None:
    figures = {
        "at": datetime.now(UTC).isoformat(timespec="seconds"),
        "python": sys.version.split()[0],
        "cores": os.cpu_count(),
        "load": os.getloadavg(),
        "missing": missing,
        "rounds": [{name: each._asdict() for name, each in one.items()} for one in rounds],
        "ratios": [{"of": str(goal), "goal": goal.times, "by_round": found} for goal, found in ratios.items()],
    }
    to.parent.mkdir(parents=True, exist_ok=True)
    to.write_text(json.dumps(figures, indent=1) + "\n")


if __name__ == "__main__":
    sys.exit(main())
