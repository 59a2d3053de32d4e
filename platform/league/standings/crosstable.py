"""Who beat whom: the matches between some bots, each seen from both sides."""

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

from django.urls import reverse

from arena.standings import DRAW, WIN
from league.matches.models import Match
from league.matches.sides import result
from league.standings import fits
from league.standings.models import Standing, Table


class Cell(NamedTuple):
    """A match from one bot's side."""

    match: int
    link: str
    """Where the match is shown."""
    result: str
    """`won`, `drawn` or `lost`."""
    points: int
    against: int
    forfeited: bool
    """By either side."""

    @property
    def difference(self) -> int:
        return self.points - self.against


class Pair(NamedTuple):
    """All matches against one bot."""

    cells: list[Cell]
    differs: bool
    """Whether the ratings of the two differ significantly."""


@dataclass(frozen=True, slots=True)
class Line:
    """A bot against all bots of the crosstable, in their order; None stands for itself."""

    standing: Standing
    pairs: list[Pair | None]

    @property
    def played(self) -> list[Cell]:
        return [cell for pair in self.pairs if pair for cell in pair.cells]

    @property
    def match_points(self) -> int:
        results = [cell.result for cell in self.played]
        return WIN * results.count("won") + DRAW * results.count("drawn")

    @property
    def points(self) -> int:
        return sum(cell.points for cell in self.played)

    @property
    def against(self) -> int:
        return sum(cell.against for cell in self.played)

    @property
    def difference(self) -> int:
        return self.points - self.against


def crosstable(table: Table, rows: Sequence[Standing]) -> list[Line]:
    """A line for each of those rows of the table, from the matches that the table counts."""
    met: dict[tuple[int, int], list[Cell]] = defaultdict(list)
    versions = [row.version_id for row in rows]
    matches = Match.objects.filter(
        tournament=table.tournament_id,
        status=Match.Status.PLAYED,
        version_a__in=versions,
        version_b__in=versions,
    ).order_by("leg")
    place = reverse("matches:match", args=[0]).replace("0", "{}")  # asked for each match it took a sixth of the page
    columns = ("pk", "version_a_id", "version_b_id", "outcome", "points_a", "points_b", "forfeits", "finished_at")
    for pk, a, b, outcome, points_a, points_b, forfeits, finished_at in matches.values_list(*columns):
        if finished_at > table.computed_at:  # asked of the database, it would go through all matches by their end
            continue
        link = place.format(pk)
        met[a, b].append(Cell(pk, link, result(outcome, "A"), points_a, points_b, bool(forfeits)))
        met[b, a].append(Cell(pk, link, result(outcome, "B"), points_b, points_a, bool(forfeits)))
    differing = fits.that_differ(table, versions)

    def pair(one: int, other: int) -> Pair | None:
        return None if one == other else Pair(met[one, other], frozenset((one, other)) in differing)

    return [Line(row, [pair(row.version_id, other) for other in versions]) for row in rows]
