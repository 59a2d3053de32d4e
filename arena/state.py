"""The game's state and its rules.

Actions are ints of one fixed space of 36, the same in records, search and training:

    0          pass
    1 to 31    lay: bit i stands for the i-th card of the mover's hand, which is kept in ascending order;
               of identical cards (2 or 3 decks) the first ones are laid
    32 to 35   take from the pile of clubs, diamonds, hearts, spades: to deal from, to turn, or to draw

Cards are ints as in `arena.cards`; a blank, 64 + suit index, stands for a card that a player has not seen. Its rank
is next to no other, so that it fits nowhere.

What may be laid is found in `arena.lays`, from the counts of a hand's ranks that are kept here.
"""

from __future__ import annotations

from bisect import insort
from collections.abc import Iterable, Sequence
from enum import IntEnum
from itertools import compress

from arena.cards import CARDS, HONOURS_FROM, SUITS, Card, text
from arena.lays import (
    BELOW,
    COUNT,
    DIGIT,
    ON_OPEN,
    ON_RUN,
    ON_SET,
    ONLY_PASS,
    REACH,
    answers,
    answers_at_both_ends,
    count,
    leads,
    twins_of,
)
from arena.lays import BLANK as BLANK
from arena.lays import OPEN as OPEN
from arena.lays import PASS as PASS
from arena.lays import RUN as RUN
from arena.lays import SET as SET
from arena.lays import Kind as Kind
from arena.ruleset import Ruleset

PILE = 32
HAND_SIZE = 5
NOBODY = -1
NOT_HELD = -1


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


DEAL, LOBBY, TURN, DRAW, LEAD, OVER = Phase
LAID = tuple([tuple([action >> i & 1 for i in range(HAND_SIZE)]) for action in range(PILE)])
KEPT = tuple([tuple([1 - bit for bit in bits]) for bits in LAID])
"""By action, whether each card of the hand is laid, or kept."""
WORTH = tuple([2 if rank >= HONOURS_FROM else 1 for rank in range(13)])
ALONE = tuple([action.bit_length() - 1 if action.bit_count() == 1 else -1 for action in range(PILE)])
"""By action, the place in the hand of the card that it lays, if that is one alone."""
RUN_POINTS = tuple([tuple([sum(WORTH[low : high + 1]) * (high + 1 - low) for high in range(13)]) for low in range(13)])
"""By lowest and highest rank: the points of a run, or of a lone card."""
TAKES = tuple([tuple([PILE + suit for suit in range(4) if left >> suit & 1]) for left in range(16)])
"""The piles to choose from, by the suits that are left."""


class State:
    """One game in play. `legal_actions()` and `apply()` step through it; `clone()` branches.

    All attributes may be read; only `apply()` changes them.
    """

    __slots__ = (
        "both_ends",
        "counts",
        "dealer",
        "hands",
        "high",
        "kind",
        "last_layer",
        "leader",
        "left",
        "lobby",
        "low",
        "passes",
        "phase",
        "piles",
        "plain",
        "rounds",
        "ruleset",
        "scores",
        "several_decks",
        "to_move",
        "wanted",
    )

    ruleset: Ruleset
    dealer: int
    leader: int
    to_move: int
    """The seat whose decision is next; without meaning when the game is over."""
    phase: Phase
    piles: list[list[int]]
    """Clubs, diamonds, hearts, spades; the top card is the last."""
    left: int
    """Bit i is set while the pile of suit i has cards."""
    hands: list[list[int]]
    """Of each seat, ascending."""
    counts: list[int]
    """Of each hand: how many cards of each rank, as an octal number."""
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
    wanted: int
    """The digits, in a hand's counts, of the ranks that continue the lobby."""

    def __init__(self, ruleset: Ruleset, piles: Sequence[Sequence[int]], dealer: int) -> None:
        """A game before its deal.

        Args:
            ruleset: The rules.
            piles: Four piles of card values in suit order, each with its top card first.
            dealer: The seat that deals, 0 or 1.
        """
        self.ruleset = ruleset
        self.both_ends = ruleset.run_direction == "both"
        self.several_decks = ruleset.decks > 1
        self.plain = not (self.both_ends or self.several_decks)
        self.piles = [[*reversed(pile)] for pile in piles]
        self.left = sum([1 << suit for suit in range(4) if piles[suit]])
        self.dealer = self.to_move = dealer
        self.leader = 1 - dealer
        self.phase = DEAL
        self.hands = [[], []]
        self.counts = [0, 0]
        self.lobby = []
        self.kind = OPEN
        self.low = self.high = 0
        self.last_layer = NOBODY
        self.passes = 0
        self.scores = [0, 0]
        self.rounds = 0
        self.wanted = 0

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
        state.counts = [count(hand) for hand in hands]
        state.to_move = to_move
        state.leader = to_move if leader is None else leader
        state.last_layer = last_layer
        state.passes = passes
        state.scores = list(scores)
        state.lobby = list(lobby)
        if lobby:
            ranks = [card >> 2 for card in lobby]
            state.low, state.high = min(ranks), max(ranks)
            state.kind = OPEN if len(lobby) == 1 else SET if state.low == state.high else RUN
            state._want()
        return state

    def clone(self) -> State:
        """A copy that shares nothing that changes."""
        copy = State.__new__(State)
        copy.ruleset = self.ruleset
        copy.both_ends = self.both_ends
        copy.several_decks = self.several_decks
        copy.plain = self.plain
        clubs, diamonds, hearts, spades = self.piles
        copy.piles = [clubs[:], diamonds[:], hearts[:], spades[:]]
        copy.left = self.left
        copy.dealer = self.dealer
        copy.leader = self.leader
        copy.to_move = self.to_move
        copy.phase = self.phase
        a, b = self.hands
        copy.hands = [a[:], b[:]]
        copy.counts = self.counts[:]
        copy.lobby = self.lobby[:]
        copy.kind = self.kind
        copy.low = self.low
        copy.high = self.high
        copy.last_layer = self.last_layer
        copy.passes = self.passes
        copy.scores = self.scores[:]
        copy.rounds = self.rounds
        copy.wanted = self.wanted
        return copy

    def legal_actions(self) -> tuple[int, ...]:
        """The legal actions, pass first; empty when the game is over."""
        phase = self.phase
        if phase is TURN:
            counts = self.counts[self.to_move]
            if not counts & self.wanted:
                return ONLY_PASS
            if self.plain:
                upward = counts >> DIGIT * self.high
                return answers(upward & REACH, (counts - (upward << DIGIT * self.high)) % 7, self.kind)
            return self._answers(counts)
        if phase is OVER:
            return ()
        if phase is not LEAD:
            return TAKES[self.left]
        seat = self.to_move
        hand = self.hands[seat]
        return leads(self.counts[seat] >> DIGIT * (hand[0] >> 2), twins_of(hand) if self.several_decks else 0)

    def _answers(self, counts: int) -> tuple[int, ...]:
        hand = self.hands[self.to_move]
        twins = twins_of(hand) if self.several_decks else 0
        if self.both_ends:
            return answers_at_both_ends(counts, self.low, self.high, self.kind, twins)
        upward = counts >> DIGIT * self.high
        return answers(upward & REACH, len(hand) - upward % 7, self.kind, twins)

    def cards_of(self, action: int) -> tuple[Card, ...]:
        """The cards that a lay takes from the mover's hand, ascending; none for other actions."""
        if action >= PILE:
            return ()
        return tuple([CARDS[card] for card in compress(self.hands[self.to_move], LAID[action])])

    def lay(self, some: Iterable[int]) -> int:
        """The legal action that lays these cards, in any order; no cards are a pass.

        Raises:
            IllegalAction: the mover may not lay them; the message names what was asked and what is legal.
        """
        wanted = list(some)
        action = place(wanted, self.hands[self.to_move])
        if action in self.legal_actions():
            return action
        raise IllegalAction(self._refusal(f"lay {text(sorted(wanted))}" if wanted else "pass"))

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
            self._draw(action - PILE)
        elif self.phase is LOBBY:
            self._turn(action - PILE)
        else:
            self._deal(action - PILE)

    def reveal(self, seat: int, cards: Iterable[int]) -> None:
        """Puts cards in the place of blanks of their suits in that seat's hand.

        Raises:
            ValueError: it holds no such blank.
        """
        hand = self.hands[seat]
        for card in cards:
            blank = BLANK + (card & 3)
            hand.remove(blank)
            insort(hand, card)
            self.counts[seat] += COUNT[card] - COUNT[blank]

    def _draw(self, suit: int) -> None:
        pile = self.piles[suit]
        card = pile.pop()
        if not pile:
            self.left ^= 1 << suit
        seat = self.to_move
        hand = self.hands[seat]
        insort(hand, card)
        self.counts[seat] += COUNT[card]
        if len(hand) == HAND_SIZE or not self.left:
            self._refill()

    def _turn(self, suit: int) -> None:
        pile = self.piles[suit]
        card = pile.pop()
        if not pile:
            self.left ^= 1 << suit
        self.lobby = [card]
        self.low = self.high = card >> 2
        self._want()
        self._open_round(TURN)

    def _open_round(self, phase: Phase) -> None:
        self.last_layer = NOBODY
        self.passes = 0
        self.to_move = self.leader
        self.phase = phase
        self.rounds += 1

    def _deal(self, suit: int) -> None:
        pile = self.piles[suit]
        first, dealer = pile[-1:-11:-2], pile[-2:-12:-2]
        del pile[-2 * HAND_SIZE :]
        if not pile:
            self.left ^= 1 << suit
        for seat, hand in ((1 - self.dealer, first), (self.dealer, dealer)):
            self.hands[seat] = sorted(hand)
            self.counts[seat] = count(hand)
        self.phase = LOBBY

    def _lay(self, action: int) -> None:
        seat = self.to_move
        hand = self.hands[seat]
        at = ALONE[action]
        if at >= 0:
            card = hand.pop(at)
            self.counts[seat] -= COUNT[card]
            self.lobby.append(card)
            low = high = card >> 2
        else:
            laid = list(compress(hand, LAID[action]))
            self.hands[seat] = list(compress(hand, KEPT[action]))
            self.counts[seat] -= count(laid)
            self.lobby += laid
            low, high = laid[0] >> 2, laid[-1] >> 2
        if self.phase is LEAD:
            self.low, self.high = low, high
            if at < 0:
                self.kind = SET if low == high else RUN
            self.phase = TURN
        else:
            if self.kind is OPEN:
                self.kind = SET if low == high == self.high else RUN
            if high > self.high:
                self.high = high
            if low < self.low:
                self.low = low
        self._want()
        self.last_layer = seat
        self.passes = 0
        self.to_move = 1 - seat

    def _want(self) -> None:
        """Notes what continues the lobby."""
        kind = self.kind
        if kind is SET:
            self.wanted = ON_SET[self.high]
            return
        self.wanted = ON_RUN[self.high] if kind is RUN else ON_OPEN[self.high]
        if self.both_ends:
            self.wanted |= BELOW[self.low]

    def _end_round(self) -> None:
        taker = self.last_layer
        if taker == NOBODY:
            if self.ruleset.unclaimed == "other_leader":
                self.leader = 1 - self.leader
        elif self.kind is SET:
            self.scores[taker] += score(self.lobby, SET, self.ruleset.set_scoring)
            self.leader = taker
        else:
            self.scores[taker] += RUN_POINTS[self.low][self.high]
            self.leader = taker
        self.lobby = []
        self.kind = OPEN
        self._refill()

    def _refill(self) -> None:
        """Lets the taker draw to five cards, then the other; then the next round, or the end."""
        leader = self.leader
        if self.left:
            hands = self.hands
            if len(hands[leader]) < HAND_SIZE:
                self.to_move = leader
                self.phase = DRAW
            elif len(hands[1 - leader]) < HAND_SIZE:
                self.to_move = 1 - leader
                self.phase = DRAW
            else:
                self.to_move = leader
                self.phase = LOBBY
        elif self.ruleset.endgame == "stop" or not any(self.hands):
            self.phase = OVER
        else:
            if not self.hands[leader]:
                self.leader = 1 - leader
            self._open_round(LEAD)


def score(taken: Sequence[int], kind: Kind, set_scoring: str = "count") -> int:
    """Points of a taken sequence: its length times the sum of worths, in a set each worth 1 (rules, Scoring)."""
    if kind == SET and set_scoring == "count":
        return len(taken) ** 2
    return len(taken) * sum([WORTH[card >> 2] for card in taken])


def place(some: Iterable[int], hand: list[int]) -> int:
    """The action that lays these cards of the hand, of identical ones the first; `NOT_HELD` where it lacks one."""
    action = 0
    for card in some:
        if card not in hand:
            return NOT_HELD
        i = hand.index(card)
        while action >> i & 1:
            i += 1
            if i == len(hand) or hand[i] != card:
                return NOT_HELD
        action |= 1 << i
    return action
