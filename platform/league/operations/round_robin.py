"""How far the open ladder's round robin is."""

from collections import Counter
from itertools import combinations
from typing import NamedTuple

from django.conf import settings

from arena import bots as house
from league.bots.models import Version
from league.matches.models import Match
from league.tournaments import services as tournaments


class Progress(NamedTuple):
    checking: int
    """Versions that wait for their check."""
    unfinished: int
    """Matches that are queued or played now."""
    played: int
    failed: int

    @property
    def done(self) -> bool:
        """Nothing is left to be checked or played."""
        return not self.checking and not self.unfinished

    def __str__(self) -> str:
        parts = [f"{self.played} of {self.played + self.unfinished + self.failed} matches played"]
        parts += [f"{self.checking} versions being checked"] * bool(self.checking)
        parts += [f"{self.failed} failed"] * bool(self.failed)
        return ", ".join(parts)


def progress() -> Progress:
    """That of the ladder now."""
    statuses = Match.objects.filter(tournament=tournaments.ladder()).order_by().values_list("status", flat=True)
    found = Counter(statuses)
    return Progress(
        checking=Version.objects.filter(status=Version.Status.CHECKING).count(),
        unfinished=found[Match.Status.QUEUED] + found[Match.Status.RUNNING],
        played=found[Match.Status.PLAYED],
        failed=found[Match.Status.FAILED],
    )


def holes() -> list[str]:
    """What the house bots' round robin lacks, a line each; empty if every pair has its whole match."""
    ladder = tournaments.ladder()
    active = {
        version.bot.name: version.pk
        for version in Version.objects.filter(
            bot__owner__username=settings.HOUSE_USER, status=Version.Status.ACTIVE
        ).select_related("bot")
    }
    missing = [f"{name} is not active" for name in house.HOUSE if name not in active]
    matches = {
        (match.version_a_id, match.version_b_id): match
        for match in Match.objects.filter(
            tournament=ladder, version_a__in=active.values(), version_b__in=active.values()
        )
    }
    for (name, a), (other, b) in combinations(active.items(), 2):
        match = matches.get((min(a, b), max(a, b)))
        if match is None:
            missing.append(f"{name} and {other} have no match")
        elif match.status != Match.Status.PLAYED:
            missing.append(f"{name} and {other}: match {match.pk} is {match.get_status_display().lower()}")
        elif match.termination != Match.Termination.COMPLETED or len(match.games) != ladder.ruleset["games"]:
            missing.append(f"{name} and {other}: match {match.pk} broke off: {match.reason}")
    return missing
