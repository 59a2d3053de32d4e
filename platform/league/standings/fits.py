"""What is known of the difference of two bots, from the ratings that were stored with the table."""

import logging
from collections.abc import Collection
from datetime import datetime
from functools import lru_cache
from itertools import combinations

from arena.rating import Ratings, unpacked
from league.standings.models import Fit, Table
from league.tournaments.models import Tournament

log = logging.getLogger(__name__)

SIGNIFICANT = 0.05
"""Below this p-value two bots are said to differ."""


def stored(tournament: Tournament) -> Ratings | None:
    """The ratings by version; None where there are none yet, or none that can be read."""
    return _read(tournament.pk)


@lru_cache(maxsize=2)
def _as_of(tournament: int, _computed_at: datetime | None, _revision: int) -> Ratings | None:
    """Those of a table as it was computed then: to read and unpack the megabytes of a large one takes 20 ms."""
    return _read(tournament)


def _read(tournament: int) -> Ratings | None:
    fit = Fit.objects.filter(tournament=tournament).first()
    try:
        return unpacked(bytes(fit.ratings)) if fit else None
    except ValueError:
        log.exception("the ratings of tournament %s can't be read", tournament)
        return None


def that_differ(table: Table, versions: Collection[int]) -> set[frozenset[int]]:
    """The pairs of these versions whose ratings in that table differ significantly."""
    ratings = _as_of(table.tournament_id, table.computed_at, table.revision)
    if ratings is None:
        return set()
    # The table may have been computed anew, with other versions, since its rows were read.
    rated = [version for version in versions if version in ratings.places]
    pairs = map(frozenset, combinations(rated, 2))
    return {pair for pair in pairs if ratings.difference(*pair).p_value < SIGNIFICANT}
