"""Who plays in which tournament."""

from django.db.models import F
from django.utils.translation import gettext_noop

from arena.ruleset import Ruleset, TimeControl
from league.bots.models import Version
from league.tournaments.models import Entry, Tournament


def ladder() -> Tournament:
    """The open ladder: a round robin of all active versions. It is made when first asked for."""
    return Tournament.objects.get_or_create(
        slug="ladder",
        defaults={
            "name": gettext_noop("Open ladder"),
            "kind": Tournament.Kind.LADDER,
            "ruleset": Ruleset().as_dict(),
            "time_control": TimeControl().as_dict(),
        },
    )[0]


def touch(tournament: Tournament) -> None:
    """Count up the tournament's revision, and keep others from it until the transaction ends.

    Whoever changes its entries or records results begins with this: in one order, so that none waits for another in
    a circle, and one after the other, so that no pair of two new entries is overlooked.
    """
    Tournament.objects.filter(pk=tournament.pk).update(revision=F("revision") + 1)


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
