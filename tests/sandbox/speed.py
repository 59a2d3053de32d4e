"""Whether hostile bots slow down an honest one: what its decisions take in their matches, against just before."""

from __future__ import annotations

from statistics import median

from tests.sandbox.harness import Arena, good_bot_plays_in_the_same_box

GOAL = 1.10


class Speed:
    """CPU time, since wall time is that of the machine's other work as well.

    Each case has three matches in the same two boxes, one right after the other: against an honest bot, against the
    hostile one, against an honest bot again. Single ratios are as noisy as the cores; their median is not.
    """

    def __init__(self) -> None:
        self.ratios: dict[str, float] = {}
        """How many times as long a decision took as before, by test."""
        self._before = 0.0

    @property
    def median(self) -> float:
        return median(self.ratios.values()) if self.ratios else 0.0

    def before(self, arena: Arena) -> None:
        good_bot_plays_in_the_same_box(arena)
        self._before = median(arena.taken)
        arena.taken.clear()

    def after(self, test: str, arena: Arena) -> None:
        self.ratios[test] = median(arena.taken) / self._before
