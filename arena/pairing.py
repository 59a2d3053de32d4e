"""Who plays whom."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import combinations
from typing import TypeVar

Entrant = TypeVar("Entrant")


def round_robin(entrants: Iterable[Entrant]) -> Iterator[tuple[Entrant, Entrant]]:
    """Every pair of entrants once, in their order."""
    return combinations(entrants, 2)


def pairs_with(entrant: int, others: Iterable[int]) -> Iterator[tuple[int, int]]:
    """The pairs of one entrant with each other one, the lower number first."""
    for other in others:
        if other != entrant:
            yield min(entrant, other), max(entrant, other)
