"""What a player knows of a game: all that a bot is ever told."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import compress
from random import Random
from typing import NamedTuple

from arena.cards import CARDS, SUITS, Card
from arena.ruleset import Ruleset
from arena.state import (
    ALONE,
    BLANK,
    DEAL,
    DRAW,
    LAID,
    LEAD,
    LOBBY,
    NOT_HELD,
    OVER,
    PASS,
    PILE,
    TURN,
    Kind,
    Phase,
    State,
    place,
)
from arena.wire import GAME, LAY


class Move(NamedTuple):
    """Something that happened, as this player saw it."""

    seat: int
    """Who did it: 0 or 1."""
    what: str
    """`deal`, `turn`, `draw`, `lay` or `pass`."""
    suit: str
    """The pile for deal, turn and draw; else empty."""
    cards: tuple[Card, ...]
    """Cards that this player saw: turned, laid, or come to his own hand."""


WHAT = {DEAL: "deal", LOBBY: "turn", DRAW: "draw"}


def _move(mover: int, phase: Phase, event: Sequence[int]) -> Move:
    what, *seen = event
    cards = tuple([CARDS[card] for card in seen])
    if what == PASS:
        return Move(mover, "pass", "", ())
    if what == LAY:
        return Move(mover, "lay", "", cards)
    return Move(mover, WHAT[phase], SUITS[what - PILE], cards)


class Observation:
    """One game as one seat sees it.

    The same object goes on through the game and always shows the present: copy what you want to keep. What may be
    done now is in `phase`, `legal_plays` and `legal_piles`.
    """

    def __init__(
        self, ruleset: Ruleset, seat: int, game: int, dealer: int, match_scores: Sequence[int] = (0, 0)
    ) -> None:
        self.ruleset = ruleset
        self.seat = seat
        """Mine: 0 (A) or 1 (B)."""
        self.game = game
        """1 to `ruleset.games`."""
        self.match_scores = tuple(match_scores)
        """Points of seats 0 and 1 in the games before this one."""
        self._history: list[Move] = []
        self._happened: list[tuple[int, Phase, Sequence[int]]] = []
        """Who moved, in which phase, and the event: what the history lacks yet."""
        size = 13 * ruleset.decks
        self._table = State(ruleset, [[BLANK + suit] * size for suit in range(4)], dealer)
        self._hidden = [[card for card in range(suit, 52, 4) for _ in range(ruleset.decks)] for suit in range(4)]

    @property
    def state(self) -> State:
        """The game with a blank (64 + suit index) for each card that this player has not seen."""
        return self._table

    @property
    def history(self) -> list[Move]:
        """All moves of this game, oldest first."""
        if self._happened:
            self._history += [_move(*each) for each in self._happened]
            self._happened.clear()
        return self._history

    @property
    def hand(self) -> tuple[Card, ...]:
        """My cards, ascending."""
        return tuple([CARDS[card] for card in self._table.hands[self.seat]])

    @property
    def lobby(self) -> tuple[Card, ...]:
        """The cards on the table, in the order laid."""
        return tuple([CARDS[card] for card in self._table.lobby])

    @property
    def kind(self) -> Kind:
        """What the lobby is: open, a run or a set."""
        return self._table.kind

    @property
    def phase(self) -> Phase:
        return self._table.phase

    @property
    def dealer(self) -> int:
        return self._table.dealer

    @property
    def leader(self) -> int:
        return self._table.leader

    @property
    def last_layer(self) -> int:
        """The seat that would take the lobby now, or -1."""
        return self._table.last_layer

    @property
    def passes(self) -> int:
        """1 if the other has just passed, so that my pass would end the round."""
        return self._table.passes

    @property
    def score(self) -> int:
        """My points in this game."""
        return self._table.scores[self.seat]

    @property
    def opponent_score(self) -> int:
        return self._table.scores[1 - self.seat]

    @property
    def piles(self) -> dict[str, int]:
        """Cards left in each pile, by suit."""
        return {suit: len(pile) for suit, pile in zip(SUITS, self._table.piles, strict=True)}

    @property
    def opponent_size(self) -> int:
        """Cards in the other's hand."""
        return len(self._table.hands[1 - self.seat])

    @property
    def opponent_suits(self) -> dict[str, int]:
        """Cards in the other's hand by suit: the pile that each came from is public."""
        suits = [card & 3 for card in self._table.hands[1 - self.seat]]
        return {suit: suits.count(i) for i, suit in enumerate(SUITS)}

    @property
    def legal_plays(self) -> list[tuple[Card, ...]]:
        """What I may lay now, the empty tuple for a pass; empty when it isn't my turn to lay."""
        if self._table.to_move != self.seat:
            return []
        state = self._table
        actions = state.legal_actions()
        if state.phase is not TURN and state.phase is not LEAD:
            return []
        hand = self.hand
        return [
            (hand[ALONE[action]],) if ALONE[action] >= 0 else tuple(compress(hand, LAID[action])) for action in actions
        ]

    @property
    def legal_piles(self) -> list[str]:
        """Suits of the piles I may choose now; empty when it isn't my choice."""
        if self._table.to_move != self.seat:
            return []
        return [SUITS[action - PILE] for action in self._table.legal_actions() if action >= PILE]

    def unseen(self, suit: str) -> tuple[Card, ...]:
        """Cards of that suit that I have not seen, ascending: in its pile or in the other's hand."""
        return tuple([CARDS[card] for card in self._unseen(SUITS.index(suit))])

    def _unseen(self, suit: int) -> list[int]:
        return self._hidden[suit][:]

    def sample(self, rng: Random) -> State:
        """A full state drawn uniformly from all that agree with what I know."""
        state = self.state.clone()
        for suit, pile in enumerate(state.piles):
            hidden = self._unseen(suit)
            rng.shuffle(hidden)
            pile[:] = [hidden.pop() for _ in pile]
            state.reveal(1 - self.seat, hidden)
        return state

    def update(self, *events: Sequence[int]) -> int:
        """Goes on by these events, as `arena.wire` describes them, up to the next game's start; how many those were.

        Raises:
            ValueError: one can't follow what happened before.
        """
        state, hidden, happened = self._table, self._hidden, self._happened
        known = len(happened)
        for event in events:
            what = event[0]
            if what == LAY:
                what = self._lay_of(event)
            elif what != PASS and len(event) > 1:
                if what == GAME:
                    break
                suit = what - PILE
                if state.phase is DEAL:
                    self._see_deal(suit, event[1:])
                else:
                    card = event[1]
                    hidden[suit].remove(card)
                    state.piles[suit][-1] = card
            happened.append((state.to_move, state.phase, event))
            state.apply(what)
        return len(happened) - known

    def _lay_of(self, event: Sequence[int]) -> int:
        """The action that this is; cards of the other are revealed."""
        mover = self._table.to_move
        laid = event[1:]
        if mover != self.seat:
            for card in laid:
                self._hidden[card & 3].remove(card)
            self._table.reveal(mover, laid)
        action = place(laid, self._table.hands[mover])
        if action == NOT_HELD:
            raise ValueError(f"expected cards of the mover's hand, got {event!r}")
        return action

    def _see_deal(self, suit: int, mine: Sequence[int]) -> None:
        for card in mine:
            self._hidden[suit].remove(card)
        first = 1 if self.seat != self._table.dealer else 2
        self._table.piles[suit][-first : -first - 2 * len(mine) : -2] = mine

    @property
    def over(self) -> bool:
        return self._table.phase == OVER
