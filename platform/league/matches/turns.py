"""Which queued match a worker process takes next: one that its warm sandboxes can play, as long as there is one.

To start a sandbox takes as long as three matches of quick bots. So a process plays out the matches between the bots
that are warm, and then warms up the one that has the most matches with them.
"""

import time
from collections import Counter
from collections.abc import Collection, Iterable, Iterator
from itertools import chain

from django.db.models import Count, F

from league.matches.models import MatchQuerySet

PATIENCE_S = 30.0
AT_ONCE = 16
"""Others may claim the first ones meanwhile."""


class Turn:
    """Keeps a process from its favourites once in a while: then the match that has waited longest is next."""

    def __init__(self) -> None:
        self._ends = 0.0

    def favours(self, warm: Collection[int]) -> Collection[int]:
        """Those versions, or none where it is the oldest match's turn."""
        now = time.monotonic()
        if now < self._ends:
            return warm
        self._ends = now + PATIENCE_S
        return ()


def in_turn(queued: MatchQuerySet, warm: Collection[int]) -> Iterator[tuple[int, int]]:
    """Number and attempt of the queued matches that come first for a process in which those versions are warm.

    Scrimmages, for which somebody waits, come before all others. What counts in no table else waits until nothing
    ranked does.
    """
    yield from sorted(chain.from_iterable(_first(part.order_by("pk")) for part in queued.scrimmages()))
    for part in (queued.filter(ranked=True), queued.filter(ranked=False)):
        if warm:
            yield from _found(part.filter(version_a__in=warm, version_b__in=warm))
            newcomer = _most_wanted(part, warm)
            as_a = _found(part.filter(version_a=newcomer, version_b__in=warm))
            as_b = _found(part.filter(version_b=newcomer, version_a__in=warm))
            yield from sorted(as_a + as_b)
        yield from _first(part.order_by("-ranked", "pk"))  # as an index has them


def _most_wanted(queued: MatchQuerySet, warm: Collection[int]) -> int | None:
    """The version that has the most matches with the warm ones, the oldest of those; None where none has any."""
    wanted: Counter[int] = Counter()
    for ours, theirs in (("version_a", "version_b"), ("version_b", "version_a")):
        # Grouped by the column itself, SQLite would go through all that is queued, in the order of an index.
        grouped = queued.filter(**{f"{ours}__in": warm}).order_by().values(other=F(theirs) + 0)
        wanted.update(dict(grouped.annotate(matches=Count("pk")).values_list("other", "matches")))
    return min(wanted.keys() - set(warm), key=lambda version: (-wanted[version], version), default=None)


def _found(queued: MatchQuerySet) -> list[tuple[int, int]]:
    """All of them, sorted here: to have them in order SQLite would go through all that is queued."""
    return sorted(queued.order_by().values_list("pk", "attempt"))


def _first(queued: MatchQuerySet) -> Iterable[tuple[int, int]]:
    return queued.values_list("pk", "attempt")[:AT_ONCE]
