"""How often a bot scored how much, and what was scored against it, as bars of equal width."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from statistics import fmean
from typing import NamedTuple

WIDTHS = (1, 2, 5, 10, 20, 25, 50, 100, 200, 250, 500, 1_000)
MOST_BARS = 24


class Bar(NamedTuple):
    low: int
    high: int
    """The largest number that belongs to it."""
    own: int
    other: int


@dataclass(frozen=True, slots=True)
class Histogram:
    bars: list[Bar]
    own_mean: float
    other_mean: float

    @property
    def games(self) -> int:
        return sum(bar.own for bar in self.bars)

    @property
    def most(self) -> int:
        """The count of the highest bar."""
        return max(max(bar.own, bar.other) for bar in self.bars)


def histogram(own: Sequence[int], other: Sequence[int]) -> Histogram:
    """Counts of both, at least one number each, in at most `MOST_BARS` bars from 0 on."""
    top = max(max(own), max(other))
    width = next((width for width in WIDTHS if top // width < MOST_BARS), top // MOST_BARS + 1)
    mine, his = _counted(own, width), _counted(other, width)
    bars = [Bar(index * width, index * width + width - 1, mine[index], his[index]) for index in range(top // width + 1)]
    return Histogram(bars, fmean(own), fmean(other))


def _counted(numbers: Sequence[int], width: int) -> Counter[int]:
    """How many numbers each bar holds."""
    bars: Counter[int] = Counter()
    for number, count in Counter(numbers).items():
        bars[number // width] += count
    return bars
