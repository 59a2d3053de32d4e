"""Who plays in which tournament."""

from collections.abc import Iterable

from django.core.exceptions import ValidationError
from django.db.models import F, QuerySet
from django.utils import translation
from django.utils.translation import gettext as _
from django.utils.translation import gettext_noop

from arena.ruleset import Ruleset, TimeControl
from league.bots.models import Bot, Version
from league.tournaments.models import Disqualification, Entry, Tournament


def ladder() -> Tournament:
    """The first ladder, by whose rules bots are checked: a round robin of all active versions.

    It is made when first asked for.
    """
    return Tournament.objects.get_or_create(
        slug="ladder",
        defaults={
            "name": gettext_noop("Open ladder"),
            "kind": Tournament.Kind.LADDER,
            "ruleset": Ruleset().as_dict(),
            "time_control": TimeControl().as_dict(),
        },
    )[0]


def ladders() -> list[Tournament]:
    """All open ladders, the first one first."""
    return list(Tournament.objects.open_ladders()) or [ladder()]


def touch(*tournaments: Tournament) -> None:
    """Count up the tournaments' revisions, and keep others from them until the transaction ends.

    Whoever changes their entries or records results begins with this: in one order, so that none waits for another in
    a circle, and one after the other, so that no pair of two new entries is overlooked.
    """
    for pk in sorted({tournament.pk for tournament in tournaments}):
        Tournament.objects.filter(pk=pk).update(revision=F("revision") + 1)


def refuse_closed(tournament: Tournament) -> None:
    """Refuse a change of what is closed; the caller has touched it, so that nobody closes it meanwhile.

    Raises:
        ValidationError: the tournament is closed.
    """
    if not Tournament.objects.filter(pk=tournament.pk, closed_at=None).exists():
        said = _("%(tournament)s is closed: its table stays as it is.")
        raise ValidationError(said % {"tournament": translation.gettext(tournament.name)}, code="closed")


def open_with(bots: Iterable[Bot]) -> list[Tournament]:
    """The open tournaments in which one of these bots is entered."""
    return list(Tournament.objects.filter(entries__bot__in=bots, closed_at=None).distinct())


def is_disqualified(tournament: Tournament, bot_id: int) -> bool:
    """Whether an organiser has taken that bot out of the tournament."""
    return Disqualification.objects.filter(tournament=tournament, bot=bot_id, lifted_at=None).exists()


def disqualified(tournament: Tournament) -> QuerySet[Disqualification]:
    """The bots that are taken out of it, by name."""
    return tournament.disqualifications.filter(lifted_at=None).select_related("bot").order_by("bot__name")


def enter(tournament: Tournament, version: Version) -> Version | None:
    """Let that version play for its bot from now on; the version that did so before, if it was another."""
    entry, is_new = Entry.objects.select_related("version").get_or_create(
        tournament=tournament, bot_id=version.bot_id, defaults={"version": version}
    )
    before = entry.version
    if is_new or before.pk == version.pk:
        return None
    Entry.objects.filter(pk=entry.pk).update(version=version)
    return before


def leave(tournament: Tournament, version: Version) -> bool:
    """End that version's part in the tournament; False where it had none."""
    gone, _ = Entry.objects.filter(tournament=tournament, version=version).delete()
    return bool(gone)
