"""The table of a tournament, as a pure function of its results: the order of the results never matters."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import NamedTuple

WIN, DRAW, LOSS = 2, 1, 0


class Decided(StrEnum):
    """What put a row under the one above it: the first of these that tells them apart."""

    MATCH_POINTS = "match points"
    DIRECT_ENCOUNTER = "direct encounter"
    SONNEBORN_BERGER = "Sonneborn-Berger"
    DIFFERENCE = "difference of points"
    SHARED = "shared"
    """Nothing did: both have the same rank."""


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
    encounters: tuple[int, ...] = ()
    """Match points in the matches among those that have as many, then among those of them that are still tied, and so
    on; empty where they have not all met, equally often."""
    sonneborn_berger: float = 0.0
    """The match points of those that it beat, and half of those that it drew with."""
    decided: Decided | None = None
    """None in the first row, and before the first match."""

    @property
    def match_points(self) -> int:
        """2 for a win, 1 for a draw."""
        return WIN * self.won + DRAW * self.drawn

    @property
    def difference(self) -> int:
        """Points scored more than conceded."""
        return self.points_for - self.points_against

    @property
    def key(self) -> tuple[int, tuple[int, ...], float, int]:
        """What the order is by, in the order of `Decided`; more is better."""
        return self.match_points, self.encounters, self.sonneborn_berger, self.difference


def table(results: Iterable[Result], entrants: Iterable[int], legs: int = 1) -> list[Row]:
    """The rows of all entrants: ranked ones in order, equal ones by entrant, then those without a match.

    Each pair is to play `legs` matches.

    Results with somebody who is no entrant don't count.
    """
    everybody = set(entrants)
    rows = {entrant: Row(entrant, legs * (len(everybody) - 1)) for entrant in everybody}
    counted = [result for result in results if result.a in rows and result.b in rows]
    for result in counted:
        _count(rows[result.a], result, "A", result.points_a, result.points_b)
        _count(rows[result.b], result, "B", result.points_b, result.points_a)
    points = {entrant: row.match_points for entrant, row in rows.items()}
    _weigh(rows, points, counted)
    in_order = sorted(rows.values(), key=lambda row: row.entrant)
    ranked = [row for row in in_order if row.played]
    _compare([tie for tie in _ties(ranked, points, counted) if _all_have_met(*tie)])
    ranked.sort(key=lambda row: row.key, reverse=True)
    _rank(ranked)
    return ranked + [row for row in in_order if not row.played]


def _rank(ranked: Sequence[Row]) -> None:
    for place, row in enumerate(ranked, 1):
        row.rank = place
        if place > 1:
            above = ranked[place - 2]
            criteria = zip(Decided, above.key, row.key, strict=False)
            row.decided = next((each for each, one, other in criteria if one != other), Decided.SHARED)
            if row.decided is Decided.SHARED:
                row.rank = above.rank


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


def _weigh(rows: Mapping[int, Row], points: Mapping[int, int], results: Iterable[Result]) -> None:
    for result in results:
        if result.outcome == "A":
            rows[result.a].sonneborn_berger += points[result.b]
        elif result.outcome == "B":
            rows[result.b].sonneborn_berger += points[result.a]
        elif result.outcome == "draw":
            rows[result.a].sonneborn_berger += points[result.b] / 2
            rows[result.b].sonneborn_berger += points[result.a] / 2


class _Tie(NamedTuple):
    rows: list[Row]
    results: list[Result]
    """Among them."""


def _ties(rows: Iterable[Row], points: Mapping[int, int], results: Iterable[Result]) -> Iterator[_Tie]:
    """Those that have as many of these points as others, with the results among them."""
    tied, among = defaultdict(list), defaultdict(list)
    for row in rows:
        tied[points[row.entrant]].append(row)
    for result in results:
        if points[result.a] == points[result.b]:
            among[points[result.a]].append(result)
    for shared, equals in tied.items():
        if len(equals) > 1:
            yield _Tie(equals, among[shared])


def _all_have_met(tied: Sequence[Row], among: Sequence[Result]) -> bool:
    """Whether each of them has met each other, equally often.

    Before that, a table of their matches would be led by who has played more of them.
    """
    times, over = divmod(len(among), len(tied) * (len(tied) - 1) // 2)
    if over or not times:
        return False
    met = Counter((min(result.a, result.b), max(result.a, result.b)) for result in among)
    return set(met.values()) == {times}


def _compare(ties: list[_Tie]) -> None:
    """Notes what each won against those that it is tied with, and again among those of them that stay tied."""
    while ties:
        tied, among = ties.pop()
        points: Counter[int] = Counter()
        for result in among:
            if result.outcome == "draw":
                points[result.a] += DRAW
                points[result.b] += DRAW
            elif result.outcome != "none":
                points[result.a if result.outcome == "A" else result.b] += WIN
        for row in tied:
            row.encounters += (points[row.entrant],)
        ties += [tie for tie in _ties(tied, points, among) if len(tie.rows) < len(tied)]
