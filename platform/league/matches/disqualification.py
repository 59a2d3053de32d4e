"""A bot whose results count for nobody in a tournament, by an organiser's word, until it is reinstated."""

from django.core.exceptions import ValidationError
from django.db import IntegrityError, transaction
from django.utils import timezone, translation
from django.utils.translation import gettext as _

from league.bots.models import Bot, Version
from league.matches import pairing
from league.tournaments import services as tournaments
from league.tournaments.models import Disqualification, Entry, Tournament


def disqualify(tournament: Tournament, bot: Bot, reason: str) -> Disqualification:
    """Take the bot out of the tournament: its unplayed matches are cancelled, and the others count no more.

    Raises:
        ValidationError: it is disqualified there already, or the tournament is closed; says so.
    """
    with transaction.atomic():
        tournaments.touch(tournament)
        tournaments.refuse_closed(tournament)
        entry = Entry.objects.filter(tournament=tournament, bot=bot).select_related("version").first()
        try:
            with transaction.atomic():
                disqualified = Disqualification.objects.create(
                    tournament=tournament, bot=bot, version=entry.version if entry else None, reason=reason
                )
        except IntegrityError:
            said = _("%(bot)s is disqualified from %(tournament)s already.")
            raise ValidationError(
                said % {"bot": bot, "tournament": translation.gettext(tournament.name)}, code="again"
            ) from None
        if entry:
            pairing.withdraw(tournament, entry.version)
    return disqualified


def reinstate(disqualified: Disqualification) -> Version | None:
    """Let the bot play there again: its results count, and what it lacks is queued.

    On a ladder its active version is entered, in a season the one that played for it. That version; None where it has
    none to enter now, since it is deleted, or retired from the ladders, or was not entered before.

    Raises:
        ValidationError: it is reinstated already, or the tournament is closed; says so.
    """
    tournament = disqualified.tournament
    with transaction.atomic():
        tournaments.touch(tournament)
        tournaments.refuse_closed(tournament)
        lifted = Disqualification.objects.filter(pk=disqualified.pk, lifted_at=None).update(lifted_at=timezone.now())
        if not lifted:
            raise ValidationError(_("This bot is reinstated already."), code="again")
        bot = Bot.objects.select_for_update().get(pk=disqualified.bot_id)
        version = None if bot.deleted_at else _playing(disqualified, bot)
        if version:
            pairing.let_play([tournament], version)
    return version


def _playing(disqualified: Disqualification, bot: Bot) -> Version | None:
    """What would play for it now; of a season that it was taken out of before it began, what was registered."""
    if disqualified.tournament.kind == Tournament.Kind.LADDER:
        return None if bot.retired_at else bot.versions.filter(status=Version.Status.ACTIVE).first()
    if disqualified.version:
        return disqualified.version
    begun = bot.registrations.filter(
        tournament=disqualified.tournament, tournament__season__started_at__isnull=False
    ).select_related("version")
    registered = begun.first()
    return registered.version if registered else None
