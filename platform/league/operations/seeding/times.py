"""Plausible times in the place of measured ones, which would differ from one run to the next."""

from collections.abc import Iterable
from random import Random

from arena import wire
from arena.replay import Record
from arena.usage import LOAD, Call, Usage

TYPICAL_S = 8e-4
LOAD_S = 0.04
SLOWER = 1.15
"""Wall time, of CPU time."""
PEAKS_KIB = (14_000, 90_000)


def draw(record: Record, chance: Random) -> None:
    """Give all decisions of that record other times."""
    for game in record.games:
        game.times[:] = [round(10_000 * TYPICAL_S * chance.lognormvariate(0, 0.8)) for _ in game.times]


def used(record: Record, calls: Iterable[Call], chance: Random) -> Usage:
    """What a bot with those calls in that record used, by the times of the record."""
    timed = [_timed(record, call) for call in calls]
    return Usage(chance.randint(*PEAKS_KIB), sum(call.cpu_s or 0.0 for call in timed), timed)


def _timed(record: Record, call: Call) -> Call:
    if call.cpu_s is None:
        return call._replace(wall_s=TYPICAL_S * SLOWER)
    cpu_s = TYPICAL_S
    if call.name == LOAD:
        cpu_s = LOAD_S
    elif call.name in (wire.PLAY, wire.CHOOSE_PILE):
        cpu_s = record.games[call.game - 1].times[call.decision - 1] / 10_000
    return call._replace(cpu_s=cpu_s, wall_s=cpu_s * SLOWER)
