"""Bots as lists show them: each with the version that plays and what its newest upload came to."""

from typing import Any, NamedTuple

from django.db.models import Prefetch

from league.accounts.models import User
from league.bots import services
from league.bots.models import Bot, Version


class Own(NamedTuple):
    """A bot as its owner looks at it."""

    bot: Bot
    newest: Version | None
    active: Version | None
    failed: Version | None
    """The last version that failed its check, if none has passed since."""


def own(user: User) -> list[Own]:
    """That user's bots, the retired ones last."""
    newest_first = Prefetch("versions", Version.objects.order_by("-number"), to_attr="newest_first")
    bots = Bot.objects.kept().filter(owner=user).select_related("owner").order_by("retired_at", "name")
    found: list[Any] = list(bots.prefetch_related(newest_first))
    return [_own(bot, bot.newest_first) for bot in found]


def _own(bot: Bot, newest_first: list[Version]) -> Own:
    active = next((version for version in newest_first if version.status == Version.Status.ACTIVE), None)
    newest = newest_first[0] if newest_first else None
    return Own(bot, newest, active, services.failed_since(newest_first))
