"""Cards and their notation: rank then suit, `9S`, `TH`, `AD`."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

RANKS = "23456789TJQKA"
SUITS = "CDHS"
HONOURS_FROM = RANKS.index("J")


class ParseError(ValueError):
    """A text that is no card, action or game in this notation."""


class Card(int):
    """One of the 52 cards; as an int `(rank - 2) * 4 + suit index`, so that cards sort by rank, then suit.

    Equal cards of several decks are the same object: `CARDS[int(card)]`.
    """

    rank: int
    """2 to 14; jack 11, queen 12, king 13, ace 14 (always high)."""
    suit: str
    """One of `SUITS`: the pile that the card came from."""
    worth: int
    """1 for 2 to 10, 2 for jack to ace (rules, Scoring)."""
    text: str

    def __new__(cls, value: int) -> Card:
        """The card of that value, 0 to 51."""
        return CARDS[value]

    def __str__(self) -> str:
        return self.text

    __repr__ = __str__

    def __format__(self, spec: str) -> str:
        return format(self.text, spec)

    def __reduce__(self) -> tuple[Any, ...]:
        return (Card, (int(self),))

    def __copy__(self) -> Card:
        return self

    def __deepcopy__(self, memo: object) -> Card:
        return self


def _make(value: int) -> Card:
    made = int.__new__(Card, value)
    rank, suit = divmod(value, 4)
    made.rank = rank + 2
    made.suit = SUITS[suit]
    made.worth = 2 if rank >= HONOURS_FROM else 1
    made.text = RANKS[rank] + SUITS[suit]
    return made


CARDS: tuple[Card, ...] = tuple(_make(value) for value in range(52))
BY_TEXT: dict[str, Card] = {each.text: each for each in CARDS}


def card(notation: str) -> Card:
    """The card written so, exactly: no lower case, no spaces.

    Raises:
        ParseError: it is no card.
    """
    try:
        return BY_TEXT[notation]
    except (KeyError, TypeError):
        raise ParseError(
            f"expected a card as rank ({RANKS}) and suit ({SUITS}), such as '9S', got {notation!r:.40}"
        ) from None


def cards(notation: str) -> tuple[Card, ...]:
    """The cards of a text such as `9S TH`, in its order; an empty text gives none.

    Raises:
        ParseError: a word of it is no card.
    """
    return tuple(card(word) for word in notation.split())


def text(some: Iterable[int]) -> str:
    """The cards in notation, in their order, separated by spaces."""
    return " ".join(CARDS[each].text for each in some)
