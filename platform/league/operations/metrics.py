"""What a league's monitoring is told: queues, matches, workers, tables, the clock, and the times of pages.

It is asked for every few seconds, so nothing here reads a row of each match: what waits or runs is counted in small
indexes, and what has ended once a minute, in an index that holds all that is told of it.
"""

from collections.abc import Iterator
from datetime import datetime
from typing import Any

from django.core.cache import cache
from django.db.models import Count, Min, QuerySet
from django.utils import timezone
from redis.exceptions import RedisError

from league.bots.models import Trial, Version
from league.matches.models import Attempt, Match, Worker
from league.operations import services, timing
from league.operations.exposition import Metric, Sample
from league.operations.page_times import BOUNDS
from league.standings.models import Table
from league.tournaments.models import Tournament

ENDED = "metrics-ended"
COUNTED_S = 60
NO_RESULT = (Match.Status.FAILED.value, "", "")

Ended = list[tuple[str, str, str, int]]


def metrics() -> Iterator[Metric]:
    """All of them as they are now."""
    now = timezone.now()
    yield from _queues(now)
    yield from _matches(now)
    yield from _tables(now)
    yield _workers()
    yield _clock()
    yield from _pages()


def _queues(now: datetime) -> Iterator[Metric]:
    queues: dict[str, QuerySet[Any]] = {
        "checks": Version.objects.filter(status=Version.Status.CHECKING),
        "trials": Trial.objects.filter(status=Trial.Status.CHECKING),
        "matches": Match.objects.queued(),
    }
    waiting = [Sample(queue.order_by().count(), {"queue": name}) for name, queue in queues.items()]
    yield Metric("arena_queue_waiting", "gauge", "What waits; checks include those that are being done.", waiting)
    oldest = [Sample(_age(_first(queue), now), {"queue": name}) for name, queue in queues.items()]
    yield Metric("arena_queue_oldest_seconds", "gauge", "How long the first in the queue has waited.", oldest)


def _first(queue: QuerySet[Any]) -> datetime | None:
    return queue.order_by("pk").values_list("created_at", flat=True).first()


def _matches(now: datetime) -> Iterator[Metric]:
    running = Match.objects.running().order_by().aggregate(count=Count("pk"), since=Min("started_at"))
    yield Metric("arena_matches_running", "gauge", "Matches that are played now.", [Sample(running["count"])])
    longest = [Sample(_age(running["since"], now))]
    yield Metric("arena_match_longest_seconds", "gauge", "How long the longest of these has been played.", longest)
    about = "Matches held past their leases, which no sweep has given back."
    yield Metric("arena_matches_overdue", "gauge", about, [Sample(Match.objects.overdue().count())])
    ended = [
        Sample(count, {"status": status, "termination": termination, "outcome": outcome})
        for status, termination, outcome, count in _ended()
    ]
    about = f"Matches that have ended, and how; counted every {COUNTED_S} s. Annulments and rejudgings change them."
    yield Metric("arena_matches_ended", "gauge", about, ended)
    about = "Attempts at matches that ended in a fault of the platform."
    yield Metric("arena_platform_faults_total", "counter", about, [Sample(Attempt.objects.count())])


def _ended() -> Ended:
    try:
        kept: Ended | None = cache.get(ENDED)
        if kept is None:
            kept = _count_ended()
            cache.set(ENDED, kept, COUNTED_S)
    except (RedisError, OSError):  # it may be away at any moment
        return _count_ended()
    return kept


def _count_ended() -> Ended:
    columns = ("status", "termination", "outcome")
    found = Match.objects.finished().order_by().values_list(*columns).annotate(Count("pk")).order_by(*columns)
    # The first failure is seen to be one more only where none was told before.
    counts = {NO_RESULT: 0} | {tuple(how): count for *how, count in found}
    return [(*how, count) for how, count in counts.items()]


def _tables(now: datetime) -> Iterator[Metric]:
    tables = Table.objects.filter(tournament__in=Tournament.objects.ranked().filter(closed_at=None))
    told = [({"tournament": table.tournament.slug}, table) for table in tables.select_related("tournament")]
    ages = [Sample(_age(table.computed_at, now), label) for label, table in told]
    yield Metric("arena_table_age_seconds", "gauge", "Since the table of an open tournament was computed.", ages)
    stale = [Sample(int(table.stale), label) for label, table in told]
    yield Metric("arena_table_stale", "gauge", "1 if it lacks what was recorded since.", stale)
    failed = [Sample(int(bool(table.error)), label) for label, table in told]
    yield Metric("arena_table_failed", "gauge", "1 if it could not be computed.", failed)


def _workers() -> Metric:
    found = [_state(worker) for worker in Worker.objects.order_by()]
    states = [Sample(found.count(state), {"state": state}) for state in ("able", "paused", "unable", "lost")]
    about = "Workers that take matches, that are paused, that have no sandbox, and that are heard no more."
    return Metric("arena_workers", "gauge", about, states)


def _state(worker: Worker) -> str:
    if worker.is_lost:
        return "lost"
    if not worker.able:
        return "unable"
    return "paused" if worker.pause else "able"


def _clock() -> Metric:
    since = services.since_tick()
    about = "Since the clock was last heard; nothing where it never was."
    return Metric("arena_clock_age_seconds", "gauge", about, [Sample(since.total_seconds())] if since else [])


def _pages() -> Iterator[Metric]:
    try:
        times = timing.times().read()
    except OSError:
        return
    ends = [*map(str, BOUNDS), "+Inf"]
    samples: list[Sample] = []
    for each in times:
        label = {"view": each.view}
        samples += [
            Sample(count, {**label, "le": end}, "_bucket") for end, count in zip(ends, each.within, strict=True)
        ]
        samples += [Sample(each.seconds, label, "_sum"), Sample(each.within[-1], label, "_count")]
    yield Metric("arena_page_seconds", "histogram", "Until the answer of a view began.", samples)
    failed = [Sample(each.failed, {"view": each.view}) for each in times]
    yield Metric("arena_page_failures_total", "counter", "Answers that say that the site failed (5xx).", failed)


def _age(moment: datetime | None, now: datetime) -> float:
    """Seconds since then; 0 where there is no such moment, or it is not over yet."""
    return max(0.0, (now - moment).total_seconds()) if moment else 0.0
