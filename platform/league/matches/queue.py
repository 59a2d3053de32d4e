"""What waits to be played, and how soon it may be."""

from collections.abc import Iterable
from datetime import datetime, timedelta

from league.matches.listing import BOTH
from league.matches.models import Match, MatchQuerySet

MEASURED = 50


def queued() -> MatchQuerySet:
    """Ranked matches that wait, with their bots; about in the order in which they will be played."""
    return Match.objects.queued().filter(ranked=True).select_related(*BOTH).order_by("pk")


def scrimmages() -> int:
    """How many scrimmages wait; they are played first."""
    return sum(part.count() for part in Match.objects.queued().scrimmages())


def seconds_a_match() -> float | None:
    """The time for each of the last matches, of all workers together and without pauses; None before the first."""
    played = Match.objects.finished().filter(status=Match.Status.PLAYED, started_at__isnull=False)
    last = played.order_by("-finished_at", "-pk")
    times = last.values_list("started_at", "finished_at")[:MEASURED]
    spans = [(begun, ended) for begun, ended in times if begun and ended]
    return busy(spans).total_seconds() / len(spans) if spans else None


def busy(spans: Iterable[tuple[datetime, datetime]]) -> timedelta:
    """How long at least one of these spans lasted."""
    total = timedelta()
    ended: datetime | None = None
    for begun, end in sorted(spans):
        if ended is None or begun > ended:
            total += max(end - begun, timedelta())
        elif end > ended:
            total += end - ended
        ended = end if ended is None else max(ended, end)
    return total
