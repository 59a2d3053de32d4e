"""Which cards of a hand may be laid.

That depends on the hand's ranks, on which of its cards are identical, and on the lobby's ends; not on suits. A hand's
counts are an octal number with a digit for each rank, and the answers to counts are worked out once. Lays are actions
of `arena.state`: bit i stands for the i-th card of the hand.
"""

from __future__ import annotations

from collections.abc import Iterable
from enum import IntEnum
from functools import cache, lru_cache

PASS = 0
BLANK = 64


class Kind(IntEnum):
    OPEN = 0
    """One card, or none: a run and a set are both possible."""
    RUN = 1
    SET = 2


OPEN, RUN, SET = Kind

DIGIT = 3
"""Bits of a rank's digit in a hand's counts."""
COUNT = tuple([1 << DIGIT * (card >> 2) for card in range(BLANK + 4)])
"""What each card adds to a hand's counts."""
ON_OPEN, ON_RUN, ON_SET = [tuple([digits << DIGIT * high for high in range(13)]) for digits in (0o77, 0o70, 0o07)]
"""By the lobby's highest rank: the digits of the ranks from there on that a lay can begin with."""
BELOW = (0, *[7 << DIGIT * low for low in range(12)])
"""By the lobby's lowest rank: the digit of the rank below it."""
REACH = 0o777777
"""The digits of the ranks that a lay can hold: a hand has five cards."""
ONLY_PASS = (PASS,)


def count(hand: Iterable[int]) -> int:
    """A hand's counts: octal, the digit of rank index r has the place value 8 ** r."""
    return sum([COUNT[card] for card in hand])


def twins_of(hand: list[int]) -> int:
    """Bit i is set where the hand's i-th card is identical to the one before."""
    return sum([1 << i for i in range(1, len(hand)) if hand[i] == hand[i - 1]])


def total(counts: int) -> int:
    """How many cards these are, by casting out sevens: the digits' sum is below 7."""
    return counts % 7


@cache
def answers(upward: int, below: int, kind: Kind, twins: int = 0) -> tuple[int, ...]:
    """The legal actions of a hand in its turn.

    Args:
        upward: Counts from the lobby's highest rank on.
        below: How many cards of lower rank the hand has.
        kind: Of the lobby.
        twins: See `twins_of`.
    """
    twins >>= below
    lays: list[int] = []
    if kind is not RUN:
        lays += _sets(upward, 0, twins)
    if kind is not SET:
        lays += _runs(upward, 1, 1, twins)
    return PASS, *[lay << below for lay in lays]


@lru_cache(maxsize=1 << 14)
def answers_at_both_ends(counts: int, low: int, high: int, kind: Kind, twins: int) -> tuple[int, ...]:
    """The legal actions of a hand with these counts, where runs go on downward as well."""
    lays = [PASS]
    if kind is not RUN:
        lays += _sets(counts, high, twins)
    if kind is not SET:
        up = _runs(counts, high + 1, 1, twins)
        down = _runs(counts, low - 1, -1, twins)
        lays += up
        lays += down
        lays += [above | below for above in up for below in down]
    return tuple(lays)


@cache
def leads(counts: int, twins: int) -> tuple[int, ...]:
    """The lays that a hand can lead; its counts are from its lowest rank on."""
    lays: list[int] = []
    rank = 0
    while counts >> DIGIT * rank:
        lays += _runs(counts, rank, 1, twins)
        lays += [lay for lay in _sets(counts, rank, twins) if lay & (lay - 1)]
        rank += 1
    return tuple(lays)


def _runs(counts: int, rank: int, step: int, twins: int) -> list[int]:
    """Lays that take one card of `rank`, then of the ranks next to it upward (step 1) or downward (-1)."""
    lays: list[int] = []
    ends = [0]
    while rank >= 0:
        bits = [bit for bit in _bits(counts, rank) if not bit & twins]
        if not bits:
            break
        ends = [end | bit for end in ends for bit in bits]
        lays += ends
        rank += step
    return lays


def _sets(counts: int, rank: int, twins: int) -> list[int]:
    """Lays that take any number of cards of `rank`; of identical cards the first ones."""
    lays: list[int] = []
    for bit in _bits(counts, rank):
        if bit & twins:
            lays += [lay | bit for lay in lays if lay & (bit >> 1)]
        else:
            lays += [*[lay | bit for lay in lays], bit]
    return lays


def _bits(counts: int, rank: int) -> list[int]:
    """The action bit of each card of that rank."""
    digit = DIGIT * rank
    first = total(counts & ((1 << digit) - 1))
    return [1 << i for i in range(first, first + (counts >> digit & 7))]
