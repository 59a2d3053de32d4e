"""The life of a match: claimed, played on, recorded or given back. Each verb is safe to run late and twice.

A claimed match carries its attempt number; what comes from any other attempt changes nothing.
"""

from collections.abc import Collection, Iterable, Sequence
from datetime import datetime
from typing import NamedTuple

from django.conf import settings
from django.db import transaction
from django.db.models import Q, QuerySet
from django.utils import timezone

from arena import replay
from arena.usage import Usage
from league import doorbell, texts
from league.bots import usage
from league.matches import holder, turns
from league.matches.models import Attempt, Log, Match, Replay, Seat
from league.tournaments import services as tournaments
from league.tournaments.models import Tournament

TRACEBACK_CHARS = 8_000
OUTPUT_CHARS = 64 * 1024 + 200  # the first and last 32 KiB of what a bot printed
FAULT_CHARS = 8_000


class BotLog(NamedTuple):
    """What a bot left behind in a match, for its owner."""

    traceback: str = ""
    output: str = ""
    printed: Sequence[tuple[int, int, str]] = ()
    """The output in pieces: the game and the decision at which each was printed, as `arena.wire` has them."""
    used: Usage | None = None


def claim(worker: str, warm: Collection[int] = ()) -> Match | None:
    """A queued match, now held by that worker under a lease; None where none waits.

    The oldest first, but for what `turns` says of scrimmages and of versions whose sandboxes are warm.
    """
    now = timezone.now()
    for pk, attempt in turns.in_turn(Match.objects.queued().filter(_due(now)), warm):
        taken = Match.objects.filter(_due(now), pk=pk, attempt=attempt).update(
            status=Match.Status.RUNNING,
            attempt=attempt + 1,
            worker=worker,
            started_at=now,
            lease_until=now + settings.LEASE,
            games_done=0,
        )
        if taken:
            match = Match.objects.select_related("tournament", "version_a__bot", "version_b__bot").get(pk=pk)
            match.attempt, match.worker, match.started_at = attempt + 1, worker, now
            return match
    return None


def extend(match: Match, games_done: int) -> bool:
    """Hold the match longer, as another game of it is finished; False where the caller holds it no more."""
    held = _held(match).update(lease_until=timezone.now() + settings.LEASE, games_done=games_done)
    return bool(held)


def record(match: Match, played: replay.Record, logs: tuple[BotLog, BotLog]) -> bool:
    """Store what was played; False, and nothing is changed, where the caller holds the match no more."""
    encoded = replay.encode(played)
    outcome = played.outcome
    points_a, points_b = played.points
    with transaction.atomic():
        tournaments.touch(match.tournament)
        recorded = _held(match).update(
            status=Match.Status.PLAYED,
            lease_until=None,
            finished_at=timezone.now(),
            games_done=len(played.games),
            outcome=outcome.letter,
            forfeits="".join(Seat.values[seat] for seat in sorted(outcome.forfeits)),
            termination=outcome.termination.value,
            reason=texts.line(outcome.reason, 300),
            points_a=points_a,
            points_b=points_b,
            games=[[game.dealer, *game.points, game.rounds] for game in played.games],
        )
        if not recorded:
            transaction.set_rollback(True)
            return False
        Replay.objects.create(
            match=match,
            format=encoded.format,
            codec=encoded.codec,
            sha256=encoded.sha256,
            data=encoded.data,
        )
        Log.objects.bulk_create(
            Log(
                match=match,
                seat=seat,
                traceback=texts.storable(log.traceback, TRACEBACK_CHARS),
                output=texts.storable(log.output, OUTPUT_CHARS),
                printed=_starts(log.printed),
                **usage.columns(log.used),
            )
            for seat, log in zip(Seat.values, logs, strict=True)
            if log.traceback or log.output or log.used
        )
    return True


def fail(match: Match, fault: str) -> bool:
    """Give back a match that the platform could not finish: queued again, or failed after its last attempt.

    False where the caller holds it no more. It is nobody's loss.
    """
    now = timezone.now()
    with transaction.atomic():
        faults = match.attempts.count() + 1
        last = faults >= settings.MATCH_ATTEMPTS
        given_back = _held(match).update(
            status=Match.Status.FAILED if last else Match.Status.QUEUED,
            lease_until=None,
            not_before=now + settings.RETRY_AFTER * 2 ** (faults - 1),
            games_done=0,
            finished_at=now if last else None,
        )
        if given_back:
            Attempt.objects.create(
                match=match,
                number=match.attempt,
                worker=match.worker,
                started_at=match.started_at or now,
                fault=texts.storable(fault, FAULT_CHARS),
            )
    return bool(given_back)


def release(match: Match) -> bool:
    """Give back a match whose worker was told to stop; no attempt is counted."""
    given_back = _held(match).update(status=Match.Status.QUEUED, lease_until=None, games_done=0)
    return bool(given_back)


def hold_back(versions: Iterable[int], until: datetime) -> int:
    """Let the queued matches in which all these versions play wait until then; how many those are."""
    queued = Match.objects.queued()
    for version in versions:
        queued = queued.filter(Q(version_a=version) | Q(version_b=version))
    with transaction.atomic():
        tournaments.touch(*Tournament.objects.filter(pk__in=queued.values("tournament")))
        return queued.update(not_before=until)


def cancel(match: Match) -> bool:
    """Cancel a match that waits; False where it is being played, or is over."""
    cancelled = Match.objects.filter(pk=match.pk, status=Match.Status.QUEUED).update(status=Match.Status.CANCELLED)
    return bool(cancelled)


def requeue(match: Match) -> bool:
    """Queue a failed match again, with as many attempts as a new one.

    False where it is not failed, or its tournament is closed.
    """
    with transaction.atomic():
        queued = Match.objects.filter(pk=match.pk, status=Match.Status.FAILED, tournament__closed_at=None).update(
            status=Match.Status.QUEUED, not_before=None, finished_at=None
        )
        if queued:
            match.attempts.all().delete()
            doorbell.ring(doorbell.PLAY)
    return bool(queued)


def sweep() -> int:
    """Take matches from holders that are gone or make no progress, and ring for all that wait; how many those are."""
    now = timezone.now()
    for match in Match.objects.running():
        if match.lease_until is None or match.lease_until < now:
            fail(match, f"no game was finished within {settings.LEASE.total_seconds():.0f} s: the lease has passed")
        elif holder.is_gone(match.worker):
            fail(match, "the worker process ended")
    waiting = Match.objects.queued().filter(_due(now)).order_by()[: doorbell.MOST].count()
    doorbell.top_up(doorbell.PLAY, waiting)
    return waiting


def release_of_gone() -> int:
    """Give back the matches of processes of this host that have ended, when they were told to; how many those were."""
    return sum(release(match) for match in Match.objects.running() if holder.is_gone(match.worker))


def _starts(printed: Sequence[tuple[int, int, str]]) -> list[list[int]]:
    """Rows of game, decision, and where in the whole output begins what was printed there."""
    rows, start = [], 0
    for game, decision, text in printed:
        rows.append([game, decision, start])
        start += len(text)
    return rows


def _due(now: datetime) -> Q:
    return Q(status=Match.Status.QUEUED) & (Q(not_before=None) | Q(not_before__lte=now))


def _held(match: Match) -> QuerySet[Match]:
    return Match.objects.filter(pk=match.pk, status=Match.Status.RUNNING, attempt=match.attempt)
