"""What the pages of scrimmages show: a user's own, and whom he may play against."""

from collections.abc import Iterable
from itertools import groupby
from typing import NamedTuple

from django.db.models import QuerySet
from django.utils.translation import gettext as _

from league.accounts.models import User
from league.bots.models import Bot, Version
from league.matches.listing import UNFINISHED
from league.matches.sides import Side, seen_from
from league.scrimmages.models import Scrimmage
from league.scrimmages.services import playable

FOUND = 10
VERSIONS = 50
"""As many versions of a bot are offered, the newest first."""

Choices = list[tuple[str, list[tuple[int, str]]]]
"""Options of a form in groups: numbers of versions and how they are called, by the name of the bot."""


class Row(NamedTuple):
    scrimmage: Scrimmage
    side: Side
    """The match as that of the bot of who asked for it; of A where both are."""

    @property
    def unfinished(self) -> bool:
        return self.side.match.status in UNFINISHED


def asked_by(user: User, before: int) -> QuerySet[Scrimmage]:
    """What that user asked for, the newest first; from `before` on, if it is not 0, with both bots."""
    asked = Scrimmage.objects.filter(requested_by=user).order_by("-match")
    if before:
        asked = asked.filter(match__lt=before)
    return asked.select_related("match__tournament", "match__version_a__bot", "match__version_b__bot")


def row(scrimmage: Scrimmage) -> Row:
    match = scrimmage.match
    is_a = match.version_a.bot.owner_id == scrimmage.requested_by_id
    return Row(scrimmage, seen_from(match, (match.version_a if is_a else match.version_b).bot_id))


def opponents(text: str) -> list[Bot]:
    """Bots that play and have that text in the name, in capitals or not; those that begin with it come first.

    SQLite knows capitals of ASCII alone, so the names are compared here.
    """
    wanted = text.casefold()
    playing = Bot.objects.kept().filter(retired_at=None, versions__status=Version.Status.ACTIVE)
    names = [(name.casefold(), pk) for pk, name in playing.values_list("pk", "name")]
    found = sorted((not name.startswith(wanted), name, pk) for name, pk in names if wanted in name)[:FOUND]
    bots = Bot.objects.select_related("owner").in_bulk([pk for *_, pk in found])
    return [bots[pk] for *_, pk in found if pk in bots]


def own_choices(user: User) -> Choices:
    """That user's versions that may play, by bot, the newest first."""
    versions = playable().filter(bot__owner=user).select_related("bot").order_by("bot__name", "bot", "-number")
    return _grouped(versions)


def choices_of(bot: Bot) -> Choices:
    """That bot's versions that may play, the newest first."""
    return _grouped(playable().filter(bot=bot).select_related("bot").order_by("-number"))


def _grouped(versions: Iterable[Version]) -> Choices:
    by_bot = groupby(versions, key=lambda version: version.bot)
    return [(bot.name, [(each.pk, _called(each)) for each in list(of_bot)[:VERSIONS]]) for bot, of_bot in by_bot]


def _called(version: Version) -> str:
    name = f"{version.bot.name} v{version.number}"
    return _("%(version)s, plays now") % {"version": name} if version.status == Version.Status.ACTIVE else name
