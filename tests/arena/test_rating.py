"""Ratings: beside closed forms, the likelihood's own slope, and leagues whose strengths are known."""

from collections import Counter
from itertools import combinations
from math import exp, log, log10, sqrt
from random import Random

import pytest
from documents import DOCS, run
from hypothesis import given, settings
from hypothesis import strategies as st

from arena.rating import GROUP, POINTS, Rating, chances, matches_to_tell, rate, unpacked
from arena.standings import Result

OUTCOMES = ["A", "B", "draw", "none"]
leagues = st.lists(st.tuples(st.integers(1, 4), st.integers(5, 8), st.sampled_from(OUTCOMES)), max_size=40)


def play(strengths: list[float], draw: float, matches: int, rng: Random) -> list[tuple[int, int, str]]:
    """So many matches of each pair, drawn by the model."""
    return [
        (a, b, outcome)
        for a, b in combinations(range(len(strengths)), 2)
        for outcome in rng.choices(["A", "draw", "B"], chances(strengths[a] - strengths[b], draw), k=matches)
    ]


def by_entrant(results: list[tuple[int, int, str]], entrants: range) -> dict[int, Rating]:
    return {row.entrant: row for row in rate(results, entrants).rows()}


def test_four_hundred_points_are_ten_wins_for_each_loss() -> None:
    assert chances(400, 0) == pytest.approx((10 / 11, 0, 1 / 11))
    assert chances(-400, 0) == pytest.approx((1 / 11, 0, 10 / 11))


def test_draws_stand_to_wins_and_losses_as_davidson_says() -> None:
    # g is 4 and 1, v is 3: 4 / (4 + 1 + 3 * 2) = 4/11, 6/11, 1/11.
    assert chances(400 * log10(4), 3) == pytest.approx((4 / 11, 6 / 11, 1 / 11))
    assert chances(0, 2) == pytest.approx((1 / 4, 1 / 2, 1 / 4))


@pytest.mark.parametrize(("won", "drawn", "lost"), [(3, 2, 1), (0, 0, 1), (0, 5, 0), (40, 0, 0), (200, 7, 90)])
def test_two_entrants_come_to_the_closed_form(won: int, drawn: int, lost: int) -> None:
    """With three outcomes and two parameters the fit is exact: chances are counts, each of them half a match more.

    Two entrants bring one virtual match together, half won and half lost, and half a draw comes for the draw parameter:
    W = won + 1/2, D = drawn + 1/2, L = lost + 1/2. From W : D : L = g : v sqrt(g) : 1 follow g = W / L and
    v = D / sqrt(W L); the variance of log(W / L) is 1 / W + 1 / L (the delta method on a multinomial), and a quarter
    of it each one's, whose rating is half the difference.
    """
    w, d, lo = won + 0.5, drawn + 0.5, lost + 0.5
    found = rate([(1, 2, "A")] * won + [(1, 2, "draw")] * drawn + [(2, 1, "A")] * lost, [1, 2])
    elo = 400 * log10(w / lo)
    error = POINTS * sqrt(1 / w + 1 / lo)
    rows = {row.entrant: row for row in found.rows()}
    assert found.draw == pytest.approx(d / sqrt(w * lo))
    assert (rows[1].elo, rows[2].elo) == pytest.approx((elo / 2, -elo / 2), abs=1e-5)
    assert (rows[1].error, rows[2].error) == pytest.approx((error / 2, error / 2))
    assert rows[1].interval == pytest.approx((elo / 2 - 1.959964 * error / 2, elo / 2 + 1.959964 * error / 2), abs=1e-3)
    assert found.difference(1, 2)[:2] == pytest.approx((elo, error), abs=1e-5)


def log_likelihood(played: Counter[tuple[int, int, str]], strengths: dict[int, float], draw: float) -> float:
    """By the model's formula, match by match."""
    total = 0.0
    for (a, b, outcome), count in played.items():
        g, h = exp(strengths[a]), exp(strengths[b])
        ways = {"A": g, "B": h, "draw": draw * sqrt(g * h)}
        total += count * log(ways[outcome] / sum(ways.values()))
    return total


def test_with_many_matches_the_fit_is_where_the_likelihood_is_highest() -> None:
    """Then the virtual matches weigh nothing: a climb by small steps from the fit finds nowhere higher."""
    strengths = {1: 0.0, 2: 150.0, 3: -80.0, 4: 300.0}
    played: Counter[tuple[int, int, str]] = Counter()
    for a, b in combinations(strengths, 2):
        for outcome, chance in zip(("A", "draw", "B"), chances(strengths[a] - strengths[b], 0.3), strict=True):
            played[a, b, outcome] = round(20_000 * chance) + 100 * a  # not quite as the model has it
    found = rate(played.elements(), strengths)
    fit = {row.entrant: row.elo / POINTS for row in found.rows()}
    top = log_likelihood(played, fit, found.draw)
    for step in (-0.003, 0.003):
        assert log_likelihood(played, fit, found.draw * (1 + step)) < top
        for each in fit:
            assert log_likelihood(played, {**fit, each: fit[each] + step}, found.draw) < top


def test_standard_errors_are_the_curvature_of_the_likelihood() -> None:
    """By second differences of the log-likelihood along the difference of two, all in one balanced league."""
    played = Counter({(a, b, outcome): 3_000 for a, b in combinations(range(3), 2) for outcome in ("A", "B", "draw")})
    found = rate(played.elements(), range(3))
    step = 0.01
    at = [log_likelihood(played, {0: each / 2, 1: -each / 2, 2: 0}, found.draw) for each in (-step, 0, step)]
    curvature = -(at[0] - 2 * at[1] + at[2]) / step**2
    assert found.difference(0, 1).error == pytest.approx(POINTS / sqrt(curvature), rel=1e-3)


@settings(max_examples=40)
@given(leagues, st.randoms(use_true_random=False))
def test_neither_order_nor_split_nor_seats_change_a_digit(results: list[tuple[int, int, str]], rng: Random) -> None:
    found = rate(results, range(10))
    rng.shuffle(results)
    turned = {"A": "B", "B": "A"}
    swapped = [
        (b, a, turned.get(outcome, outcome)) if rng.random() < 0.5 else (a, b, outcome) for a, b, outcome in results
    ]
    again = rate(iter(swapped), reversed(range(10)))
    assert again.rows() == found.rows()
    assert again.draw == found.draw
    assert (again.covariance == found.covariance).all()


@settings(max_examples=40)
@given(leagues)
def test_whatever_was_played_ratings_are_finite_and_their_mean_is_zero(results: list[tuple[int, int, str]]) -> None:
    found = rate(results, range(10))
    rows = found.rows()
    assert sum(row.elo for row in rows) == pytest.approx(0, abs=1e-4)
    assert all(abs(row.elo) < 2_000 and 20 < row.error < 1_000 for row in rows)
    assert sum(row.matches for row in rows) == 2 * sum(outcome != "none" for *_, outcome in results)


@settings(max_examples=40)
@given(leagues)
def test_unpacked_ratings_say_the_same(results: list[tuple[int, int, str]]) -> None:
    found = rate(results, range(0, 20, 2))
    again = unpacked(found.packed())
    assert (dict(again.places), again.draw) == (found.places, found.draw)
    for row, other in zip(again.rows(), found.rows(), strict=True):
        assert row._replace(error=0) == other._replace(error=0)
        assert row.error == pytest.approx(other.error)
    for a, b in combinations(found.places, 2):
        difference = found.difference(a, b)
        assert again.difference(a, b)[:3] == pytest.approx(difference[:3], rel=1e-3)
        assert again.difference(a, b).matches == difference.matches
    assert again.packed() == found.packed()


def test_packed_ratings_of_a_thousand_take_two_megabytes() -> None:
    # A checksum of 4 and a head of 16 bytes; 24 for each; 4 for each of 1000 * 1001 / 2 covariances.
    assert len(rate([], range(1_000)).packed()) == 20 + 24 * 1_000 + 2 * 1_000 * 1_001


@pytest.mark.parametrize("size", [0, 1])
def test_ratings_of_nobody_and_of_one_are_packed_too(size: int) -> None:
    found = rate([], range(size))
    assert unpacked(found.packed()).rows() == found.rows()


def test_damaged_ratings_are_refused() -> None:
    packed = rate([(1, 2, "A")], [1, 2]).packed()
    for damaged in (b"", packed[:3], packed[:-1], packed + b"\0", packed[:30] + b"\1" + packed[31:]):
        with pytest.raises(ValueError, match=f"expected packed ratings, got {len(damaged)} bytes that are none"):
            unpacked(damaged)


def test_the_interval_of_a_difference_reaches_to_two_standard_errors() -> None:
    difference = rate([(1, 2, "A")] * 3, [1, 2]).difference(1, 2)
    low, high = difference.interval
    assert (low, high) == pytest.approx(
        (difference.elo - 1.959964 * difference.error, difference.elo + 1.959964 * difference.error), rel=1e-6
    )


def test_a_forfeit_by_both_counts_for_nobody() -> None:
    results = [Result(1, 2, "A", 9, 4, ""), Result(1, 2, "none", 0, 0, "AB"), Result(2, 3, "none", 0, 0, "AB")]
    assert rate(results, [1, 2, 3]).rows() == rate(results[:1], [1, 2, 3]).rows()


def test_results_with_others_do_not_count() -> None:
    results = [(1, 2, "A"), (1, 3, "B"), (4, 2, "B")]
    assert rate(results, [1, 2]).rows() == rate(results[:1], [1, 2]).rows()


def test_nobody_and_one_are_rated_too() -> None:
    assert rate([], []).rows() == []
    assert rate([], [7]).rows() == [Rating(7, 0.0, 0.0, 0)]


def test_without_matches_all_are_average_and_nothing_is_sure() -> None:
    found = rate([], [1, 2])
    assert found.draw == 0
    assert [row.elo for row in found.rows()] == [0, 0]
    assert found.difference(1, 2)[:3] == pytest.approx((0, GROUP * sqrt(2), 1))


def test_who_won_everything_is_first_by_a_finite_and_wide_interval() -> None:
    rows = by_entrant([(a, b, "A") for a, b in combinations(range(6), 2)], range(6))
    assert sorted(rows, key=lambda each: -rows[each].elo) == list(range(6))
    assert rows[0].elo == pytest.approx(-rows[5].elo, abs=1e-5)
    assert rows[0].error > rows[2].error


def test_groups_that_never_met_are_each_average_and_hardly_comparable() -> None:
    found = rate([(1, 2, "A")] * 30 + [(2, 1, "A")] * 10 + [(3, 4, "draw")] * 40, [1, 2, 3, 4])
    rows = {row.entrant: row for row in found.rows()}
    assert rows[1].elo + rows[2].elo == pytest.approx(0, abs=1e-5)
    assert rows[3].elo == rows[4].elo == 0
    within, between = found.difference(1, 2), found.difference(1, 3)
    own = sum(each**2 for each in (within.error / 2, found.difference(3, 4).error / 2))
    assert between.error == pytest.approx(sqrt(own + 2 * GROUP**2))
    assert within.p_value < 0.05 < between.p_value


def test_equal_ratings_are_in_the_order_of_entrants() -> None:
    results = [(8, 3, "draw"), (3, 5, "draw"), (5, 8, "draw")]
    assert [(row.entrant, row.elo) for row in rate(results, [8, 5, 3]).rows()] == [(3, 0), (5, 0), (8, 0)]


def test_a_difference_of_two_standard_errors_has_the_p_value_of_the_table() -> None:
    found = rate([(1, 2, "A")] * 60 + [(1, 2, "B")] * 40, [1, 2])
    difference = found.difference(1, 2)
    # log(60.5 / 40.5) = 0.40136 by sqrt(1 / 60.5 + 1 / 40.5) = 0.20303 is 1.9769: twice 0.02403 in a table.
    assert difference.p_value == pytest.approx(0.04806, abs=1e-4)
    assert found.difference(2, 1) == difference._replace(elo=-difference.elo)


def test_matches_to_tell_are_those_of_the_formula_for_a_share() -> None:
    # A share of 3/4: ((1.95996 * 1/2 + 0.84162 * sqrt(3) / 4) / (1/4))^2 = 28.9.
    assert matches_to_tell(400 * log10(3), 0) == 29
    assert matches_to_tell(-400 * log10(3), 0) == 29
    assert matches_to_tell(5_000, 0) == 6
    assert matches_to_tell(0, 0.5) is None


def test_so_many_matches_tell_in_four_cases_of_five() -> None:
    elo, draw, leagues = 100.0, 0.4, 300
    count = matches_to_tell(elo, draw)
    assert count is not None
    rng = Random(1)
    told = sum(
        rate(play([elo, 0.0], draw, count, rng), range(2)).difference(0, 1).p_value < 0.05 for _ in range(leagues)
    )
    assert 0.8 * leagues - 4 * sqrt(leagues * 0.16) < told < 0.8 * leagues + 4 * sqrt(leagues * 0.16)


@pytest.mark.parametrize(
    ("size", "spread", "draw", "matches"), [(2, 100, 0.2, 40), (10, 200, 0.1, 1), (20, 600, 0.2, 4), (24, 150, 0.0, 1)]
)
def test_intervals_hold_the_truth_in_95_of_100_cases(size: int, spread: float, draw: float, matches: int) -> None:
    """The leagues are independent, their entrants nearly so; 4 standard errors of the binomial, and what is allowed."""
    rng = Random(size)
    held = total = 0
    for _ in range(480 // size):
        strengths = [rng.gauss(0, spread) for _ in range(size)]
        mean = sum(strengths) / size
        for row in rate(play(strengths, draw, matches, rng), range(size)).rows():
            low, high = row.interval
            held += low <= strengths[row.entrant] - mean <= high
            total += 1
    error = sqrt(0.05 * 0.95 / total)
    assert 0.93 - 3 * error < held / total < 0.97 + 3 * error


@pytest.mark.parametrize(
    ("results", "message"),
    [
        ([(1, 2, "C")], "expected an outcome of 'A', 'B', 'draw', 'none', got 'C'"),
        ([(2, 2, "A")], "expected a match between two entrants, got 2 twice"),
    ],
)
def test_what_is_no_result_is_refused(results: list[tuple[int, int, str]], message: str) -> None:
    with pytest.raises(ValueError, match=message):
        rate(results, [1, 2])


def test_differences_are_between_two_entrants() -> None:
    found = rate([(1, 2, "A")], [1, 2])
    with pytest.raises(ValueError, match="expected two entrants, got 1 twice"):
        found.difference(1, 1)
    with pytest.raises(KeyError):
        found.difference(1, 3)


def test_every_example_of_the_page_does_what_it_says() -> None:
    outcome = run(DOCS / "ratings.md")
    assert outcome.failures == ""
    assert outcome.examples > 8
