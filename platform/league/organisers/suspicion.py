"""Pairs whose results are far from what everything else says of them: a pure function of the results.

Each pair of a table is asked two questions. Do its outcomes fit the ratings? By the chances that these give for each
match, how likely is a score at least as far out. And do its points fit what both usually have? Each entrant has a
strength in points, fitted by least squares so that the difference of two predicts the difference of points of their
match; how far a pair is off is measured in externally studentised residuals, which follow Student's distribution
where honest differences scatter alike.

All questions of a table are one family: by Holm's method no honest table gets as much as one flag in 99 of 100 cases.
docs/organising.md says what that can and can't find.
"""

from collections import defaultdict
from collections.abc import Iterable, Sequence
from math import erfc, inf, log1p, sqrt
from typing import NamedTuple

from arena.rating import Ratings, chances, rate
from arena.standings import Result

LEVEL = 0.01
"""How often an honest table may get a flag."""
LEAST_FREEDOM = 20
"""Degrees of freedom that points need before they tell anything."""
SWEEPS = 200
SETTLED = 1e-6
"""Of a match's points."""
SCORES = {"A": 2, "draw": 1, "B": 0}
"""Of the first, in halves."""


class Suspect(NamedTuple):
    """A pair and why it stands out."""

    a: int
    b: int
    matches: int
    score: float
    """Of the first: 1 for a win, 1/2 for a draw."""
    expected_score: float
    difference: float | None
    """Points of the first more than the second's, in an average match that nobody forfeited."""
    expected_difference: float | None
    p_value: float
    """Adjusted for all that was asked: below `LEVEL`."""


class _Pair(NamedTuple):
    a: int
    b: int
    outcomes: list[str]
    differences: list[int]


def suspects(results: Iterable[Result], entrants: Iterable[int]) -> list[Suspect]:
    """The pairs that stand out, the least likely first. A forfeit by both tells nothing, any other one no points."""
    counted = [result for result in results if result.outcome in SCORES]
    pairs = _pairs(counted)
    ratings = rate(counted, entrants)
    strengths = _strengths(pairs)
    by_points = _by_points(pairs, strengths)
    asked = [(_by_outcomes(pair, ratings), pair) for pair in pairs]
    asked += [(p_value, pair) for p_value, pair in zip(by_points, pairs, strict=True) if p_value is not None]
    found: dict[tuple[int, int], Suspect] = {}
    for p_value, pair in _holm(asked):
        found.setdefault((pair.a, pair.b), _suspect(pair, ratings, strengths, p_value))
    return list(found.values())


def _pairs(results: Iterable[Result]) -> list[_Pair]:
    """Those that met, the lower number first."""
    pairs: dict[tuple[int, int], _Pair] = {}
    for result in results:
        a, b = sorted((result.a, result.b))
        pair = pairs.setdefault((a, b), _Pair(a, b, [], []))
        is_turned = a != result.a
        turned = {"A": "B", "B": "A", "draw": "draw"}
        pair.outcomes.append(turned[result.outcome] if is_turned else result.outcome)
        if not result.forfeits:
            difference = result.points_a - result.points_b
            pair.differences.append(-difference if is_turned else difference)
    return [pairs[both] for both in sorted(pairs)]


def _by_outcomes(pair: _Pair, ratings: Ratings) -> float:
    """How likely a score at least so far out is, to either side."""
    odds = _odds(pair, ratings)
    spread = [1.0]
    for _ in pair.outcomes:
        longer = [0.0] * (len(spread) + 2)
        for score, chance in enumerate(spread):
            for more, odd in enumerate(odds):
                longer[score + more] += chance * odd
        spread = longer
    score = sum(SCORES[outcome] for outcome in pair.outcomes)
    return min(1.0, 2 * min(sum(spread[: score + 1]), sum(spread[score:])))


def _odds(pair: _Pair, ratings: Ratings) -> tuple[float, float, float]:
    """That a match is lost, drawn and won by the first."""
    elo = ratings.elo[ratings.places[pair.a]] - ratings.elo[ratings.places[pair.b]]
    won, drawn, lost = chances(float(elo), ratings.draw)
    return lost, drawn, won


def _strengths(pairs: Sequence[_Pair]) -> dict[int, float]:
    """In points of a match, by least squares: each is the mean of what its matches say, given the others."""
    met: defaultdict[int, list[tuple[int, int, int]]] = defaultdict(list)
    for pair in pairs:
        if pair.differences:
            count, total = len(pair.differences), sum(pair.differences)
            met[pair.a].append((pair.b, count, total))
            met[pair.b].append((pair.a, count, -total))
    strengths = dict.fromkeys(met, 0.0)
    for _ in range(SWEEPS):
        moved = 0.0
        for entrant, others in met.items():
            said = sum(total + count * strengths[other] for other, count, total in others)
            strength = said / sum(count for _, count, _ in others)
            moved = max(moved, abs(strength - strengths[entrant]))
            strengths[entrant] = strength
        if moved < SETTLED:
            break
    return strengths


def _by_points(pairs: Sequence[_Pair], strengths: dict[int, float]) -> list[float | None]:
    """How likely points so far from the expected are, for each pair; None where they tell nothing."""
    matches: defaultdict[int, int] = defaultdict(int)
    for pair in pairs:
        matches[pair.a] += len(pair.differences)
        matches[pair.b] += len(pair.differences)
    told = sum(len(pair.differences) for pair in pairs)
    freedom = told - len(strengths)
    if freedom < LEAST_FREEDOM:
        return [None] * len(pairs)
    squares = sum((each - strengths[pair.a] + strengths[pair.b]) ** 2 for pair in pairs for each in pair.differences)
    return [_off(pair, strengths, matches, squares, freedom) for pair in pairs]


def _off(
    pair: _Pair, strengths: dict[int, float], matches: dict[int, int], squares: float, freedom: int
) -> float | None:
    count = len(pair.differences)
    # How far a pair's own matches pull the fit towards them, as where everybody has met everybody.
    leverage = count * (1 / matches[pair.a] + 1 / matches[pair.b]) if count else 1.0
    if leverage >= 1 or not squares:
        return None
    residual = sum(pair.differences) / count - strengths[pair.a] + strengths[pair.b]
    own = residual**2 * count / (1 - leverage)
    left = squares - own
    studentised = sqrt(own * (freedom - 1) / left) if left > 0 else inf
    return _student(studentised, freedom - 1)


def _student(t: float, freedom: int) -> float:
    """How likely Student's t is at least so far from 0; Wallace's approximation, good to 2 % of z."""
    if t == inf:
        return 0.0
    z = sqrt(freedom * log1p(t**2 / freedom)) * (8 * freedom + 1) / (8 * freedom + 3)
    return erfc(z / sqrt(2))


def _holm(asked: Sequence[tuple[float, _Pair]]) -> list[tuple[float, _Pair]]:
    """Those that stand out of all, with their adjusted values."""
    found = []
    adjusted = 0.0
    for place, (p_value, pair) in enumerate(sorted(asked, key=lambda each: each[0])):
        adjusted = max(adjusted, p_value * (len(asked) - place))
        if adjusted >= LEVEL:
            break
        found.append((adjusted, pair))
    return found


def _suspect(pair: _Pair, ratings: Ratings, strengths: dict[int, float], p_value: float) -> Suspect:
    matches, count = len(pair.outcomes), len(pair.differences)
    _lost, drawn, won = _odds(pair, ratings)
    return Suspect(
        a=pair.a,
        b=pair.b,
        matches=matches,
        score=sum(SCORES[outcome] for outcome in pair.outcomes) / 2,
        expected_score=matches * (won + drawn / 2),
        difference=sum(pair.differences) / count if count else None,
        expected_difference=strengths[pair.a] - strengths[pair.b] if count else None,
        p_value=p_value,
    )
