"""Who may read what a bot left behind in a match."""

from django.contrib.auth.models import AnonymousUser

from league.accounts.models import User
from league.bots.access import sees_private
from league.matches.models import Log, Match


def readable_logs(match: Match, user: User | AnonymousUser) -> list[Log]:
    """The logs of those bots of the match that are the user's own, or all for staff; A's first."""
    bots = {"A": match.version_a.bot, "B": match.version_b.bot}
    seats = [seat for seat, bot in bots.items() if sees_private(user, bot)]
    return list(match.logs.filter(seat__in=seats).order_by("seat")) if seats else []
