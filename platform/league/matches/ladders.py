"""Ladders beside the first one, of other rules."""

from django.core.exceptions import ValidationError
from django.db import IntegrityError, transaction
from django.utils import timezone
from django.utils.translation import gettext as _

from arena.ruleset import Ruleset, TimeControl
from league.matches.models import Match
from league.tournaments import services as tournaments
from league.tournaments.models import Tournament


def open_ladder(name: str, slug: str, *, ruleset: Ruleset, time_control: TimeControl) -> Tournament:
    """A new ladder, which takes in all active bots (`pairing.fill`), and every one that comes.

    Raises:
        ValidationError: the address is taken.
    """
    first = tournaments.ladder()  # so that it stays the first
    try:
        with transaction.atomic():
            return Tournament.objects.create(
                slug=slug,
                name=name,
                kind=first.kind,
                ruleset=ruleset.as_dict(),
                time_control=time_control.as_dict(),
            )
    except IntegrityError:
        said = _("Another tournament has the address “%(slug)s”: choose another one.")
        raise ValidationError(said, code="slug", params={"slug": slug}) from None


def close_ladder(ladder: Tournament) -> None:
    """End the ladder: what was not played is cancelled, and its table stays as it is for good.

    Raises:
        ValidationError: it is the first ladder, by whose rules bots are checked, or closed already.
    """
    if ladder.pk == tournaments.ladder().pk:
        raise ValidationError(_("The first ladder stays: bots are checked by its rules."), code="first")
    with transaction.atomic():
        tournaments.touch(ladder)
        now = timezone.now()
        if not Tournament.objects.open_ladders().filter(pk=ladder.pk).update(closed_at=now):
            raise ValidationError(_("The ladder is closed already."), code="closed")
        unfinished = Match.objects.filter(
            tournament=ladder, status__in=[Match.Status.QUEUED, Match.Status.RUNNING], finished_at=None
        )
        unfinished.update(status=Match.Status.CANCELLED, lease_until=None)
    ladder.closed_at = now
