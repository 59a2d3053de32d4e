"""What a player of this process may know of a game."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from arena.events import told
from arena.lays import BLANK, count
from arena.observation import Move, Observation
from arena.state import State


class Followed(NamedTuple):
    """A game of this process."""

    state: State
    """As it is played."""
    start: State
    """Before its deal."""
    choices: Sequence[int]
    """The actions of the decisions with a choice; it grows as they are made."""


class LocalObservation(Observation):
    """An observation that looks at the game itself, and shows what its seat may see.

    It needs no events, which more than halves the time of a match in one process. A test holds it and what bots in a
    sandbox are given together.
    """

    def __init__(self, followed: Followed, seat: int, game: int, match_scores: Sequence[int] = (0, 0)) -> None:
        self.ruleset = followed.state.ruleset
        self.seat = seat
        self.game = game
        self.match_scores = tuple(match_scores)
        self._table, self._start, self._choices = followed
        self._masked: State | None = None
        self._masked_after = 0

    @property
    def state(self) -> State:
        if self._masked is None or self._masked_after != len(self._choices):
            self._masked, self._masked_after = self._mask(), len(self._choices)
        return self._masked

    def _mask(self) -> State:
        masked = self._table.clone()
        masked.piles = [[BLANK + suit] * len(pile) for suit, pile in enumerate(masked.piles)]
        other = 1 - self.seat
        masked.hands[other] = sorted([BLANK + (card & 3) for card in masked.hands[other]])
        masked.counts[other] = count(masked.hands[other])
        return masked

    @property
    def history(self) -> list[Move]:
        replayed = Observation(self.ruleset, self.seat, self.game, self.dealer, self.match_scores)
        state, choices = self._start.clone(), iter(self._choices)
        while actions := state.legal_actions():
            action = next(choices, None) if len(actions) > 1 else actions[0]
            if action is None:
                break
            mine, others = told(state, action)
            replayed.update(mine if state.to_move == self.seat else others)
            state.apply(action)
        return replayed.history

    def update(self, *events: Sequence[int]) -> int:
        """Nothing: it has seen them all."""
        return len(events)

    def _unseen(self, suit: int) -> list[int]:
        table = self._table
        held = [card for card in table.hands[1 - self.seat] if card & 3 == suit]
        return sorted([*table.piles[suit], *held])
