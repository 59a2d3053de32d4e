"""How a bot's rating went, as a line with its 95 % interval as a band; each version has a line of its own."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from itertools import groupby, zip_longest
from math import ceil, floor
from typing import NamedTuple

from arena.rating import NORMAL
from league.standings.models import RatingPoint

WIDTH, HEIGHT = 1_000, 100
"""Of the drawing, which is stretched."""
SHOWN = 300
STEPS = (5, 10, 20, 50, 100, 200, 500, 1_000)
MOST_RULES = 6
TOP = 0.1
"""Share of the height that has no rule, for the names of versions."""
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
    scale = _Scale([row.point for row in rows])
    groups = [list(group) for _, group in groupby(rows, key=lambda row: row.version)]
    spans: list[Span] = []
    named = -APART_PERCENT
    for own, later in zip_longest(groups, groups[1:]):
        points = [row.point for row in own]
        until = later[0].point.at if later else points[-1].at
        x = 100 * scale.x(points[0].at) / WIDTH
        is_named = x - named >= APART_PERCENT
        named = x if is_named else named
        line, band = scale.line(points, until), scale.band(points, until)
        spans.append(Span(own[0].version, _percent(x), x > LATE_PERCENT, is_named, line, band))
    return Course(spans, scale.rules(), rows)


def _percent(share: float) -> str:
    return f"{share:.1f}%"


class _Scale:
    """Where in the drawing a point is: all ratings are inside, and the interval that each version ended with.

    The first intervals of a version are so wide that the rest would be flat beside them; they are cut off.
    """

    def __init__(self, points: Sequence[RatingPoint]) -> None:
        last = {point.version_id: point for point in points}.values()
        ratings = [point.elo for point in points]
        self._low = min(ratings + [point.elo - NORMAL * point.error for point in last])
        self._high = max(ratings + [point.elo + NORMAL * point.error for point in last])
        self._start = points[0].at
        self._length_s = (points[-1].at - self._start).total_seconds() or 1.0

    def x(self, moment: datetime) -> float:
        return WIDTH * (moment - self._start).total_seconds() / self._length_s

    def y(self, elo: float) -> float:
        return HEIGHT * (self._high - elo) / (self._high - self._low)

    def line(self, points: Sequence[RatingPoint], until: datetime) -> str:
        """Its corners; from the last point on it is level."""
        return " ".join(self._corners(points, until, 0))

    def band(self, points: Sequence[RatingPoint], until: datetime) -> str:
        """Its corners: along the upper ends of the intervals, and back along the lower ones."""
        return " ".join(self._corners(points, until, NORMAL) + self._corners(points, until, -NORMAL)[::-1])

    def rules(self) -> list[Rule]:
        step = next((step for step in STEPS if (self._high - self._low) / step <= MOST_RULES), STEPS[-1])
        first, last = ceil(self._low / step), floor((self._high - TOP * (self._high - self._low)) / step)
        return [Rule(step * each, _percent(self.y(step * each))) for each in range(first, last + 1)]

    def _corners(self, points: Sequence[RatingPoint], until: datetime, errors: float) -> list[str]:
        """Where the ratings are, that many standard errors higher."""
        at = [(point.at, point.elo + errors * point.error) for point in points]
        return [f"{self.x(moment):.1f},{self.y(elo):.1f}" for moment, elo in [*at, (until, at[-1][1])]]
