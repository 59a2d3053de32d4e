"""The game's state and its rules.

Actions are ints of one fixed space of 36, the same in records, search and training:

    0          pass
    1 to 31    lay: bit i stands for the i-th card of the mover's hand, which is kept in ascending order;
               of identical cards (2 or 3 decks) the first ones are laid
    32 to 35   take from the pile of clubs, diamonds, hearts, spades: to deal from, to turn, or to draw

Cards are ints as in `arena.cards`; a blank, 64 + suit index, stands for a card that a player has not seen. Its rank
is next to no other, so that it fits nowhere.
"""

from __future__ import annotations

from bisect import bisect_left, insort
from collections.abc import Iterable, Sequence
from enum import IntEnum

from arena.cards import CARDS, SUITS, Card, text
from arena.ruleset import Ruleset

PASS = 0
PILE = 32
BLANK = 64
HAND_SIZE = 5
NOBODY = -1


class IllegalAction(ValueError):  # noqa: N818 - the game's own word
    """An action that the rules don't allow here; the message names it and the legal ones."""


class Phase(IntEnum):
    DEAL = 0
    """The dealer chooses the pile to deal from."""
    LOBBY = 1
    """The dealer, later the leader, chooses the pile whose top card is turned."""
    TURN = 2
    """The player to move lays or passes."""
    DRAW = 3
    """The player to move draws one card from a pile."""
    LEAD = 4
    """Endgame: the leader lays from hand and may not pass."""
    OVER = 5


class Kind(IntEnum):
    OPEN = 0
    """One card, or none: a run and a set are both possible."""
    RUN = 1
    SET = 2


DEAL, LOBBY, TURN, DRAW, LEAD, OVER = Phase
OPEN, RUN, SET = Kind


class State:
    """One game in play. `legal_actions()` and `apply()` step through it; `clone()` branches.

    All attributes may be read; only `apply()` changes them.
    """

    __slots__ = (
        "both_ends",
        "dealer",
        "hands",
        "high",
        "kind",
        "last_layer",
        "leader",
        "lobby",
        "low",
        "passes",
        "phase",
        "piles",
        "rounds",
        "ruleset",
        "scores",
        "to_move",
    )

    ruleset: Ruleset
    dealer: int
    leader: int
    to_move: int
    """The seat whose decision is next; without meaning when the game is over."""
    phase: Phase
    piles: list[list[int]]
    """Clubs, diamonds, hearts, spades; the top card is the last."""
    hands: list[list[int]]
    """Of each seat, ascending."""
    lobby: list[int]
    """In the order laid."""
    kind: Kind
    low: int
    """Lowest and highest rank index (0 to 12) in the lobby."""
    high: int
    last_layer: int
    """The seat that laid last in this round, or `NOBODY`."""
    passes: int
    """Passes in a row: 0 or 1 between actions."""
    scores: list[int]
    rounds: int
    """Rounds begun."""

    def __init__(self, ruleset: Ruleset, piles: Sequence[Sequence[int]], dealer: int) -> None:
        """A game before its deal.

        Args:
            ruleset: The rules.
            piles: Four piles of card values in suit order, each with its top card first.
            dealer: The seat that deals, 0 or 1.
        """
        self.ruleset = ruleset
        self.both_ends = ruleset.run_direction == "both"
        self.piles = [list(reversed(pile)) for pile in piles]
        self.dealer = self.to_move = dealer
        self.leader = 1 - dealer
        self.phase = DEAL
        self.hands = [[], []]
        self.lobby = []
        self.kind = OPEN
        self.low = self.high = 0
        self.last_layer = NOBODY
        self.passes = 0
        self.scores = [0, 0]
        self.rounds = 0

    @classmethod
    def position(
        cls,
        ruleset: Ruleset,
        piles: Sequence[Sequence[int]],
        hands: Sequence[Sequence[int]],
        phase: Phase,
        to_move: int,
        *,
        lobby: Sequence[int] = (),
        leader: int | None = None,
        last_layer: int = NOBODY,
        passes: int = 0,
        scores: Sequence[int] = (0, 0),
    ) -> State:
        """A game in the middle; `piles` with their top cards first, `leader` the one to move if not given."""
        state = cls(ruleset, piles, dealer=to_move)
        state.phase = phase
        state.hands = [sorted(hand) for hand in hands]
        state.to_move = to_move
        state.leader = to_move if leader is None else leader
        state.last_layer = last_layer
        state.passes = passes
        state.scores = list(scores)
        state._show(list(lobby))
        return state

    def clone(self) -> State:
        """A copy that shares nothing that changes."""
        copy = State.__new__(State)
        copy.ruleset = self.ruleset
        copy.both_ends = self.both_ends
        copy.piles = [pile[:] for pile in self.piles]
        copy.dealer = self.dealer
        copy.leader = self.leader
        copy.to_move = self.to_move
        copy.phase = self.phase
        copy.hands = [hand[:] for hand in self.hands]
        copy.lobby = self.lobby[:]
        copy.kind = self.kind
        copy.low = self.low
        copy.high = self.high
        copy.last_layer = self.last_layer
        copy.passes = self.passes
        copy.scores = self.scores[:]
        copy.rounds = self.rounds
        return copy

    def legal_actions(self) -> list[int]:
        """The legal actions, pass first; empty when the game is over."""
        phase = self.phase
        if phase is TURN:
            return self._plays(self.hands[self.to_move])
        if phase is LEAD:
            return _leads(self.hands[self.to_move])
        if phase is OVER:
            return []
        return [PILE + suit for suit in range(4) if self.piles[suit]]

    def _plays(self, hand: list[int]) -> list[int]:
        kind = self.kind
        first = self.high << 2 if kind is not RUN else (self.high << 2) + 4
        at = bisect_left(hand, first)
        if not self.both_ends and (at == len(hand) or hand[at] >= first + (8 if kind is OPEN else 4)):
            return [PASS]
        lays = [PASS]
        if kind is not RUN:
            lays += _sets(hand, self.high)
        if kind is not SET:
            up = _runs(hand, self.high + 1, 1)
            lays += up
            if self.both_ends:
                down = _runs(hand, self.low - 1, -1)
                lays += down
                lays += [above | below for above in up for below in down]
        return lays

    def cards_of(self, action: int) -> tuple[Card, ...]:
        """The cards that a lay takes from the mover's hand, ascending; none for other actions."""
        if action >= PILE:
            return ()
        return tuple([CARDS[card] for i, card in enumerate(self.hands[self.to_move]) if action >> i & 1])

    def lay(self, some: Iterable[int]) -> int:
        """The legal action that lays these cards, in any order; no cards are a pass.

        Raises:
            IllegalAction: the mover may not lay them; the message names what was asked and what is legal.
        """
        wanted = sorted(some)
        for action in self.legal_actions():
            if action < PILE and list(self.cards_of(action)) == wanted:
                return action
        raise IllegalAction(self._refusal(f"lay {text(wanted)}" if wanted else "pass"))

    def take(self, suit: str) -> int:
        """The legal action that takes from the pile of that suit (`C`, `D`, `H` or `S`).

        Raises:
            IllegalAction: no pile may be chosen now, or this one is empty.
        """
        for action in self.legal_actions():
            if action >= PILE and SUITS[action - PILE] == suit:
                return action
        raise IllegalAction(self._refusal(f"take from the pile of {suit!r:.20}"))

    def _refusal(self, asked: str) -> str:
        if self.phase == TURN:
            asked += f" on {text(self.lobby)}"
        return f"{asked}; legal: {' | '.join(map(self.action_text, self.legal_actions()))}"

    def action_text(self, action: int) -> str:
        """The action in notation: `pass`, cards such as `TH JH`, or a suit such as `H`."""
        if action >= PILE:
            return SUITS[action - PILE]
        return text(self.cards_of(action)) or "pass"

    def apply(self, action: int) -> None:
        """Carries out a legal action. It is not checked: an illegal one leaves a state that means nothing."""
        if action == PASS:
            if self.passes:
                self._end_round()
            else:
                self.passes = 1
                self.to_move = 1 - self.to_move
        elif action < PILE:
            self._lay(action)
        elif self.phase is DRAW:
            hand = self.hands[self.to_move]
            insort(hand, self.piles[action - PILE].pop())
            if len(hand) == HAND_SIZE or not any(self.piles):
                self._refill()
        elif self.phase is LOBBY:
            self._turn_lobby_card(self.piles[action - PILE].pop())
        else:
            self._deal(self.piles[action - PILE])

    def _deal(self, pile: list[int]) -> None:
        first = 1 - self.dealer
        for _ in range(HAND_SIZE):
            self.hands[first].append(pile.pop())
            self.hands[self.dealer].append(pile.pop())
        for hand in self.hands:
            hand.sort()
        self.phase = LOBBY

    def _turn_lobby_card(self, card: int) -> None:
        self._open_round(TURN)
        self.lobby = [card]
        self.low = self.high = card >> 2

    def _show(self, lobby: list[int]) -> None:
        self.lobby = lobby
        if lobby:
            ranks = [card >> 2 for card in lobby]
            self.low, self.high = min(ranks), max(ranks)
            self.kind = OPEN if len(lobby) == 1 else SET if self.low == self.high else RUN
        else:
            self.kind = OPEN

    def _open_round(self, phase: Phase) -> None:
        self.last_layer = NOBODY
        self.passes = 0
        self.to_move = self.leader
        self.phase = phase
        self.rounds += 1

    def _lay(self, action: int) -> None:
        seat = self.to_move
        laid: list[int] = []
        kept: list[int] = []
        for i, card in enumerate(self.hands[seat]):
            (laid if action >> i & 1 else kept).append(card)
        self.hands[seat] = kept
        self._show(self.lobby + laid)
        self.last_layer = seat
        self.passes = 0
        self.phase = TURN
        self.to_move = 1 - seat

    def _end_round(self) -> None:
        taker = self.last_layer
        if taker == NOBODY:
            if self.ruleset.unclaimed == "other_leader":
                self.leader = 1 - self.leader
        else:
            self.scores[taker] += score(self.lobby, self.kind, self.ruleset.set_scoring)
            self.leader = taker
        self._refill()

    def _refill(self) -> None:
        """Lets the taker draw to five cards, then the other; then the next round, or the end."""
        self.lobby = []
        self.kind = OPEN
        if any(self.piles):
            for seat in (self.leader, 1 - self.leader):
                if len(self.hands[seat]) < HAND_SIZE:
                    self.to_move = seat
                    self.phase = DRAW
                    return
            self.to_move = self.leader
            self.phase = LOBBY
        elif self.ruleset.endgame == "stop" or not any(self.hands):
            self.phase = OVER
        else:
            if not self.hands[self.leader]:
                self.leader = 1 - self.leader
            self._open_round(LEAD)


def score(taken: Sequence[int], kind: Kind, set_scoring: str = "count") -> int:
    """Points of a taken sequence: its length times the sum of worths, in a set each worth 1 (rules, Scoring)."""
    if kind == SET and set_scoring == "count":
        return len(taken) ** 2
    return len(taken) * sum([2 if card >= 36 else 1 for card in taken])


def _runs(hand: list[int], rank: int, step: int) -> list[int]:
    """Lays that take one card of `rank`, then of the ranks next to it upward (step 1) or downward (-1)."""
    lays: list[int] = []
    ends = [0]
    while bits := _bits(hand, rank):
        ends = [end | bit for end in ends for bit in bits]
        lays += ends
        rank += step
    return lays


def _bits(hand: list[int], rank: int) -> list[int]:
    """The action bit of each different card of that rank."""
    bits = [1 << i for i, card in enumerate(hand) if card >> 2 == rank]
    if len(bits) > 1:
        return [bit for bit in bits if bit == bits[0] or hand[bit.bit_length() - 2] != hand[bit.bit_length() - 1]]
    return bits


def _sets(hand: list[int], rank: int) -> list[int]:
    """Lays that take any number of cards of `rank`; of identical cards the first ones."""
    lays: list[int] = []
    before = -1
    for i, card in enumerate(hand):
        if card >> 2 == rank:
            bit = 1 << i
            if card == before:
                lays += [lay | bit for lay in lays if lay & (bit >> 1)]
            else:
                lays += [*[lay | bit for lay in lays], bit]
            before = card
    return lays


def _leads(hand: list[int]) -> list[int]:
    lays: list[int] = []
    before = -1
    for card in hand:
        rank = card >> 2
        if rank != before:
            lays += _runs(hand, rank, 1)
            lays += [lay for lay in _sets(hand, rank) if lay & (lay - 1)]
            before = rank
    return lays
