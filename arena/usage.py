"""What a bot used in a match: for its author alone."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

from arena import wire

LOAD = "load"


class Call(NamedTuple):
    """One call of a bot, and what it took."""

    game: int
    """With the decision as in `arena.wire`."""
    decision: int
    name: str
    """Of `arena.wire.METHODS`, or `load`."""
    cpu_s: float | None
    """None where the bot forfeited: there was no answer to measure."""
    wall_s: float


class Usage(NamedTuple):
    """What the bot's process used, and each of its calls."""

    memory_peak_kib: int
    """The most that it had in memory at once."""
    cpu_s: float
    """Of the whole process: to load, in all calls and in between."""
    calls: Sequence[Call]
    """In order; the last one is the one that forfeited, if one did."""

    @property
    def load(self) -> Call | None:
        """None where the bot did not come up."""
        return next((call for call in self.calls if call.name == LOAD and call.cpu_s is not None), None)

    @property
    def decisions(self) -> list[Call]:
        """Those calls that were answered with a choice."""
        return [call for call in self.calls if call.name in (wire.PLAY, wire.CHOOSE_PILE) and call.cpu_s is not None]

    @property
    def slowest(self) -> Call | None:
        """The decision that took most CPU time; None where there was none."""
        return max(self.decisions, key=lambda call: (call.cpu_s, call.wall_s), default=None)

    def as_dict(self) -> dict[str, Any]:
        """The figures without the single calls, ready for JSON."""
        return {
            "cpu_s": self.cpu_s,
            "memory_peak_kib": self.memory_peak_kib,
            "load": self.load and self.load._asdict(),
            "slowest": self.slowest and self.slowest._asdict(),
            "failed": self.failed and self.failed._asdict(),
        }

    @property
    def failed(self) -> Call | None:
        """The call in which the bot forfeited, if it gave no answer there that could be read."""
        return self.calls[-1] if self.calls and self.calls[-1].cpu_s is None else None
