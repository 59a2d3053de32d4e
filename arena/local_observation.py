"""What a player of this process may know of a game."""

from __future__ import annotations

from collections.abc import Sequence

from arena.lays import BLANK, count
from arena.observation import Move, Observation
from arena.state import State
from arena.wire import GAME


class LocalObservation(Observation):
    """An observation that looks at the game itself, and shows what its seat may see.

    Nothing has to be brought up to date at each event, which halves the time of a match in one process. A test holds
    it and what bots in a sandbox are given together.
    """

    def __init__(self, state: State, seat: int, game: int, match_scores: Sequence[int] = (0, 0)) -> None:
        self.ruleset = state.ruleset
        self.seat = seat
        self.game = game
        self.match_scores = tuple(match_scores)
        self._table = state
        self._masked: State | None = None
        self._events: list[Sequence[int]] = []

    @property
    def state(self) -> State:
        if self._masked is None:
            self._masked = self._mask()
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
        replayed.update(*self._events)
        return replayed.history

    def _unseen(self, suit: int) -> list[int]:
        table = self._table
        held = [card for card in table.hands[1 - self.seat] if card & 3 == suit]
        return sorted([*table.piles[suit], *held])

    def update(self, *events: Sequence[int]) -> int:
        self._masked = None
        known = len(self._events)
        for event in events:
            if event[0] == GAME:
                break
            self._events.append(event)
        return len(self._events) - known
