"""Samples that are taken while the machine has nothing else to do."""

import sys
import time
from collections.abc import Callable
from typing import TypeVar

from arena import match
from arena.players import LocalPlayer
from arena.ruleset import Ruleset, TimeControl

SLOWER = 1.2
TRIES = 6
PATIENCE_S = 60.0
CONTROL = TimeControl(load_s=10.0, decision_s=5.0, bank_s=600.0)

T = TypeVar("T")


class Bot:
    pass


class Quiet:
    """A neighbour on the same host makes everything here half again as slow for seconds or minutes, and nothing that
    the kernel counts shows it. A game in this process, always the same, does: a sample counts if the game before it and
    the one after it took hardly longer than the quickest did."""

    def __init__(self) -> None:
        self.taken = self.counted = 0
        self._best_s = min(_game_s() for _ in range(300))

    def samples(self, count: int, take: Callable[[], T]) -> list[T]:
        """So many that count; ends the process with code 1 where the machine does not become quiet."""
        kept: list[T] = []
        for _ in range(count * TRIES):
            self._await()
            one = take()
            self.taken += 1
            if self._holds():
                self.counted += 1
                kept.append(one)
            if len(kept) == count:
                return kept
        sys.exit(
            f"the machine is too busy to measure: {len(kept)} of {count * TRIES} samples count; run it again later"
        )

    def _await(self) -> None:
        ends = time.monotonic() + PATIENCE_S
        while not self._holds():
            if time.monotonic() > ends:
                sys.exit(f"the machine was too busy to measure for {PATIENCE_S:.0f} s; run it again later")
            time.sleep(0.01)

    def _holds(self) -> bool:
        now_s = min(_game_s() for _ in range(3))
        self._best_s = min(self._best_s, now_s)
        return now_s <= SLOWER * self._best_s


def _game_s() -> float:
    began = time.perf_counter()
    match.play((LocalPlayer(Bot), LocalPlayer(Bot)), Ruleset(games=1), CONTROL, 1)
    return time.perf_counter() - began
