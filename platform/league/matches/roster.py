"""Who plays for a bot, and whether it plays at all: what its owner decides, with what follows for its matches."""

from collections.abc import Collection

from django.core.exceptions import ValidationError
from django.db import transaction
from django.db.models import ProtectedError, Q, QuerySet
from django.utils import timezone
from django.utils.translation import gettext as _

from league.accounts.models import User
from league.bots.models import Bot, Report, Source, Version
from league.matches import pairing
from league.matches.models import Log, Match, Seat
from league.tournaments import registration
from league.tournaments import services as tournaments
from league.tournaments.models import Entry, Registration, Tournament


def roll_back(version: Version) -> None:
    """Let an earlier version that passed its check play again, in place of the active one.

    Its results count again, and its matches that were cancelled are queued. A version that is still being checked
    gives way: what was asked for last holds.

    Raises:
        ValidationError: it can't play; says why.
    """
    ladders = tournaments.ladders()
    with transaction.atomic():
        tournaments.touch(*ladders, *registration.coming(version.bot_id))
        bot = Bot.objects.select_for_update().get(pk=version.bot_id)
        _refuse_deleted(bot)
        bot.versions.filter(status=Version.Status.CHECKING).update(status=Version.Status.SUPERSEDED)
        bot.versions.filter(status=Version.Status.ACTIVE).exclude(pk=version.pk).update(
            status=Version.Status.SUPERSEDED
        )
        moved = bot.versions.filter(pk=version.pk, status=Version.Status.SUPERSEDED, checked_at__isnull=False)
        if not moved.update(status=Version.Status.ACTIVE):
            transaction.set_rollback(True)
            raise ValidationError(_("Only an earlier version that passed its check can play again."), code="status")
        if bot.retired_at is None:
            pairing.let_play(ladders, version)
        registration.follow(version, timezone.now())
    version.status = Version.Status.ACTIVE


def retire(bot: Bot) -> None:
    """Take the bot from the ladders; its matches stay, and it may come back. Seasons that it is part of go on."""
    ladders = tournaments.ladders()
    with transaction.atomic():
        tournaments.touch(*ladders)
        Bot.objects.filter(pk=bot.pk, retired_at=None, deleted_at=None).update(retired_at=timezone.now())
        _withdraw(bot, ladders)
        _cancel_scrimmages(bot)


def come_back(bot: Bot) -> None:
    """Let a retired bot play on the ladders again, with the version that is active."""
    ladders = tournaments.ladders()
    with transaction.atomic():
        tournaments.touch(*ladders)
        back = Bot.objects.filter(pk=bot.pk, retired_at__isnull=False, deleted_at=None).update(retired_at=None)
        if back and (version := bot.versions.filter(status=Version.Status.ACTIVE).first()):
            pairing.let_play(ladders, version)


def delete(bot: Bot) -> None:
    """Remove the bot with its sources, reports and logs; its name and its matches stay.

    It leaves open seasons too: there its results count for nobody. One that never had a match, nor a place in a closed
    season, and that no organiser disqualified, is gone altogether, and its name is free again.
    """
    with transaction.atomic():
        open_ones = tournaments.open_with([bot])
        tournaments.touch(*open_ones, *registration.coming(bot.pk))
        Bot.objects.select_for_update().get(pk=bot.pk)
        bot.versions.filter(status__in=[Version.Status.CHECKING, Version.Status.ACTIVE]).update(
            status=Version.Status.SUPERSEDED
        )
        _withdraw(bot, open_ones)
        _cancel_scrimmages(bot)
        Registration.objects.filter(bot=bot, tournament__season__started_at=None).delete()
        if not (_matches(bot).exists() or bot.entries.exists() or bot.disqualifications.exists()):
            Registration.objects.filter(bot=bot).delete()
            Bot.objects.filter(pk=bot.pk).delete()
            return
        Bot.objects.filter(pk=bot.pk, deleted_at=None).update(deleted_at=timezone.now())
        Source.objects.filter(version__bot=bot).delete()
        Report.objects.filter(version__bot=bot).delete()
        bot.versions.update(message="")
        of_bot = Q(match__version_a__bot=bot, seat=Seat.A) | Q(match__version_b__bot=bot, seat=Seat.B)
        Log.objects.filter(of_bot).delete()


def close_account(user: User) -> None:
    """Delete a user's bots and the user; where bots have played, a name that tells nobody stays as their author's."""
    for bot in user.bots.kept():
        delete(bot)
    with transaction.atomic():
        try:
            with transaction.atomic():
                user.delete()
        except ProtectedError:
            user.trials.all().delete()
            user.tokens.all().delete()
            user.username, user.is_active = f"deleted user {user.pk}", False  # no sign-up takes a name with spaces
            user.email = user.first_name = user.last_name = ""
            user.is_staff = user.is_superuser = False
            user.set_unusable_password()
            user.save()


def _refuse_deleted(bot: Bot) -> None:
    if bot.deleted_at:
        raise ValidationError(_("This bot was deleted."), code="deleted")


def _withdraw(bot: Bot, open_tournaments: Collection[Tournament]) -> None:
    """A closed tournament keeps its entries, and with them its table."""
    entries = Entry.objects.filter(bot=bot, tournament__in=open_tournaments).order_by("tournament")
    for entry in entries.select_related("tournament", "version"):
        pairing.withdraw(entry.tournament, entry.version)


def _cancel_scrimmages(bot: Bot) -> None:
    """Those that are not played yet, whoever asked for them."""
    of_bot = Q(version_a__bot=bot) | Q(version_b__bot=bot)
    for part in Match.objects.unfinished().scrimmages():
        part.filter(of_bot).update(status=Match.Status.CANCELLED, lease_until=None)


def _matches(bot: Bot) -> QuerySet[Match]:
    return Match.objects.filter(Q(version_a__bot=bot) | Q(version_b__bot=bot))
