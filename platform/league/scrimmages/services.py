"""Asking for scrimmages, within what one user may ask for, and taking them back."""

import json
import secrets
from datetime import timedelta
from hashlib import sha256
from typing import NamedTuple

from django.conf import settings
from django.core.exceptions import ValidationError
from django.db import transaction
from django.db.models import Max, Q, QuerySet
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import gettext_noop

from arena.chance import SEED_BITS
from league import doorbell
from league.accounts.models import User
from league.bots.models import Bot, Version
from league.matches import services as matches
from league.matches.models import Match
from league.scrimmages.models import Scrimmage
from league.tournaments.models import Tournament

DAY = timedelta(days=1)


class Quota(NamedTuple):
    """What a user may still ask for."""

    waiting: int
    """So many more may wait to be played."""
    today: int
    """So many more within 24 hours."""


def playable() -> QuerySet[Version]:
    """Versions that may play a scrimmage: active ones and earlier ones that passed, of bots that play."""
    passed = Q(status=Version.Status.ACTIVE) | Q(status=Version.Status.SUPERSEDED, checked_at__isnull=False)
    return Version.objects.filter(passed, bot__deleted_at=None, bot__retired_at=None)


def may_ask(user: User) -> bool:
    """Whether that user has a version that may play."""
    return playable().filter(bot__owner=user).exists()


def left(user: User) -> Quota:
    """What that user may still ask for. A match that the platform failed to play is not counted."""
    asked = Scrimmage.objects.filter(requested_by=user)
    unfinished = asked.filter(match__status__in=[Match.Status.QUEUED, Match.Status.RUNNING])
    today = asked.filter(at__gt=timezone.now() - DAY).exclude(match__status=Match.Status.FAILED)
    return Quota(
        max(0, settings.SCRIMMAGES_WAITING - unfinished.count()), max(0, settings.SCRIMMAGES_A_DAY - today.count())
    )


def ask(user: User, own: int, other: int, ladder: int) -> Scrimmage:
    """Queue an unranked match of two versions, given by their numbers, by the rules of that ladder.

    Raises:
        ValidationError: it can't be played, or the user has asked for too many; says what to do.
    """
    with transaction.atomic():
        User.objects.select_for_update().get(pk=user.pk)  # a user's requests are counted one after the other
        _refuse_too_many(left(user))
        _lock_bots(own, other)
        mine, opponent = _version(own), _version(other)
        if mine.bot.owner_id != user.pk:
            raise ValidationError(_("%(bot)s is not your bot."), code="own", params={"bot": mine.bot.name})
        if mine == opponent:
            raise ValidationError(_("A version can't play against itself: choose another one."), code="other")
        match = _queue(_tournament(ladder), mine, opponent)
        return Scrimmage.objects.create(match=match, requested_by=user)


def cancel(scrimmage: Scrimmage) -> bool:
    """Take back a scrimmage that waits; False where it is being played, or is over."""
    return matches.cancel(scrimmage.match)


def _refuse_too_many(quota: Quota) -> None:
    if not quota.waiting:
        raise ValidationError(
            _("You have %(count)s scrimmages waiting, as many as one user may have: wait for one, or cancel it."),
            code="quota",
            params={"count": settings.SCRIMMAGES_WAITING},
        )
    if not quota.today:
        raise ValidationError(
            _("You have asked for %(count)s scrimmages in 24 hours, as many as one user may: ask again later."),
            code="quota",
            params={"count": settings.SCRIMMAGES_A_DAY},
        )


def _lock_bots(*versions: int) -> None:
    """Keep the versions' bots from being retired or deleted until the match is there, and is cancelled with them."""
    bots = Bot.objects.filter(pk__in=Version.objects.filter(pk__in=versions).values("bot"))
    list(bots.select_for_update().order_by("pk"))


def _version(pk: int) -> Version:
    version = playable().select_related("bot").filter(pk=pk).first()
    if version is None:
        raise ValidationError(_("This version plays no more: choose another one."), code="gone")
    return version


def _tournament(ladder: int) -> Tournament:
    """The hidden tournament with the rules of that ladder, made when first needed; locked, so that legs count up."""
    rules = Tournament.objects.open_ladders().filter(pk=ladder).first()
    if rules is None:
        raise ValidationError(_("This ladder is closed: choose the rules of another one."), code="rules")
    options = json.dumps([rules.ruleset, rules.time_control], sort_keys=True)
    made, _is_new = Tournament.objects.get_or_create(
        slug=f"scrimmages-{sha256(options.encode()).hexdigest()[:12]}",
        defaults={
            "name": gettext_noop("Scrimmage"),
            "kind": Tournament.Kind.SCRIMMAGE,
            "ruleset": rules.ruleset,
            "time_control": rules.time_control,
        },
    )
    return Tournament.objects.select_for_update().get(pk=made.pk)


def _queue(tournament: Tournament, *versions: Version) -> Match:
    a, b = sorted(version.pk for version in versions)
    before = Match.objects.filter(tournament=tournament, version_a=a, version_b=b).aggregate(last=Max("leg"))
    match = Match.objects.create(
        tournament=tournament,
        version_a_id=a,
        version_b_id=b,
        leg=(before["last"] or 0) + 1,
        ranked=False,
        seed=secrets.randbits(SEED_BITS),
    )
    doorbell.ring(doorbell.PLAY)
    return match
