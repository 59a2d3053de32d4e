"""The short match that a bot must finish before it may play: the same on the site and in its author's terminal."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

from arena import match
from arena.players import Player
from arena.replay import Record
from arena.ruleset import Ruleset, TimeControl
from arena.usage import Call
from arena.witness import Witness

GAMES = 2
SEED = 2026
OPPONENT = "random"
"""The house bot that sits opposite (`arena.bots`)."""


@dataclass(frozen=True, slots=True)
class Verdict:
    """What came out of it."""

    passed: bool
    """It played to the end without a forfeit; points don't matter."""
    reason: str
    """What the bot did wrong, and where; empty if it passed."""
    traceback: str
    record: Record
    calls: Sequence[Call]
    """Of the candidate."""


class OpponentForfeited(Exception):  # noqa: N818 - the platform's fault, as whatever is no forfeit of the candidate
    """The house bot failed, so that nothing is known of the candidate."""


def qualify(
    candidate: Player,
    opponent: Player,
    ruleset: Ruleset | None = None,
    time_control: TimeControl | None = None,
    on_game: Callable[[int], None] | None = None,
) -> Verdict:
    """The verdict on that candidate after a match of `GAMES` games, always of the same cards.

    `on_game` is called with the number of each game that was played out.

    Raises:
        OpponentForfeited: the opponent did not hold out.
        Exception: what else a player raises that is no forfeit.
    """
    watched = Witness(candidate)
    rules = replace(ruleset or Ruleset(), games=GAMES)
    record = match.play((watched, opponent), rules, time_control or TimeControl(), SEED, on_game)
    if 1 in record.outcome.forfeits and 0 not in record.outcome.forfeits:
        raise OpponentForfeited(record.outcome.reason)
    passed = 0 not in record.outcome.forfeits
    return Verdict(passed, "" if passed else record.outcome.reason, watched.traceback, record, watched.calls)
