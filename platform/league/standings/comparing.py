"""Two bots of a table side by side: how sure it is that they differ, and what they played against each other."""

from dataclasses import dataclass
from typing import NamedTuple

from django.utils.translation import gettext as _

from arena.rating import Difference
from league.matches.models import Match
from league.matches.sides import Side, seen_from
from league.standings import fits
from league.standings.models import Standing
from league.tournaments.models import Tournament

MATCHES = 50


class Refused(NamedTuple):
    """Why two bots can't be compared, and what to do."""

    reason: str
    status: int = 200


@dataclass(frozen=True, slots=True)
class Comparison:
    """Two rated bots, the one with the higher rating first."""

    rows: tuple[Standing, Standing]
    difference: Difference
    """Of the first to the second."""
    matches: list[Side]
    """Between the two, from the first's side, the latest first; at most `MATCHES`."""

    @property
    def differ(self) -> bool:
        """Whether it is significant."""
        return self.difference.p_value < fits.SIGNIFICANT

    @property
    def cases(self) -> int:
        """In how many of 100 cases two equal ones would seem to differ so much; 0 for less than half a case."""
        return round(100 * self.difference.p_value)


def names(tournament: Tournament) -> dict[str, int]:
    """The bots of the table in alphabetical order, each with the number of its version."""
    rows = Standing.objects.filter(tournament=tournament).order_by("version__bot__name")
    return dict(rows.values_list("version__bot__name", "version_id"))


def compare(tournament: Tournament, known: dict[str, int], a: str, b: str) -> Comparison | Refused:
    """The bots of those two names, of the `known` ones of the table."""
    versions = []
    for name in (a, b):
        version = _version(known, name)
        if version is None:
            return Refused(_("No bot of this table is called %(name)s. Choose one of the list.") % {"name": name}, 404)
        versions.append(version)
    if versions[0] == versions[1]:
        return Refused(_("Choose two different bots."), 400)
    found = Standing.objects.filter(tournament=tournament, version__in=versions).select_related("version__bot__owner")
    rows = list(found.order_by("-elo", "rank"))
    for row in rows:
        if row.elo is None:
            reason = _("%(name)s has no rating yet: it gets one with its first match that counts.")
            return Refused(reason % {"name": row.version.bot.name})
    ratings = fits.stored(tournament)
    if ratings is None or len(rows) < 2 or any(row.version_id not in ratings.places for row in rows):
        reason = _("These ratings can't be read now. They are computed anew with the next result: ask again then.")
        return Refused(reason, 503)
    first, second = rows
    difference = ratings.difference(first.version_id, second.version_id)
    return Comparison((first, second), difference, _matches(tournament, first, second))


def _version(known: dict[str, int], name: str) -> int | None:
    """Of the bot that is called so, in capitals or not."""
    folded = name.casefold()
    return known.get(name) or next((version for each, version in known.items() if each.casefold() == folded), None)


def _matches(tournament: Tournament, first: Standing, second: Standing) -> list[Side]:
    a, b = sorted((first.version_id, second.version_id))
    played = Match.objects.filter(tournament=tournament, version_a=a, version_b=b, status=Match.Status.PLAYED)
    latest = played.select_related("version_a__bot", "version_b__bot").order_by("-leg")[:MATCHES]
    return [seen_from(match, first.version.bot_id) for match in latest]
