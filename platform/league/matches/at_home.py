"""The commands for one's own machine: to play a match again, to step through it, to ask a bot again that forfeited."""

import shlex
from dataclasses import fields

from django.conf import settings

from arena import bots as house
from arena import moment
from arena.outcome import SEATS
from arena.replay import Record, ReplayError
from arena.ruleset import Ruleset, TimeControl
from league.bots.models import Version
from league.matches.models import Match


def commands(match: Match, record: Record | None, ruleset: Ruleset, time_control: TimeControl) -> list[str]:
    """`arena play`; with a record `arena replay`, and `arena rerun` for each bot that forfeited."""
    played = [_play(match, ruleset, time_control)]
    if record is None:
        return played
    stored = f"match-{match.pk}.json"
    reruns = [shlex.join(["arena", "rerun", stored, *_rerun(match, record, seat)]) for seat in record.outcome.forfeits]
    return [*played, f"arena replay {stored}", *reruns]


def _rerun(match: Match, record: Record, seat: int) -> list[str]:
    """The bot and its seat, and where it was asked last, if it was asked to decide."""
    words = [_named((match.version_a, match.version_b)[seat]), "--seat", SEATS[seat]]
    try:
        seen = moment.observed(record, seat)
    except ReplayError:
        return words
    if seen is None or len(seen.legal_plays) + len(seen.legal_piles) < 2:
        return words
    place = f"{len(record.games)}.{len(record.games[-1].actions) + 1}"
    return [*words, "--stop-at", place, "--debug"]


def _play(match: Match, ruleset: Ruleset, time_control: TimeControl) -> str:
    """With both bots, the seed, and all rules and limits that are not the usual ones."""
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
