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
COLUMNS = 5
VARINTS = b"\x01"
"""Before numbers that are packed so; others are JSON."""


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

    Times are in ticks; that on the clock as the whole milliseconds that it has beyond CPU time. Most numbers fit into
    a byte (`_varint`), which takes a seventh less than JSON.
    """
    columns = [_differences(call.game for call in calls), _differences(call.decision for call in calls)]
    columns.append([METHODS.index(call.name) for call in calls])
    columns.append([-1 if call.cpu_s is None else _ticks(call.cpu_s) for call in calls])
    columns.append([_beyond_cpu(call) for call in calls])
    return zlib.compress(VARINTS + b"".join(map(_varint, chain.from_iterable(columns))), 9)


def _unpacked(data: bytes) -> list[Call]:
    plain = zlib.decompress(data)
    columns = _columns(plain[1:]) if plain.startswith(VARINTS) else json.loads(plain)
    games, decisions = (accumulate(column) for column in columns[:2])
    rows = zip(games, decisions, *columns[2:], strict=True)
    return [
        Call(game, decision, METHODS[name], None if cpu < 0 else cpu / TICKS_A_S, (max(cpu, 0) + more) / TICKS_A_S)
        for game, decision, name, cpu, more in rows
    ]


def _varint(number: int) -> bytes:
    """Seven bits a byte, the low ones first, the sign in the lowest: as in Protocol Buffers' sint64."""
    rest = number << 1 if number >= 0 else ~(number << 1)
    digits = bytearray()
    while rest > 0x7F:
        digits.append(rest & 0x7F | 0x80)
        rest >>= 7
    digits.append(rest)
    return bytes(digits)


def _columns(data: bytes) -> list[list[int]]:
    """As many numbers in each of five."""
    numbers: list[int] = []
    value = shift = 0
    for digit in data:
        value |= (digit & 0x7F) << shift
        shift += 7
        if digit <= 0x7F:
            numbers.append(~(value >> 1) if value & 1 else value >> 1)
            value = shift = 0
    size = len(numbers) // COLUMNS
    return [numbers[size * column : size * (column + 1)] for column in range(COLUMNS)]


def _differences(numbers: Iterable[int]) -> list[int]:
    return [later - earlier for earlier, later in pairwise(chain([0], numbers))]


def _beyond_cpu(call: Call) -> int:
    """In ticks; all of the time on the clock where a bot forfeited."""
    if call.cpu_s is None:
        return _ticks(call.wall_s)
    return max(0, round(1e3 * (call.wall_s - call.cpu_s))) * TICKS_A_S // 1_000


def _ticks(seconds: float) -> int:
    return round(seconds * TICKS_A_S)
