"""What a bot used, in the form in which it is stored, and read again for its author."""

import json
import zlib
from collections.abc import Sequence
from typing import Any

from arena.replay import TICKS_A_S
from arena.usage import Call, Usage
from league.bots.models import Used


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
    """The calls by column, which takes half the room that rows would."""
    rows = [(*call[:3], None if call.cpu_s is None else _ticks(call.cpu_s), _ticks(call.wall_s)) for call in calls]
    return zlib.compress(json.dumps(list(zip(*rows, strict=True)), separators=(",", ":")).encode())


def _unpacked(data: bytes) -> list[Call]:
    rows = zip(*json.loads(zlib.decompress(data)), strict=True)
    return [
        Call(game, decision, name, None if cpu is None else cpu / TICKS_A_S, wall / TICKS_A_S)
        for game, decision, name, cpu, wall in rows
    ]


def _ticks(seconds: float) -> int:
    return round(seconds * TICKS_A_S)
