"""What a bot used, as the commands tell its author."""

from __future__ import annotations

from typing import TYPE_CHECKING

from arena.usage import Call, Usage

if TYPE_CHECKING:
    from collections.abc import Sequence

    from sandbox.session import Session


def used(session: Session, calls: Sequence[Call]) -> Usage:
    """What the bot of that session used; after the match."""
    return Usage(session.memory_peak_kib, session.cpu_s, calls)


def lines(usage: Usage) -> list[str]:
    """CPU time and memory, then the load and the slowest decision where there were such."""
    told = [f"CPU time {usage.cpu_s:.2f} s, memory at most {usage.memory_peak_kib / 1024:.0f} MiB"]
    if usage.load:
        told.append(f"load: {_times(usage.load)}")
    if usage.slowest:
        told.append(f"slowest decision: {_times(usage.slowest)}, at {_place(usage.slowest)}")
    if usage.failed:
        told.append(f"failed after {usage.failed.wall_s:.2f} s, at {_place(usage.failed)}")
    return told


def _times(call: Call) -> str:
    return f"{1000 * (call.cpu_s or 0):.1f} ms CPU, {1000 * call.wall_s:.1f} ms wall"


def _place(call: Call) -> str:
    return f"game {call.game}, decision {call.decision}" if call.game else call.name
