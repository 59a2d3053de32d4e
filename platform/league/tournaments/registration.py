"""Who is to play in a season: registered before its deadline, with the version that is in play then.

What is stored before the deadline counts, whenever its check ends; what is stored at that moment or later does not.
"""

from datetime import datetime

from django.conf import settings
from django.core.exceptions import ValidationError
from django.db import transaction
from django.db.models import Exists, OuterRef, Q, QuerySet
from django.utils import timezone
from django.utils.translation import gettext as _

from league.bots.models import Bot, Version
from league.tournaments import services as tournaments
from league.tournaments.models import Registration, Season, Tournament


def register(season: Season, bot: Bot) -> Registration:
    """Let that bot play in the season, with the version that is active at the deadline.

    A bot that is registered already stays so.

    Raises:
        ValidationError: it may not; says why.
    """
    with transaction.atomic():
        tournaments.touch(season.tournament)
        season = _read_anew(season)
        bot = Bot.objects.select_for_update().select_related("owner").get(pk=bot.pk)
        _refuse_out_of_time(season)
        _refuse_unfit(season, bot)
        registration, _is_new = Registration.objects.get_or_create(
            tournament=season.tournament,
            bot=bot,
            defaults={"version": bot.versions.filter(status=Version.Status.ACTIVE).first()},
        )
    return registration


def withdraw(season: Season, bot: Bot) -> None:
    """Take that bot's registration back, as long as the season has not started.

    Raises:
        ValidationError: it has.
    """
    with transaction.atomic():
        tournaments.touch(season.tournament)
        if _read_anew(season).started_at is not None:
            raise ValidationError(_("The season has started: who is registered plays."), code="started")
        Registration.objects.filter(tournament=season.tournament, bot=bot).delete()


def follow(version: Version, moment: datetime) -> None:
    """Let that version, which plays for its bot since something that was done at `moment`, play in coming seasons too.

    It does so in those that have not started and whose deadline was later than that. The caller has touched them.
    """
    coming = Season.objects.filter(started_at=None, tournament__closed_at=None, deadline_at__gt=moment)
    Registration.objects.filter(bot=version.bot_id, tournament__season__in=coming).update(version=version)


def follow_anew(season: Season) -> None:
    """Let the versions that are active now play, after the deadline was moved to a later moment than now."""
    active = Version.objects.filter(bot=OuterRef("bot"), status=Version.Status.ACTIVE).values("pk")
    for registration in Registration.objects.filter(tournament=season.tournament).annotate(active=active[:1]):
        Registration.objects.filter(pk=registration.pk).update(version=registration.active)


def coming(bot_id: int) -> list[Tournament]:
    """The tournaments of those seasons, not started yet, for which that bot is registered."""
    awaited = Q(registrations__bot=bot_id, season__started_at=None, closed_at=None)
    return list(Tournament.objects.filter(awaited))


def ready(season: Season) -> QuerySet[Registration]:
    """Registrations that would play if the season began now."""
    return season.tournament.registrations.filter(version__isnull=False, bot__deleted_at=None)


def in_check(season: Season) -> QuerySet[Version]:
    """Versions of registered bots that were submitted in time and are still being checked."""
    registered = Registration.objects.filter(tournament=season.tournament, bot=OuterRef("bot"))
    submitted = Version.objects.filter(status=Version.Status.CHECKING, created_at__lt=season.deadline_at)
    return submitted.filter(Exists(registered))


def _read_anew(season: Season) -> Season:
    return Season.objects.select_related("tournament").get(pk=season.pk)


def _refuse_out_of_time(season: Season) -> None:
    phase = season.phase_at(timezone.now())
    if phase == Season.Phase.ANNOUNCED:
        raise ValidationError(_("Registration has not begun yet."), code="early")
    if phase != Season.Phase.REGISTRATION:
        raise ValidationError(_("Registration is over: the deadline has passed."), code="late")


def _refuse_unfit(season: Season, bot: Bot) -> None:
    if bot.deleted_at or bot.retired_at:
        raise ValidationError(_("A retired or deleted bot does not play."), code="retired")
    if tournaments.is_disqualified(season.tournament, bot.pk):
        raise ValidationError(_("This bot is disqualified from the season."), code="disqualified")
    if not bot.versions.filter(status__in=[Version.Status.ACTIVE, Version.Status.CHECKING]).exists():
        raise ValidationError(_("No version of this bot has passed its check: submit one first."), code="version")
    others = season.tournament.registrations.filter(bot__owner=bot.owner_id, bot__deleted_at=None).exclude(bot=bot)
    if bot.owner.username != settings.HOUSE_USER and others.count() >= season.bots_per_user:
        said = _("As many of your bots as one user may have are registered: %(names)s. Withdraw one first.")
        names = ", ".join(others.order_by("bot__name").values_list("bot__name", flat=True))
        raise ValidationError(said, code="quota", params={"names": names})
