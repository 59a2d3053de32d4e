"""One run of `make chaos`: the league plays while the faults go, and then it is looked at."""

import time
from functools import partial
from pathlib import Path
from random import Random
from typing import NamedTuple

from benchmarks import chaos_counts, chaos_league, chaos_remains
from benchmarks.chaos_crew import Crew
from benchmarks.chaos_faults import Faults
from benchmarks.chaos_late import Latecomer
from benchmarks.chaos_league import League
from benchmarks.stack import Stack
from league.matches.models import Attempt, Match
from tests.own_engine import OwnEngine

WORKERS = 3
BETWEEN_S = 10.0
"""The next fault comes when its share of the matches is recorded, or after so long."""
STILL_S = 120.0
"""When nothing more is recorded for so long, nothing will be."""


class Run(NamedTuple):
    """What happened."""

    faults: dict[str, int]
    """How often each kind."""
    offenders: dict[str, list[str]]
    """What each count has found, of which none may be."""
    played: int
    given_back: int
    """Attempts at matches, by workers that ended, failed, or lost their lease."""
    counted: int
    """Of these, as the platform's faults."""
    seconds: float


def run(stack: Stack, engine: OwnEngine, matches: int, rounds: int, seed: int) -> Run:
    began = time.monotonic()
    chance = Random(seed)
    league = League(matches)
    late = Latecomer(league)
    crew = Crew(stack, chance, WORKERS)
    faults = Faults(stack, engine, crew, league, late, chance)
    order = [kind for _ in range(rounds) for kind in chance.sample(list(faults.kinds), len(faults.kinds))]
    _play_under(faults, order, league, matches)
    crew.renew()
    league.grow(1)
    is_done = _is_played(faults, late)
    stack.stop()
    stack.manage("rehearse")  # as the next worker does, it clears away what an engine that was killed has kept
    temporary = Path(stack.environment["TMPDIR"])
    offenders = {
        **chaos_counts.of_league(league.bots),
        **chaos_remains.of_workers((stack.folder, temporary.parent), temporary, engine.host),
        "results that came late or twice and changed something": late.changed,
        "times that one kept all others from recording": faults.standstills,
        "workers that ended by themselves": faults.ended,
        "workers that did not end when told to": faults.stayed,
        "kinds of faults that happened too seldom": [
            f"{kind}: {faults.happened[kind]}" for kind in faults.kinds if faults.happened[kind] < rounds
        ],
        "standing still before all was played": [] if is_done else [f"for {STILL_S:.0f} s"],
    }
    given_back = sum(match.attempt - 1 for match in Match.objects.filter(attempt__gt=0))
    return Run(
        dict(faults.happened),
        offenders,
        chaos_league.recorded(),
        given_back,
        Attempt.objects.count(),
        time.monotonic() - began,
    )


def _play_under(faults: Faults, order: list[str], league: League, matches: int) -> None:
    """Let these faults happen one after the other, spread over the matches, and end."""
    began = time.monotonic()
    league.grow(0)
    faults.until(partial(chaos_league.has_recorded, 1), STILL_S)
    for number, kind in enumerate(order):
        league.grow(number / len(order))
        league.keep_ahead()
        share = chaos_league.recorded() + matches / len(order)
        faults.until(partial(chaos_league.has_recorded, share), BETWEEN_S)
        print(f"{time.monotonic() - began:5.0f} s, {chaos_league.recorded():4} matches: {kind}", flush=True)
        faults.happen(kind)
    faults.await_end()


def _is_played(faults: Faults, late: Latecomer) -> bool:
    """Wait until the league is at its end, and all that is late is posted; False where it stands still before."""
    before = -1
    while (now := chaos_league.recorded()) > before:
        if faults.until(lambda: chaos_league.has_settled() and not late.waits, STILL_S):
            return True
        before = now
    return False
