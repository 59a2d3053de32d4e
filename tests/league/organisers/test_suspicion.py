from __future__ import annotations

from itertools import combinations
from random import Random

import pytest

from arena.standings import Result
from league.organisers.suspicion import LEVEL, suspects

GAMES = 12
POINTS_A_GAME = 30
SPREAD_A_GAME = 14
"""Of one side's points; both are about those of the house bots."""


def honest(chance: Random, bots: int, legs: int = 1, forfeits: float = 0.01) -> list[Result]:
    """A round robin of bots of different strengths, some of which forfeit a match now and then."""
    strengths = [chance.gauss(0, 2) for _ in range(bots)]
    return [
        match(chance, a, b, strengths[a] - strengths[b], chance.random() < forfeits)
        for a, b in combinations(range(bots), 2)
        for _ in range(legs)
    ]


def match(chance: Random, a: int, b: int, edge: float, is_forfeited: bool = False) -> Result:
    if is_forfeited:
        return Result(a, b, "B", 0, 1200, "A")
    mine, his = (
        sum(max(0, round(chance.gauss(POINTS_A_GAME + lead / 2, SPREAD_A_GAME))) for _ in range(GAMES))
        for lead in (edge, -edge)
    )
    return Result(a, b, "A" if mine > his else "B" if his > mine else "draw", mine, his, "")


def thrown(results: list[Result], winner: int, loser: int, by: int | None) -> list[Result]:
    """Those results, but the matches between these two lost by so many points, or forfeited."""
    both = {winner, loser}
    seat = "A" if winner < loser else "B"
    points = (1200, 0) if by is None else (180 + by, 180)
    told = Result(
        min(both), max(both), seat, *(points if seat == "A" else points[::-1]),
        "" if by is not None else "B" if seat == "A" else "A",
    )  # fmt: skip
    return [told if {result.a, result.b} == both else result for result in results]


def test_honest_tables_are_hardly_ever_flagged() -> None:
    chance = Random(1)
    flagged = sum(bool(suspects(honest(chance, 16), range(16))) for _ in range(150))
    assert flagged <= 4  # 1.5 are expected at most; more than 4 come in 2 of 100 such runs


def test_the_level_holds_for_many_pairs_too() -> None:
    """4,950 pairs: without a correction about 50 would be below the level."""
    assert suspects(honest(Random(2), 100), range(100)) == []


def test_a_match_that_is_lost_on_purpose_is_flagged() -> None:
    """Honest differences scatter by 14 · √24 ≈ 69 points: 480 are far beyond."""
    for seed in range(5):
        results = thrown(honest(Random(seed), 20), winner=3, loser=7, by=480)
        assert [(each.a, each.b) for each in suspects(results, range(20))] == [(3, 7)], seed


def test_a_friend_who_forfeits_every_match_is_flagged_by_the_outcomes() -> None:
    chance = Random(4)
    results = [
        match(chance, a, b, 6.0 * (b - a), is_forfeited=False) for a, b in combinations(range(8), 2) for _ in range(8)
    ]
    results = thrown(results, winner=7, loser=0, by=None)
    (found,) = suspects(results, range(8))
    assert (found.a, found.b, found.matches, found.score) == (0, 7, 8, 0)
    assert found.expected_score > 4
    assert (found.difference, found.expected_difference) == (None, None)
    assert found.p_value < LEVEL


def test_what_is_told_is_seen_from_the_first_of_the_pair() -> None:
    results = thrown(honest(Random(5), 20), winner=7, loser=3, by=480)
    turned = [
        Result(each.b, each.a, {"A": "B", "B": "A"}.get(each.outcome, each.outcome), each.points_b, each.points_a,
               {"A": "B", "B": "A"}.get(each.forfeits, each.forfeits))
        for each in results
    ]  # fmt: skip
    (found,) = suspects(results, range(20))
    assert (found.a, found.b, found.score, found.difference) == (3, 7, 0, -480)
    (again,) = suspects(turned, range(20))
    assert again == pytest.approx(found)


@pytest.mark.parametrize(
    "results",
    [
        [],
        [Result(1, 2, "none", 0, 0, "AB")],
        [Result(1, 2, "A", 400, 0, "")],
        [Result(1, 2, "draw", 200, 200, "")] * 30,
        [Result(1, 2, "A", 1200, 0, "B")] * 30,
    ],
)
def test_too_little_tells_nothing(results: list[Result]) -> None:
    assert suspects(results, [1, 2, 3]) == []
