"""Lists of matches, newest first, in pages that don't shift when new ones arrive."""

from collections.abc import Collection
from typing import Any

from django.db.models import F, Q, QuerySet

from league.bots.models import Version
from league.matches.models import Match
from league.tournaments.models import Tournament

UNFINISHED = (Match.Status.QUEUED, Match.Status.RUNNING)
BOTH = ("version_a__bot__owner", "version_b__bot__owner")

ROW = (
    "pk", "status", "outcome", "points_a", "points_b", "forfeits", "termination", "finished_at",
    "annulled", "bot_a", "name_a", "bot_b", "name_b",
)  # fmt: skip
OUTCOMES = ("", "won", "drawn", "lost")
FAULTS = ("", "none", "any", *Match.Termination.values[1:], "platform")


def finished() -> QuerySet[Match]:
    """Ranked matches with a result, and those that were given up or annulled, with their bots; the latest first."""
    return (
        Match.objects.finished().filter(ranked=True).select_related(*BOTH, "annulment").order_by("-finished_at", "-pk")
    )


def running() -> QuerySet[Match]:
    """Ranked matches that are played now, with their bots; the longest first."""
    return Match.objects.running().filter(ranked=True).select_related(*BOTH).order_by("started_at", "pk")


def rows(matches: QuerySet[Match]) -> QuerySet[Match, Any]:
    """Of each of those matches what a list shows of it, as a named tuple of `ROW`.

    Whole matches with their bots take five times as long to make.
    """
    named = {
        "annulled": F("annulment__reason"),
        "bot_a": F("version_a__bot_id"),
        "name_a": F("version_a__bot__name"),
        "bot_b": F("version_b__bot_id"),
        "name_b": F("version_b__bot__name"),
    }
    return matches.annotate(**named).values_list(*ROW, named=True)


def of_tournament(matches: QuerySet[Match], tournament: Tournament) -> QuerySet[Match]:
    """Those of that tournament."""
    return matches.filter(tournament=tournament)


def versions_of(bot: str, author: str) -> list[int]:
    """All versions of the bot of that name, of the author of that name, or of both if both are given."""
    versions = Version.objects.order_by()
    if bot:
        versions = versions.filter(bot__name__iexact=bot)
    if author:
        versions = versions.filter(bot__owner__username__iexact=author)
    return list(versions.values_list("pk", flat=True))


def of_versions(matches: QuerySet[Match], versions: Collection[int]) -> QuerySet[Match]:
    """Those in which one of these versions plays."""
    return matches.filter(Q(version_a__in=versions) | Q(version_b__in=versions))


def latest_of(versions: Collection[int], count: int) -> QuerySet[Match]:
    """The latest ranked ones that one of these versions has played, with both bots, the latest first."""
    played = Match.objects.filter(status=Match.Status.PLAYED, ranked=True).order_by("-finished_at", "-pk")
    return of_versions(played, versions).select_related("version_a__bot", "version_b__bot")[:count]


def with_outcome(matches: QuerySet[Match], outcome: str, versions: Collection[int] | None = None) -> QuerySet[Match]:
    """Those that one of these versions, or any at all, won, drew or lost; an annulled one nobody did."""
    if not outcome:
        return matches
    matches = matches.filter(status=Match.Status.PLAYED)
    if outcome == "drawn":
        return matches.filter(outcome=Match.Outcome.DRAW)
    a = Q() if versions is None else Q(version_a__in=versions)
    b = Q() if versions is None else Q(version_b__in=versions)
    if outcome == "won":
        return matches.filter((a & Q(outcome=Match.Outcome.A_WINS)) | (b & Q(outcome=Match.Outcome.B_WINS)))
    both = Match.Outcome.BOTH_LOSE
    return matches.filter(
        (a & Q(outcome__in=[Match.Outcome.B_WINS, both])) | (b & Q(outcome__in=[Match.Outcome.A_WINS, both]))
    )


def with_fault(matches: QuerySet[Match], fault: str) -> QuerySet[Match]:
    """Those that ended by that fault, one of `FAULTS`; of an annulled one no fault is told."""
    if fault == "platform":
        return matches.filter(status=Match.Status.FAILED)
    if not fault:
        return matches
    matches = matches.filter(status=Match.Status.PLAYED)
    if fault == "any":
        return matches.exclude(forfeits="")
    return matches.filter(termination=Match.Termination.COMPLETED if fault == "none" else fault)


def before(matches: QuerySet[Match], last: Match) -> QuerySet[Match]:
    """Those that come after `last` in the list."""
    older = Q(finished_at__lt=last.finished_at) | Q(pk__lt=last.pk)
    return matches.filter(older, finished_at__lte=last.finished_at)
