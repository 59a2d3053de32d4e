"""The log of what organisers did: `record_act` writes it, `Search` reads it."""

from collections.abc import Mapping
from datetime import date
from typing import Any, NamedTuple

from django.db.models import Q, QuerySet

from league import texts
from league.accounts.models import User
from league.bots.models import Bot
from league.matches.models import Match
from league.organisers.models import Act
from league.tournaments.models import Tournament


def record_act(
    actor: User | None,
    action: Act.Action,
    *,
    tournament: Tournament | None = None,
    bot: Bot | None = None,
    match: Match | None = None,
    user: User | None = None,
    reason: str = "",
    details: Mapping[str, Any] | None = None,
) -> Act:
    """Write down what was done, in the transaction that did it; by the platform itself where there is no actor."""
    named = [each for each in (bot, match, user, tournament) if each is not None]
    return Act.objects.create(
        actor=actor,
        actor_name=actor.username if actor else "",
        action=action,
        tournament=tournament,
        bot=bot,
        match=match,
        user=user,
        about=texts.line(", ".join(map(str, named)), 400),
        reason=texts.line(reason, 300),
        details=dict(details or {}),
    )


class Search(NamedTuple):
    """What is looked for; empty where it may be anything."""

    action: str = ""
    actor: str = ""
    bot: str = ""
    tournament: str = ""
    """Its slug."""
    text: str = ""
    """In a reason, or in the names of the time."""
    since: date | None = None
    until: date | None = None
    """The last day."""

    def found(self) -> QuerySet[Act]:
        """Those acts, the latest first, with their rows."""
        acts = Act.objects.select_related("bot", "tournament", "user", "match").order_by("-pk")
        if self.action:
            acts = acts.filter(action=self.action)
        if self.actor:
            acts = acts.filter(actor_name__iexact=self.actor)
        if self.bot:
            acts = acts.filter(Q(bot__name__iexact=self.bot) | Q(bot=None, about__istartswith=self.bot))
        if self.tournament:
            acts = acts.filter(tournament__slug=self.tournament)
        if self.text:
            acts = acts.filter(Q(reason__icontains=self.text) | Q(about__icontains=self.text))
        if self.since:
            acts = acts.filter(at__date__gte=self.since)
        if self.until:
            acts = acts.filter(at__date__lte=self.until)
        return acts
