"""What a bot used, in the form in which it is stored, and read again for its author."""

import json
import zlib
from collections.abc import Iterable, Sequence
from itertools import accumulate, chain, pairwise
from typing import Any

from arena import wire
from arena.replay import TICKS_A_S
from arena.usage import LOAD, Call, Usage
from league.bots.models import Used

METHODS = (LOAD, *wire.METHODS)
"""Calls are stored by their places in it."""


def columns(usage: Usage | None) -> dict[str, Any]:
    """The usage as values of `Used`; None where nothing is known."""
    if usage is None:
        return {"memory_peak_kib": None, "cpu_s": None, "calls": None}
    return {"memory_peak_kib": usage.memory_peak_kib, "cpu_s": usage.cpu_s, "calls": _packed(usage.calls)}


def usage(used: Used) -> Usage | None:
    """What is stored there; None where nothing was measured."""
    if used.memory_peak_kib is None or used.cpu_s is None or used.calls is None:
        return None
    return Usage(used.memory_peak_kib, used.cpu_s, _unpacked(bytes(used.calls)))


def _packed(calls: Sequence[Call]) -> bytes:
    """The calls by column, games and decisions by their differences, which takes a third of the room of rows.

    Times are in ticks; that on the clock as the whole milliseconds that it has beyond CPU time.
    """
    columns = [_differences(call.game for call in calls), _differences(call.decision for call in calls)]
    columns.append([METHODS.index(call.name) for call in calls])
    columns.append([-1 if call.cpu_s is None else _ticks(call.cpu_s) for call in calls])
    columns.append([_beyond_cpu(call) for call in calls])
    return zlib.compress(json.dumps(columns, separators=(",", ":")).encode(), 9)


def _unpacked(data: bytes) -> list[Call]:
    columns = json.loads(zlib.decompress(data))
    games, decisions = (accumulate(column) for column in columns[:2])
    rows = zip(games, decisions, *columns[2:], strict=True)
    return [
        Call(game, decision, METHODS[name], None if cpu < 0 else cpu / TICKS_A_S, (max(cpu, 0) + more) / TICKS_A_S)
        for game, decision, name, cpu, more in rows
    ]


def _differences(numbers: Iterable[int]) -> list[int]:
    return [later - earlier for earlier, later in pairwise(chain([0], numbers))]


def _beyond_cpu(call: Call) -> int:
    """In ticks; all of the time on the clock where a bot forfeited."""
    if call.cpu_s is None:
        return _ticks(call.wall_s)
    return max(0, round(1e3 * (call.wall_s - call.cpu_s))) * TICKS_A_S // 1_000


def _ticks(seconds: float) -> int:
    return round(seconds * TICKS_A_S)
