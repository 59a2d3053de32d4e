"""The command that plays a match again on one's own machine."""

import shlex
from dataclasses import fields

from django.conf import settings

from arena import bots as house
from arena.ruleset import Ruleset, TimeControl
from league.bots.models import Version
from league.matches.models import Match


def command(match: Match, ruleset: Ruleset, time_control: TimeControl) -> str:
    """`arena play` with both bots, the seed, and all rules and limits that are not the usual ones."""
    words = ["arena", "play", _named(match.version_a), _named(match.version_b), "--seed", str(match.seed)]
    for chosen in (ruleset, time_control):
        usual = type(chosen)()
        for field in fields(chosen):
            value = getattr(chosen, field.name)
            if value != getattr(usual, field.name):
                words += [f"--{field.name.replace('_', '-')}", f"{value:g}" if isinstance(value, float) else str(value)]
    return shlex.join(words)


def _named(version: Version) -> str:
    """A house bot's name; for another's bot the name of a file."""
    bot = version.bot
    is_house = bot.owner.username == settings.HOUSE_USER and bot.name in house.HOUSE
    return bot.name if is_house else f"{bot.name.replace('/', '-').lstrip('-')}.py"
