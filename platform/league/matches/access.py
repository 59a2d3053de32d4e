"""Who may see a match, and who may read what a bot left behind in it."""

from django.contrib.auth.models import AnonymousUser
from django.http import Http404
from django.utils.translation import gettext as _

from league.accounts.models import User
from league.bots.access import sees_private
from league.matches.models import Log, Match
from league.tournaments.models import Tournament


def is_apart(match: Match) -> bool:
    """Whether it is a rejudging's, which staff alone see."""
    return match.tournament.kind == Tournament.Kind.REJUDGING


def refuse_strangers(match: Match, user: User | AnonymousUser) -> None:
    """Hide a match of a rejudging from all but staff.

    Raises:
        Http404: that user may not know of it.
    """
    if is_apart(match) and not (user.is_authenticated and user.is_staff):
        raise Http404(_("There is no such match."))


def readable_logs(match: Match, user: User | AnonymousUser) -> list[Log]:
    """The logs of those bots of the match that are the user's own, or all for staff; A's first."""
    bots = {"A": match.version_a.bot, "B": match.version_b.bot}
    seats = [seat for seat, bot in bots.items() if sees_private(user, bot)]
    return list(match.logs.filter(seat__in=seats).order_by("seat")) if seats else []
