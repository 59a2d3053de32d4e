"""How strong entrants are, in Elo points with intervals, from their results alone: their order never matters.

The model is Davidson's (1970): with strengths g and a draw parameter v,

    P(i beats j) = g_i / (g_i + g_j + v sqrt(g_i g_j)),    P(draw) = v sqrt(g_i g_j) / (the same),

where 400 points are a factor of 10 in g. The fit is the likelihood's maximum with virtual matches beside the real ones:
each entrant brings one, half won and half lost, against those that it met. docs/ratings.md says why, and how well the
intervals hold. Matches are counted in whole numbers before anything is computed, in the order of the entrants' numbers.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from math import ceil, erfc, exp, inf, log, sqrt
from statistics import NormalDist
from struct import Struct
from typing import NamedTuple
from zlib import crc32

import numpy as np
from numpy.typing import NDArray

from arena.standings import Result

Matrix = NDArray[np.float64]
Counts = NDArray[np.int64]
Linked = NDArray[np.bool_]

LAYERS = {"A": 0, "B": 1, "draw": 2, "none": 3}
"""Where matches are counted, by outcome."""
POINTS = 400 / log(10)
"""Of rating, for a factor of e in strength."""
NORMAL = NormalDist().inv_cdf(0.975)
"""How many standard errors a 95 % interval reaches to each side."""
POWER = NormalDist().inv_cdf(0.8)
GROUP = 400.0
"""Standard error of a whole group's level, in points, where no match links it with the others."""
LEAST_TO_TELL = 6
"""Six matches won in a row are the fewest that tell two entrants apart: by chance it happens in 2 of 64 cases."""
SETTLING = 10
"""Steps at most in which the virtual matches follow the strengths; then they stay, and what is fitted is concave."""
STEPS = 100
LONGEST_STEP = 3.0
"""In logarithms of strength, between two that met, like the next two."""
SETTLED = 0.03
"""A step so short moves the virtual matches no more."""
SHORT_STEP = 1e-7
"""Steps shorten quadratically: the next one would be 1e-14."""
DIGITS = 6
"""Of a rating after the point; equal ones are equal."""
HEAD = Struct("<qd")
"""What packed ratings begin with, after their checksum: the number of entrants, the draw parameter."""
CHECKSUM_BYTES = 4


class Rating(NamedTuple):
    entrant: int
    elo: float
    """In points; the mean of all entrants is 0."""
    error: float
    """Its standard error."""
    matches: int
    """Those that count: a forfeit by both does not."""

    @property
    def interval(self) -> tuple[float, float]:
        """The ends of the 95 % interval."""
        return self.elo - NORMAL * self.error, self.elo + NORMAL * self.error


class Difference(NamedTuple):
    elo: float
    """By how much the first is rated higher."""
    error: float
    p_value: float
    """How often two equal ones would seem to differ at least so much, in either direction."""
    matches: int | None
    """Between the two alone, that would tell at 5 % and 80 % power if they differ as rated; None if they don't."""

    @property
    def interval(self) -> tuple[float, float]:
        """The ends of the 95 % interval."""
        return self.elo - NORMAL * self.error, self.elo + NORMAL * self.error


@dataclass(frozen=True, slots=True, eq=False)
class Ratings:
    places: Mapping[int, int]
    """Where each entrant is in the arrays."""
    draw: float
    """The parameter v: two equals draw v / (2 + v) of their matches. 0 before the first match."""
    elo: Matrix
    covariance: Matrix
    """In squared points."""
    matches: Counts

    def rows(self) -> list[Rating]:
        """All entrants, the highest rating first, equal ones by entrant."""
        errors = np.round(np.sqrt(self.covariance.diagonal()), DIGITS)
        columns = self.elo.tolist(), errors.tolist(), self.matches.tolist()
        rows = [Rating(*row) for row in zip(self.places, *columns, strict=True)]
        return sorted(rows, key=lambda row: (-row.elo, row.entrant))

    def difference(self, a: int, b: int) -> Difference:
        """How sure it is that two entrants differ.

        Raises:
            KeyError: one of them is no entrant.
            ValueError: they are the same.
        """
        if a == b:
            raise ValueError(f"expected two entrants, got {a!r} twice")
        i, j = self.places[a], self.places[b]
        elo = float(self.elo[i] - self.elo[j])
        error = sqrt(self.covariance[i, i] + self.covariance[j, j] - 2 * self.covariance[i, j])
        return Difference(elo, error, erfc(abs(elo) / error / sqrt(2)), matches_to_tell(elo, self.draw))

    def packed(self) -> bytes:
        """All that `unpacked` needs, the covariance in single precision: 2 MB for 1,000 entrants.

        The same results give the same bytes, on one machine.
        """
        columns = np.array(list(self.places), "<i8"), self.matches.astype("<i8"), self.elo.astype("<f8")
        upper = self.covariance[np.triu_indices(len(self.places))].astype("<f4")
        body = HEAD.pack(len(self.places), self.draw) + b"".join(part.tobytes() for part in (*columns, upper))
        return crc32(body).to_bytes(CHECKSUM_BYTES, "little") + body


def unpacked(data: bytes) -> Ratings:
    """The ratings that were packed.

    Raises:
        ValueError: these bytes are not what `Ratings.packed` gave.
    """
    body = data[CHECKSUM_BYTES:]
    if len(body) < HEAD.size or int.from_bytes(data[:CHECKSUM_BYTES], "little") != crc32(body):
        raise ValueError(f"expected packed ratings, got {len(data)} bytes that are none: compute the ratings anew")
    size, draw = HEAD.unpack_from(body)
    entrants, matches = np.frombuffer(body, "<i8", 2 * size, HEAD.size).reshape(2, size)
    elo = np.frombuffer(body, "<f8", size, HEAD.size + 16 * size)
    upper = np.frombuffer(body, "<f4", size * (size + 1) // 2, HEAD.size + 24 * size)
    covariance = np.zeros((size, size))
    end = 0
    for place in range(size):
        start, end = end, end + size - place
        covariance[place, place:] = covariance[place:, place] = upper[start:end]
    places = {entrant: place for place, entrant in enumerate(entrants.tolist())}
    return Ratings(places, draw, elo.astype(float), covariance, matches.astype(np.int64))


def told_of(results: Iterable[Result]) -> set[int]:
    """Entrants of whom a match tells something; who has none would only make the others' ratings less sure.

    A forfeit by both tells nothing.
    """
    return {entrant for result in results if result.outcome != "none" for entrant in (result.a, result.b)}


def rate(results: Iterable[Result | tuple[int, int, str]], entrants: Iterable[int]) -> Ratings:
    """The ratings of all entrants, from results or from their first three fields.

    Results with somebody who is no entrant don't count, nor do forfeits by both.

    Raises:
        ValueError: an outcome is unknown, or somebody played himself.
    """
    places = {entrant: place for place, entrant in enumerate(sorted(set(entrants)))}
    size = len(places)
    pairs = _pairs(results, places)
    together = _together(pairs, size)
    strengths, draw, covariance = _fit(pairs, together) if len(pairs.a) else _nothing_known(size)
    covariance = POINTS**2 * covariance + GROUP**2 * together
    with_mean = covariance.sum(1) / max(size, 1)
    covariance += with_mean.sum() / max(size, 1) - np.add.outer(with_mean, with_mean)
    elo = np.round(POINTS * strengths, DIGITS) + 0.0  # turns -0.0 into 0.0
    matches = _by_entrant(pairs, pairs.played, pairs.played, size).astype(np.int64)
    return Ratings(places, draw, elo, covariance, matches)


def chances(elo: float, draw: float) -> tuple[float, float, float]:
    """How probably a match is won, drawn and lost by who is so many points stronger."""
    upset = exp(-abs(elo) / POINTS / 2)
    of = 1 + draw * upset + upset**2
    high, low = 1 / of, upset**2 / of
    return (high, draw * upset / of, low) if elo >= 0 else (low, draw * upset / of, high)


def matches_to_tell(elo: float, draw: float) -> int | None:
    """How many matches tell two entrants apart that differ so much, at 5 % with a power of 80 %; None if they don't.

    The test is whether the mean score (1, 1/2 or 0) differs from 1/2, both by the normal approximation.
    """
    won, drawn, lost = chances(elo, draw)
    drawn_by_equals = draw / (2 + draw)
    lead = abs(won - lost) / 2
    if not lead:
        return None
    spreads = NORMAL * sqrt(1 - drawn_by_equals) / 2 + POWER * sqrt(won * lost + drawn * (1 - drawn) / 4)
    return max(LEAST_TO_TELL, ceil((spreads / lead) ** 2))


class _Pairs(NamedTuple):
    """Who met, each pair once, in order."""

    a: Counts
    """Places of entrants, as those of `b`, which are the higher ones."""
    b: Counts
    played: Matrix
    won: Matrix
    """By the first."""
    drawn: Matrix


def _pairs(results: Iterable[Result | tuple[int, int, str]], places: Mapping[int, int]) -> _Pairs:
    size = len(places)
    cells = []
    for result in results:
        a, b, outcome = result[:3]
        if outcome not in LAYERS:
            raise ValueError(f"expected an outcome of {', '.join(map(repr, LAYERS))}, got {outcome!r}")
        if a == b:
            raise ValueError(f"expected a match between two entrants, got {a!r} twice")
        if a in places and b in places:
            cells.append((LAYERS[outcome] * size + places[a]) * size + places[b])
    counts = np.bincount(np.array(cells, np.int64), minlength=len(LAYERS) * size**2).reshape(len(LAYERS), size, size)
    won = counts[LAYERS["A"]] + counts[LAYERS["B"]].T
    drawn = counts[LAYERS["draw"]] + counts[LAYERS["draw"]].T
    played = won + won.T + drawn
    first, second = np.nonzero(np.triu(played))
    return _Pairs(first, second, *(each[first, second].astype(float) for each in (played, won, drawn)))


def _together(pairs: _Pairs, size: int) -> Linked:
    """Whether matches link two entrants, directly or by way of others; each one with itself."""
    met = np.zeros((size, size), bool)
    met[pairs.a, pairs.b] = met[pairs.b, pairs.a] = True
    groups = np.full(size, -1)
    for first in range(size):
        if groups[first] == -1:
            groups[first] = first
            found = [first]
            for each in found:
                new = np.flatnonzero(met[each] & (groups == -1))
                groups[new] = first
                found += new.tolist()
    together: Linked = np.equal.outer(groups, groups)
    return together


def _nothing_known(size: int) -> tuple[Matrix, float, Matrix]:
    return np.zeros(size), 0.0, np.zeros((size, size))


def _fit(pairs: _Pairs, together: Linked) -> tuple[Matrix, float, Matrix]:
    """Logarithms of strengths, the draw parameter, and the covariance of the former; each group's mean is 0.

    Newton's method. Matches say nothing of a group's mean, so the information is singular there: `means` makes it
    whole, and is taken off its inverse again.
    """
    size = len(together)
    means = together / together.sum(1)
    draws = pairs.drawn.sum() + 0.5
    half_draw = 0.5 * pairs.played / pairs.played.sum()
    scored = pairs.won + (pairs.drawn + half_draw) / 2
    fitted = np.append(_first_guess(pairs, means), log(2 * draws / (pairs.played.sum() - pairs.drawn.sum() + size)))
    length, settled = inf, False
    for step in range(STEPS):
        expected = _expected(fitted[pairs.a] - fitted[pairs.b], exp(fitted[size]))
        settled = settled or step >= SETTLING or length < SETTLED
        if not settled:
            virtual = _virtual(pairs, expected.variance, 1 - means.diagonal())
            matches = pairs.played + virtual + half_draw
        surplus = scored + virtual / 2 - matches * expected.score
        gradient = np.append(_by_entrant(pairs, surplus, -surplus, size), draws - (matches * expected.draw).sum())
        information = _information(pairs, matches, expected, means)
        move = np.linalg.solve(information, gradient)
        length = max(abs(move[size]), np.abs(move[pairs.a] - move[pairs.b]).max())
        fitted += move * min(1, LONGEST_STEP / max(length, SHORT_STEP))
        if settled and length < SHORT_STEP:
            return fitted[:size], exp(fitted[size]), np.linalg.inv(information)[:size, :size] - means
    raise ArithmeticError(f"expected step {STEPS} to be below {SHORT_STEP}, got {length!r}; report these results")


def _first_guess(pairs: _Pairs, means: Matrix) -> Matrix:
    """Strengths as if everybody had met average opponents alone."""
    size = len(means)
    for_a, for_b = pairs.won + pairs.drawn / 2, pairs.played - pairs.won - pairs.drawn / 2
    scored, lost = _by_entrant(pairs, for_a, for_b, size), _by_entrant(pairs, for_b, for_a, size)
    guess: Matrix = np.log((scored + 0.5) / (lost + 0.5))
    return guess - means @ guess


class _Expected(NamedTuple):
    """Of one match, by pair."""

    score: Matrix
    """The first's: 1 for a win, 1/2 for a draw."""
    variance: Matrix
    """Of the score."""
    draw: Matrix
    """The chance of one."""


def _expected(edges: Matrix, draw: float) -> _Expected:
    upset = np.exp(np.abs(edges) / -2)
    high = 1 / (1 + upset * (draw + upset))
    drawing = draw * upset * high
    low = upset**2 * high
    return _Expected(0.5 + np.copysign(high - low, edges) / 2, high * low + drawing * (1 - drawing) / 4, drawing)


def _virtual(pairs: _Pairs, variance: Matrix, brought: Matrix) -> Matrix:
    """How many virtual matches each pair has: those that each entrant brings, shared out by what its matches tell."""
    told = pairs.played * variance
    of = _by_entrant(pairs, told, told, len(brought))
    shares = np.divide(brought, of, out=np.zeros_like(of), where=of > 0)
    virtual: Matrix = told * (shares[pairs.a] + shares[pairs.b])
    return virtual


def _information(pairs: _Pairs, matches: Matrix, expected: _Expected, means: Matrix) -> Matrix:
    """Of the logarithms of strengths, and last of the draw parameter."""
    size = len(means)
    told, drawn = matches * expected.variance, matches * expected.draw
    shared = drawn * (0.5 - expected.score)
    whole = np.zeros((size + 1, size + 1))
    whole[pairs.a, pairs.b] = -told
    whole += whole.T
    whole[:size, :size] += means
    whole[range(size), range(size)] += _by_entrant(pairs, told, told, size)
    whole[size, :size] = whole[:size, size] = _by_entrant(pairs, shared, -shared, size)
    whole[size, size] = (drawn * (1 - expected.draw)).sum()
    return whole


def _by_entrant(pairs: _Pairs, first: Matrix, second: Matrix, size: int) -> Matrix:
    """The sums over its pairs: of `first` where it is the first of a pair, of `second` elsewhere."""
    sums = np.zeros(size)
    sums += np.bincount(pairs.a, first, size)
    sums += np.bincount(pairs.b, second, size)
    return sums
