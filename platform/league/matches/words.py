"""The words of a replay in the language of its page: names of suits and ranks, cards, times."""

from __future__ import annotations

from collections.abc import Iterable
from functools import lru_cache

from django.utils import translation
from django.utils.formats import number_format
from django.utils.translation import gettext_noop, pgettext_lazy

GLYPHS = {"C": "♣\ufe0e", "D": "♦\ufe0e", "H": "♥\ufe0e", "S": "♠\ufe0e"}
SUIT_NAMES = {
    "C": gettext_noop("clubs"),
    "D": gettext_noop("diamonds"),
    "H": gettext_noop("hearts"),
    "S": gettext_noop("spades"),
}
RANKS = {
    "T": "10",
    "J": pgettext_lazy("card", "J"),
    "Q": pgettext_lazy("card", "Q"),
    "K": pgettext_lazy("card", "K"),
    "A": pgettext_lazy("card", "A"),
}
SECONDS = gettext_noop("%(count)s s")
MILLISECONDS = gettext_noop("%(count)s ms")
LESS = gettext_noop("< %(count)s ms")
TICK_S = 1e-4  # records are no finer


class Words:
    """What a replay says in the language of the page: each word is looked up once, not at each move."""

    def __init__(self) -> None:
        self._known: dict[str, str] = {}

    def said(self, message: str) -> str:
        """That message in the language."""
        known = self._known.get(message)
        if known is None:
            known = self._known[message] = translation.gettext(message)
        return known

    def cards(self, cards: Iterable[str]) -> str:
        """Cards as text for people: `10♥ J♥`."""
        return " ".join([self._card(card) for card in cards])

    def _card(self, card: str) -> str:
        known = self._known.get(card)
        if known is None:
            known = self._known[card] = str(RANKS.get(card[0], card[0])) + GLYPHS[card[1]]
        return known

    def duration(self, seconds: float) -> str:
        """A time as it is read at a glance: `< 0.1 ms`, `0.3 ms`, `140 ms`, `1.25 s`."""
        # Formatting by itself would cut off the digits that are too many.
        if seconds >= 1:
            return _figure(self, SECONDS, round(seconds, 2), 2)
        if seconds < TICK_S:
            return _figure(self, LESS, TICK_S * 1_000, 1)
        digits = 0 if seconds >= 0.1 else 1
        return _figure(self, MILLISECONDS, round(seconds * 1_000, digits), digits)


@lru_cache(maxsize=4_096)
def _figure(words: Words, message: str, number: float, digits: int) -> str:
    return words.said(message) % {"count": number_format(number, digits)}


def words() -> Words:
    """Those of the language of the page."""
    return _words_of(translation.get_language())


@lru_cache(maxsize=8)
def _words_of(_language: str | None) -> Words:
    return Words()


def shown(cards: Iterable[str]) -> str:
    """Cards as text for people: `10♥ J♥`."""
    return words().cards(cards)


def duration(seconds: float) -> str:
    """The time as `Words.duration` has it in the language of the page."""
    return words().duration(seconds)


def suit_name(suit: str) -> str:
    return translation.gettext(SUIT_NAMES[suit])


def rank_name(rank: str) -> str:
    """A rank of the notation as it stands on a card: `10` for `T`."""
    return str(RANKS.get(rank, rank))
