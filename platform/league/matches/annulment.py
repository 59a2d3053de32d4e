"""A match that counts for nobody, by an organiser's word."""

from django.core.exceptions import ValidationError
from django.db import transaction
from django.db.models.functions import Coalesce
from django.utils import timezone
from django.utils.translation import gettext as _

from league.matches import pairing
from league.matches.models import Annulment, Match
from league.tournaments import services as tournaments
from league.tournaments.models import Entry


def annul(match: Match, reason: str) -> None:
    """Let that match count for nobody, whatever it came to; who plays it finds that it is held no more.

    Raises:
        ValidationError: it is annulled already, or its tournament is closed; says so.
    """
    with transaction.atomic():
        tournaments.touch(match.tournament)
        tournaments.refuse_closed(match.tournament)
        annulled = (
            Match.objects.filter(pk=match.pk)
            .exclude(status=Match.Status.ANNULLED)
            .update(
                status=Match.Status.ANNULLED,
                lease_until=None,
                finished_at=Coalesce("finished_at", timezone.now()),
            )
        )
        if not annulled:
            raise ValidationError(_("This match is annulled already."), code="status")
        Annulment.objects.create(match=match, reason=reason)


def restore(match: Match) -> None:
    """Let an annulled match count again; one that had no result is queued, if both of its versions still play.

    Raises:
        ValidationError: it is not annulled, or its tournament is closed; says so.
    """
    with transaction.atomic():
        tournaments.touch(match.tournament)
        tournaments.refuse_closed(match.tournament)
        annulled = Match.objects.filter(pk=match.pk, status=Match.Status.ANNULLED)
        counted = annulled.exclude(outcome="").update(status=Match.Status.PLAYED)
        if not counted and not annulled.update(status=Match.Status.CANCELLED, finished_at=None):
            raise ValidationError(_("This match is not annulled."), code="status")
        Annulment.objects.filter(match=match).delete()
        if not counted:
            _queue_if_entered(match)


def _queue_if_entered(match: Match) -> None:
    both = match.version_a_id, match.version_b_id
    if Entry.objects.filter(tournament=match.tournament, version__in=both).count() == len(both):
        pairing.pair(match.tournament, match.version_a)
