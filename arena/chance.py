"""All chance of a match, as a pure function of the seed: `docs/rules.md`, Chance.

Every draw is the SHA-512 of a line of ASCII text read as a big-endian integer:

    candidate/1 seed=S lot                          lowest bit: the first dealer, 0 = A, 1 = B
    candidate/1 seed=S game=G decks=D pile=X        order of pile X (C, D, H or S) in game G (1, 2, ...)

A pile starts in ascending order, each rank `D` times. For i from its last index down to 1 the integer is
divided by i + 1: the quotient goes on, the remainder j names the card that changes places with card i. Index 0
is the top.

512 bits against at most 39! (2^153) orders leave a bias below 2^-358.
"""

from __future__ import annotations

from hashlib import sha512
from math import factorial

from arena.cards import SUITS

SEED_BITS = 63
SORTED = {
    decks: tuple([tuple([card for card in range(suit, 52, 4) for _ in range(decks)]) for suit in range(4)])
    for decks in (1, 2, 3)
}
"""By the number of decks and suit, the pile before it is shuffled."""
ORDERS = {decks: factorial(13 * decks) for decks in (1, 2, 3)}
"""By the number of decks, in how many orders a pile can lie."""


def _draw(line: str) -> int:
    return int.from_bytes(sha512(f"candidate/1 {line}".encode("ascii")).digest(), "big")


def first_dealer(seed: int) -> int:
    """The seat that deals game 1, by lot: 0 or 1."""
    return _draw(f"seed={seed} lot") & 1


def dealer(seed: int, game: int) -> int:
    """The seat that deals that game (1, 2, ...): the deal alternates."""
    return (first_dealer(seed) + game - 1) & 1


def piles(seed: int, game: int, decks: int) -> tuple[list[int], list[int], list[int], list[int]]:
    """The four shuffled piles of that game (1, 2, ...) as lists of card values, top card first."""
    clubs, diamonds, hearts, spades = (_pile(seed, game, decks, suit) for suit in range(4))
    return clubs, diamonds, hearts, spades


def _pile(seed: int, game: int, decks: int, suit: int) -> list[int]:
    number = _draw(f"seed={seed} game={game} decks={decks} pile={SUITS[suit]}")
    pile = [*SORTED[decks][suit]]
    number %= ORDERS[decks]  # the same remainders, from a smaller number
    for i in range(len(pile) - 1, 0, -1):
        number, j = divmod(number, i + 1)
        pile[i], pile[j] = pile[j], pile[i]
    return pile
