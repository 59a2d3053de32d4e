"""Who stands level with whom, and what tells those apart that have as many match points."""

from collections.abc import Sequence
from itertools import groupby, pairwise
from typing import NamedTuple

from league.standings.listing import ranked
from league.standings.models import Standing
from league.tournaments.models import Tournament

TELLING = (Standing.Decided.DIRECT_ENCOUNTER, Standing.Decided.SONNEBORN_BERGER, Standing.Decided.DIFFERENCE)


class Tie(NamedTuple):
    """How a row stands to others with as many match points."""

    level_with: Standing | None = None
    """The first of those that share its rank."""
    others: int = 0
    """How many share its rank."""
    ahead_of: Standing | None = None
    """The row of the next rank that says what put it there; none where it has fewer match points."""


def ties(tournament: Tournament, rows: Sequence[Standing]) -> list[Tie]:
    """A tie for each of those rows, in their order; an empty one where no other has as many match points."""
    as_many = ranked(tournament).filter(match_points__in={row.match_points for row in rows})
    places = [list(sharing) for _, sharing in groupby(as_many, key=lambda row: row.rank)]
    found = {}
    for place, below in pairwise([*places, []]):
        ahead_of = next((row for row in below if row.decided in TELLING), None)
        for row in place:
            level_with = next((other for other in place if other != row), None)
            found[row.pk] = Tie(level_with, len(place) - 1, ahead_of)
    # The table may have been computed anew since the rows were read.
    return [found.get(row.pk, Tie()) for row in rows]
