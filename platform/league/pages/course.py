"""How a bot's rating went, as a line with its 95 % interval as a band; each version has a line of its own."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby
from math import ceil, floor
from typing import NamedTuple

from arena.rating import NORMAL
from league.standings.models import RatingPoint

WIDTH, HEIGHT = 1_000, 100
"""Of the drawing, which is stretched."""
SHOWN = 300
STEPS = (5, 10, 20, 25, 50, 100, 200, 250, 500)
MOST_LINES = 5
APART_PERCENT = 9.0
"""Least distance of two versions' names."""
LATE_PERCENT = 90.0
"""From there on a name stands to the left of its mark."""


class Row(NamedTuple):
    """A point as the table has it."""

    point: RatingPoint
    version: int


class Span(NamedTuple):
    """A time in which one version played."""

    version: int
    x: str
    """Where it begins, with the sign of percent, as in `Rule`."""
    is_late: bool
    is_named: bool
    """Else the name before it is too near."""
    line: str
    band: str


class Rule(NamedTuple):
    """A line across, at a round rating."""

    elo: int
    y: str


@dataclass(frozen=True, slots=True)
class Course:
    spans: list[Span]
    rules: list[Rule]
    rows: list[Row]
    """The earliest first."""

    @property
    def first(self) -> Row:
        return self.rows[0]

    @property
    def last(self) -> Row:
        return self.rows[-1]


def course(points: Sequence[RatingPoint], numbers: Mapping[int, int]) -> Course | None:
    """The latest of these points of versions with those numbers, in order; None where there are not two."""
    rows = [Row(point, numbers[point.version_id]) for point in points if point.version_id in numbers][-SHOWN:]
    if len(rows) < 2:
        return None
    scale = _Scale(rows)
    spans: list[Span] = []
    named = -APART_PERCENT
    for version, group in groupby(rows, key=lambda row: row.version):
        own = [row.point for row in group]
        x = 100 * scale.x(own[0]) / WIDTH
        is_named = x - named >= APART_PERCENT
        named = x if is_named else named
        spans.append(Span(version, _percent(x), x > LATE_PERCENT, is_named, scale.line(own), scale.band(own)))
    return Course(spans, scale.rules(), rows)


def _percent(share: float) -> str:
    return f"{share:.1f}%"


class _Scale:
    """Where in the drawing a point is: all ratings are inside, and the interval that each version ended with.

    The first intervals of a version are so wide that the rest would be flat beside them; they are cut off.
    """

    def __init__(self, rows: Sequence[Row]) -> None:
        last = {row.version: row.point for row in rows}.values()
        lows = [row.point.elo for row in rows] + [point.elo - NORMAL * point.error for point in last]
        highs = [row.point.elo for row in rows] + [point.elo + NORMAL * point.error for point in last]
        self._low, self._high = min(lows), max(highs)
        self._start = rows[0].point.at
        self._length_s = (rows[-1].point.at - self._start).total_seconds() or 1.0

    def x(self, point: RatingPoint) -> float:
        return WIDTH * (point.at - self._start).total_seconds() / self._length_s

    def y(self, elo: float) -> float:
        return HEIGHT * (self._high - elo) / (self._high - self._low)

    def line(self, points: Sequence[RatingPoint]) -> str:
        return " ".join(self._corner(point, point.elo) for point in points)

    def band(self, points: Sequence[RatingPoint]) -> str:
        """Its corners: along the upper ends of the intervals, and back along the lower ones."""
        upper = [self._corner(point, point.elo + NORMAL * point.error) for point in points]
        lower = [self._corner(point, point.elo - NORMAL * point.error) for point in points]
        return " ".join(upper + lower[::-1])

    def rules(self) -> list[Rule]:
        step = next((step for step in STEPS if (self._high - self._low) / step <= MOST_LINES), STEPS[-1])
        first, last = ceil(self._low / step), floor(self._high / step)
        return [Rule(step * each, _percent(self.y(step * each))) for each in range(first, last + 1)]

    def _corner(self, point: RatingPoint, elo: float) -> str:
        return f"{self.x(point):.1f},{self.y(elo):.1f}"
