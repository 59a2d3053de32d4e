"""Who met whom: every pair at most once, while both versions played."""

from math import isqrt
from random import Random

from league.operations.seeding.population import Entrant

Pair = tuple[Entrant, Entrant]
TRIES = 20


class TooFewPairs(ValueError):  # noqa: N818 - nothing is wrong with the numbers each by itself
    """The bots have fewer pairs than matches were asked for."""


def of_playing(chance: Random, entrants: list[Entrant], busiest: Entrant | None, number: int) -> list[Pair]:
    """That many pairs of entrants, at random; the busiest has met everybody, if the number allows it.

    Raises:
        TooFewPairs: there are not so many.
    """
    total = len(entrants) * (len(entrants) - 1) // 2
    if number > total:
        raise TooFewPairs(f"{len(entrants):,} bots that play have {total:,} pairs; asked for were {number:,} of them")
    chosen: set[tuple[int, int]] = set()
    if busiest and number >= len(entrants):
        first = entrants.index(busiest)
        chosen = {(min(first, other), max(first, other)) for other in range(len(entrants)) if other != first}
    for index in chance.sample(range(total), number):
        if len(chosen) == number:
            break
        chosen.add(_pair_at(index))
    return [(entrants[a], entrants[b]) for a, b in sorted(chosen)]


def of_replaced(chance: Random, replaced: list[Entrant], everybody: list[Entrant], number: int) -> list[Pair]:
    """At most that many pairs of a version that was replaced since with one that played when it did."""
    place = {id(entrant): index for index, entrant in enumerate(everybody)}
    chosen: set[tuple[int, int]] = set()
    for _ in range(number * TRIES if replaced else 0):
        if len(chosen) == number:
            break
        one, other = chance.choice(replaced), chance.choice(everybody)
        if one.version.bot is not other.version.bot and _met(one, other):
            a, b = sorted((place[id(one)], place[id(other)]))
            chosen.add((a, b))
    return [(everybody[a], everybody[b]) for a, b in sorted(chosen)]


def _pair_at(index: int) -> tuple[int, int]:
    """The pairs of 0, 1, 2, ... in the order (0, 1), (0, 2), (1, 2), (0, 3), ..., by their place in it."""
    b = (1 + isqrt(1 + 8 * index)) // 2
    return index - b * (b - 1) // 2, b


def _met(one: Entrant, other: Entrant) -> bool:
    """Whether both played at one time."""
    return all(first.until is None or first.until > second.since for first, second in ((one, other), (other, one)))
