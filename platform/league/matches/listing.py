"""Lists of matches, newest first, in pages that don't shift when new ones arrive."""

from django.db.models import Q, QuerySet

from league.matches.models import Match

SHOWN = (Match.Status.PLAYED, Match.Status.FAILED)


def finished() -> QuerySet[Match]:
    """Matches with a result, and those that the platform gave up, with their bots; the latest first."""
    both = "version_a__bot__owner", "version_b__bot__owner"
    return Match.objects.filter(status__in=SHOWN).select_related(*both).order_by("-finished_at", "-pk")


def of_bot(matches: QuerySet[Match], bot: int) -> QuerySet[Match]:
    """Those in which any version of that bot plays."""
    return matches.filter(Q(version_a__bot=bot) | Q(version_b__bot=bot))


def before(matches: QuerySet[Match], last: Match) -> QuerySet[Match]:
    """Those that come after `last` in the list."""
    older = Q(finished_at__lt=last.finished_at) | Q(finished_at=last.finished_at, pk__lt=last.pk)
    return matches.filter(older)
