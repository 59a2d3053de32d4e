"""Who may see a match, and who may read what a bot left behind in it."""

from django.contrib.auth.models import AnonymousUser
from django.db.models import Q, QuerySet

from league.accounts.models import User
from league.bots.access import sees_private
from league.matches.models import Log, Match
from league.tournaments.models import Tournament


def visible(matches: QuerySet[Match], user: User | AnonymousUser) -> QuerySet[Match]:
    """Those that the user may see: ranked ones, and scrimmages if he owns one of the bots; all for staff."""
    if user.is_authenticated and user.is_staff:
        return matches
    seen = Q(ranked=True)
    if user.is_authenticated:
        own = Q(version_a__bot__owner=user) | Q(version_b__bot__owner=user)
        seen |= Q(tournament__kind=Tournament.Kind.SCRIMMAGE) & own
    return matches.filter(seen)


def readable_logs(match: Match, user: User | AnonymousUser) -> list[Log]:
    """The logs of those bots of the match that are the user's own, or all for staff; A's first."""
    bots = {"A": match.version_a.bot, "B": match.version_b.bot}
    seats = [seat for seat, bot in bots.items() if sees_private(user, bot)]
    return list(match.logs.filter(seat__in=seats).order_by("seat")) if seats else []
