"""The game a second time, from docs/rules.md alone, to hold the engine against: by definition, plain and slow.

It shares nothing with `arena`. A card is its text, such as `9S`; a choice is a text as well: the suit of a pile, the
cards of a lay in ascending order, such as `TH JH`, or `pass`. A table never changes: an action makes another one.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from hashlib import sha512
from itertools import combinations
from typing import Any, NamedTuple

RANKS = "23456789TJQKA"
SUITS = "CDHS"
PASS = "pass"

Cards = tuple[str, ...]
Rules = Mapping[str, Any]
"""The options of the ruleset by name."""


class Table(NamedTuple):
    """A game between two actions."""

    phase: str
    """`deal`, `lobby`, `turn`, `draw`, `lead` or `over`."""
    to_move: int
    dealer: int
    leader: int
    piles: tuple[Cards, Cards, Cards, Cards]
    """Clubs, diamonds, hearts, spades, each with its top card first."""
    hands: tuple[Cards, Cards]
    """Of seats 0 and 1, ascending."""
    lobby: Cards = ()
    last_layer: int | None = None
    passes: int = 0
    """In a row."""
    gone: tuple[tuple[int | None, Cards], ...] = ()
    """Each lobby that left the table, and who took it; nobody if it went unclaimed."""


def first_dealer(seed: int) -> int:
    return _number(f"seed={seed} lot") % 2


def shuffled(seed: int, game: int, decks: int) -> tuple[Cards, Cards, Cards, Cards]:
    """The piles of that game (1, 2, ...) in the order of suits, each with its top card first."""
    clubs, diamonds, hearts, spades = (_pile(seed, game, decks, suit) for suit in SUITS)
    return clubs, diamonds, hearts, spades


def _pile(seed: int, game: int, decks: int, suit: str) -> Cards:
    pile = [rank + suit for rank in RANKS for _ in range(decks)]
    number = _number(f"seed={seed} game={game} decks={decks} pile={suit}")
    for i in reversed(range(1, len(pile))):
        j = number % (i + 1)
        number = number // (i + 1)
        pile[i], pile[j] = pile[j], pile[i]
    return tuple(pile)


def _number(line: str) -> int:
    return int(sha512(f"candidate/1 {line}".encode()).hexdigest(), 16)


def undealt(piles: tuple[Cards, Cards, Cards, Cards], dealer: int) -> Table:
    """A game before its deal; who moves first, the dealer's opponent, leads the first round."""
    return Table("deal", dealer, dealer, 1 - dealer, piles, ((), ()))


def ascending(some: Iterable[str]) -> Cards:
    return tuple(sorted(some, key=lambda card: (RANKS.index(card[0]), SUITS.index(card[1]))))


def is_set(some: Cards) -> bool:
    return len(some) > 1 and len({card[0] for card in some}) == 1


def is_run(some: Cards) -> bool:
    """Whether each card is of the next rank above the one before."""
    ranks = [RANKS.index(card[0]) for card in some]
    return len(some) > 1 and ranks == [ranks[0] + i for i in range(len(ranks))]


def continues(rules: Rules, lobby: Cards, lay: Cards) -> bool:
    """Whether these cards, ascending, may be laid on that lobby."""
    whole = lobby + lay
    if rules["run_direction"] == "both":
        whole = ascending(whole)
    return is_set(whole) or is_run(whole)


def opens(lay: Cards) -> bool:
    """Whether these cards, ascending, may open a round of the endgame."""
    return len(lay) == 1 or is_set(lay) or is_run(lay)


def choices(rules: Rules, table: Table) -> set[str]:
    """What the player to move may do; nothing when the game is over."""
    if table.phase == "over":
        return set()
    if table.phase in ("deal", "lobby", "draw"):
        return {suit for suit, pile in zip(SUITS, table.piles, strict=True) if pile}
    hand = table.hands[table.to_move]
    lays = {lay for size in range(1, len(hand) + 1) for lay in combinations(hand, size)}
    if table.phase == "lead":
        return {" ".join(lay) for lay in lays if opens(lay)}
    return {PASS} | {" ".join(lay) for lay in lays if continues(rules, table.lobby, lay)}


def after(rules: Rules, table: Table, choice: str) -> Table:
    """The table once the player to move has done that, which must be one of its choices."""
    if choice == PASS:
        return _after_pass(rules, table)
    if choice in tuple(SUITS):
        return _after_taking(rules, table, SUITS.index(choice))
    mover = table.to_move
    hand = list(table.hands[mover])
    for card in choice.split():
        hand.remove(card)
    return table._replace(
        phase="turn",
        to_move=1 - mover,
        hands=_with_hand(table, mover, hand),
        lobby=table.lobby + tuple(choice.split()),
        last_layer=mover,
        passes=0,
    )


def _after_pass(rules: Rules, table: Table) -> Table:
    if table.passes == 0:
        return table._replace(to_move=1 - table.to_move, passes=1)
    leader = table.last_layer
    if leader is None:
        leader = table.leader if rules["unclaimed"] == "same_leader" else 1 - table.leader
    gone = (*table.gone, (table.last_layer, table.lobby))
    return _between_rounds(rules, table._replace(leader=leader, lobby=(), last_layer=None, passes=0, gone=gone))


def _after_taking(rules: Rules, table: Table, suit: int) -> Table:
    pile = table.piles[suit]
    if table.phase == "deal":
        opponent, dealer = ascending(pile[0:10:2]), ascending(pile[1:10:2])
        hands = (dealer, opponent) if table.dealer == 0 else (opponent, dealer)
        return table._replace(phase="lobby", piles=_with_pile(table, suit, pile[10:]), hands=hands)
    table = table._replace(piles=_with_pile(table, suit, pile[1:]))
    if table.phase == "lobby":
        return table._replace(phase="turn", to_move=table.leader, lobby=pile[:1])
    drawer = table.to_move
    return _between_rounds(rules, table._replace(hands=_with_hand(table, drawer, table.hands[drawer] + pile[:1])))


def _between_rounds(rules: Rules, table: Table) -> Table:
    """The table with what comes next: a draw, the leader first, the next round, or the end."""
    leader, other = table.leader, 1 - table.leader
    if any(table.piles):
        for seat in (leader, other):
            if len(table.hands[seat]) < 5:
                return table._replace(phase="draw", to_move=seat)
        return table._replace(phase="lobby", to_move=leader)
    if rules["endgame"] == "stop" or table.hands == ((), ()):
        return table._replace(phase="over")
    if not table.hands[leader]:
        leader = other
    return table._replace(phase="lead", leader=leader, to_move=leader)


def _with_pile(table: Table, suit: int, pile: Cards) -> tuple[Cards, Cards, Cards, Cards]:
    clubs, diamonds, hearts, spades = (pile if i == suit else each for i, each in enumerate(table.piles))
    return clubs, diamonds, hearts, spades


def _with_hand(table: Table, seat: int, hand: Iterable[str]) -> tuple[Cards, Cards]:
    a, b = (ascending(hand) if i == seat else each for i, each in enumerate(table.hands))
    return a, b


def points(rules: Rules, taken: Cards) -> int:
    """What that lobby scores."""
    if is_set(taken) and rules["set_scoring"] == "count":
        return len(taken) * len(taken)
    return len(taken) * sum(2 if card[0] in "JQKA" else 1 for card in taken)


def scores(rules: Rules, table: Table) -> tuple[int, int]:
    a, b = (sum(points(rules, cards) for taker, cards in table.gone if taker == seat) for seat in range(2))
    return a, b
