"""The table of a tournament, as a pure function of its results: the order of the results never matters."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import NamedTuple

WIN, DRAW, LOSS = 2, 1, 0


class Result(NamedTuple):
    """A played match between two entrants."""

    a: int
    b: int
    outcome: str
    """`A`, `B`, `draw`, or `none` where both lose."""
    points_a: int
    points_b: int
    forfeits: str
    """The seats that forfeited: empty, `A`, `B` or `AB`."""


@dataclass(slots=True)
class Row:
    """An entrant's line in the table."""

    entrant: int
    possible: int
    """Matches that a full round robin has for it."""
    rank: int | None = None
    """From 1, shared where nothing decides; none before the first match."""
    played: int = 0
    won: int = 0
    drawn: int = 0
    lost: int = 0
    points_for: int = 0
    points_against: int = 0
    faults: int = 0
    """Matches that it forfeited."""

    @property
    def match_points(self) -> int:
        """2 for a win, 1 for a draw."""
        return WIN * self.won + DRAW * self.drawn

    @property
    def key(self) -> tuple[int, int]:
        """What the order is by: match points, then the difference of points."""
        return self.match_points, self.points_for - self.points_against


def table(results: Iterable[Result], entrants: Iterable[int]) -> list[Row]:
    """The rows of all entrants: ranked ones in order, equal ones by entrant, then those without a match.

    Results with somebody who is no entrant don't count.
    """
    everybody = set(entrants)
    rows = {entrant: Row(entrant, len(everybody) - 1) for entrant in everybody}
    for result in results:
        if result.a in rows and result.b in rows:
            _count(rows[result.a], result, "A", result.points_a, result.points_b)
            _count(rows[result.b], result, "B", result.points_b, result.points_a)
    ranked = sorted((row for row in rows.values() if row.played), key=lambda row: row.entrant)
    ranked.sort(key=lambda row: row.key, reverse=True)
    for place, row in enumerate(ranked, 1):
        above = ranked[place - 2]
        row.rank = above.rank if place > 1 and above.key == row.key else place
    unranked = sorted((row for row in rows.values() if not row.played), key=lambda row: row.entrant)
    return ranked + unranked


def _count(row: Row, result: Result, seat: str, scored: int, conceded: int) -> None:
    row.played += 1
    row.points_for += scored
    row.points_against += conceded
    row.faults += seat in result.forfeits
    if result.outcome == "draw":
        row.drawn += 1
    elif result.outcome == seat:
        row.won += 1
    else:
        row.lost += 1
