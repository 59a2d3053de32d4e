"""What is known of the difference of two bots, from the ratings that were stored with the table."""

import logging
from collections.abc import Collection
from itertools import combinations

from arena.rating import Ratings, unpacked
from league.standings.models import Fit
from league.tournaments.models import Tournament

log = logging.getLogger(__name__)

SIGNIFICANT = 0.05
"""Below this p-value two bots are said to differ."""


def stored(tournament: Tournament) -> Ratings | None:
    """The ratings by version; None where there are none yet, or none that can be read."""
    fit = Fit.objects.filter(tournament=tournament).first()
    try:
        return unpacked(bytes(fit.ratings)) if fit else None
    except ValueError:
        log.exception("the ratings of %s can't be read", tournament)
        return None


def that_differ(tournament: Tournament, versions: Collection[int]) -> set[frozenset[int]]:
    """The pairs of these versions whose ratings differ significantly."""
    ratings = stored(tournament)
    if ratings is None:
        return set()
    # The table may have been computed anew, with other versions, since its rows were read.
    rated = [version for version in versions if version in ratings.places]
    pairs = map(frozenset, combinations(rated, 2))
    return {pair for pair in pairs if ratings.difference(*pair).p_value < SIGNIFICANT}
