"""The table that a bot saw when it failed its check, for its author."""

from typing import NamedTuple

from arena.cards import SUITS
from arena.moment import observed
from arena.replay import Record, ReplayError
from arena.state import OVER

SEAT = 0
"""The candidate's, in a check."""


class Moment(NamedTuple):
    """Cards are texts such as `9S`."""

    game: int
    decision: int
    points: tuple[int, int]
    """The bot's and the other's, in this game."""
    hand: list[str]
    lobby: list[str]
    kind: str
    """Of the lobby: `open`, `run` or `set`."""
    piles: list[tuple[str, int]]
    other: list[tuple[str, int]]
    """The other's hand, by suit."""
    plays: list[list[str]]
    """What it might have laid; no cards are a pass."""
    choices: list[str]
    """Suits of the piles it might have chosen."""
    over: bool
    """The game was decided: the bot failed in what follows it."""


def moment(record: Record | None) -> Moment | None:
    """What the candidate saw when it forfeited; none where it did not, or before the first game."""
    if record is None or SEAT not in record.outcome.forfeits:
        return None
    try:
        seen = observed(record, SEAT)
    except ReplayError:
        return None
    if seen is None:
        return None
    return Moment(
        game=seen.game,
        decision=len(record.games[-1].actions) + 1,
        points=(seen.score, seen.opponent_score),
        hand=[card.text for card in seen.hand],
        lobby=[card.text for card in seen.lobby],
        kind=seen.kind.name.lower(),
        piles=list(seen.piles.items()),
        other=[(suit, seen.opponent_suits[suit]) for suit in SUITS],
        plays=[[card.text for card in play] for play in seen.legal_plays],
        choices=seen.legal_piles,
        over=seen.phase == OVER,
    )
