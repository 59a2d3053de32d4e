"""What the faults of the platform in a row have in common: where that is one bot, its worker is not to blame."""

import logging
from collections.abc import Collection
from datetime import timedelta

from django.utils import timezone

from league.bots import holding
from league.bots.models import Trial, Version
from league.matches import services
from league.matches.models import Match

log = logging.getLogger(__name__)

HELD_BACK = timedelta(minutes=15)


def parts(held: Match | Version | Trial) -> set[str]:
    """Names of the uploads that have a part in that match or check."""
    if isinstance(held, Match):
        return {f"version {held.version_a_id}", f"version {held.version_b_id}"}
    return {f"trial {held.pk}" if isinstance(held, Trial) else f"version {held.pk}"}


def hold_back(suspects: Collection[str]) -> None:
    """Let all that waits for these uploads wait for longer, since only they fail."""
    until = timezone.now() + HELD_BACK
    versions, trials = (
        [int(pk) for kind, pk in map(str.split, suspects) if kind == wanted] for wanted in ("version", "trial")
    )
    matches = services.hold_back(versions, until) if versions else 0
    checks = holding.hold_back(Version.objects.filter(pk__in=versions), until)
    checks += holding.hold_back(Trial.objects.filter(pk__in=trials), until)
    said = "the platform fails at %s alone: %s matches and %s checks wait until %s"
    log.error(said, " and ".join(suspects), matches, checks, until)
