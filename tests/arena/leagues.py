"""Leagues as the site would dump them: matches with games that give their results, and the table that follows."""

from __future__ import annotations

from collections.abc import Sequence
from hashlib import sha256
from itertools import combinations
from typing import Any

from hypothesis import strategies as st

from arena import dump, rating, standings
from arena.ruleset import Ruleset, TimeControl
from arena.standings import Result

NOON = "2026-05-01T12:00:00.000000Z"
NAMES = ("Pawn", "Ладья", "King — “the old one”", "Queen", "Bishop", "Knight")
HEADER = dump.Header(
    format="candidate-arena-dump",
    version=1,
    arena="0.1.0",
    engine="1",
    slug="spring",
    name="Spring season",
    kind="season",
    legs=1,
    ruleset=Ruleset(games=2).as_dict(),
    time_control=TimeControl().as_dict(),
    created_at=NOON,
    opens_at=NOON,
    deadline_at=NOON,
    started_at=NOON,
    closed_at=NOON,
    holes=0,
    revision=7,
    table_revision=7,
    computed_at=NOON,
)


def version(pk: int, entered: bool = True) -> dump.Version:
    digest = sha256(str(pk).encode()).hexdigest()
    return dump.Version(pk, 10 * pk, NAMES[pk - 1], "ada", 2, digest, entered)


def match(pk: int, result: Result) -> dump.Match:
    """A match with that result; its points are made in the first of two games."""
    return dump.Match(
        id=pk,
        a=result.a,
        b=result.b,
        leg=1,
        seed=2**63 - pk,
        outcome=result.outcome,
        termination="crash" if result.forfeits else "completed",
        forfeits=result.forfeits,
        points_a=result.points_a,
        points_b=result.points_b,
        games=[] if result.forfeits else [[0, result.points_a, result.points_b, 20], [1, 0, 0, 19]],
        finished_at=NOON,
        replay=sha256(f"replay {pk}".encode()).hexdigest(),
    )


def rows(results: Sequence[Result], entrants: Sequence[int]) -> list[dump.Row]:
    """The site's table of these results."""
    counted = [result for result in results if {result.a, result.b} <= set(entrants)]
    met = {each for result in counted if result.outcome != "none" for each in (result.a, result.b)}
    rated = {each.entrant: each for each in rating.rate(counted, met).rows()}
    table = standings.table(counted, entrants)
    return [
        dump.Row(
            row.entrant,
            row.rank,
            row.played,
            row.possible,
            row.won,
            row.drawn,
            row.lost,
            row.match_points,
            row.points_for,
            row.points_against,
            row.faults,
            row.sonneborn_berger,
            row.decided or "",
            rated[row.entrant].elo if row.entrant in rated else None,
            rated[row.entrant].error if row.entrant in rated else None,
        )
        for row in table
    ]


def league(results: Sequence[Result], entrants: Sequence[int], left: Sequence[int] = ()) -> list[dump.Line]:
    """The lines of a dump but its end; `left` are versions that are entered no more."""
    versions = [version(pk, pk in entrants) for pk in sorted([*entrants, *left])]
    matches = [match(pk, result) for pk, result in enumerate(results, 1)]
    return [HEADER, *versions, *matches, *rows(results, entrants)]


def dumped(lines: Sequence[dump.Line], **header: Any) -> bytes:
    """The dump of these lines, with other values in its header."""
    return b"".join(dump.write([lines[0]._replace(**header), *lines[1:]] if header else lines))


@st.composite
def leagues(draw: st.DrawFn) -> list[dump.Line]:
    """A league of some bots, of which one may have left, and a part of its matches, with all outcomes."""
    everybody = range(1, draw(st.integers(2, len(NAMES))) + 1)
    entrants = [pk for pk in everybody if pk == 1 or draw(st.booleans())]
    results = []
    for a, b in combinations(everybody, 2):
        forfeits = draw(st.sampled_from(["", "", "", "A", "B", "AB", None]))
        if forfeits is not None:
            points = [0 if seat in forfeits else draw(st.integers(0, 3)) for seat in "AB"]
            results.append(Result(a, b, _outcome(forfeits, *points), *points, forfeits))
    return league(results, entrants, [pk for pk in everybody if pk not in entrants])


def _outcome(forfeits: str, points_a: int, points_b: int) -> str:
    if forfeits:
        return {"A": "B", "B": "A", "AB": "none"}[forfeits]
    return "draw" if points_a == points_b else "A" if points_a > points_b else "B"
