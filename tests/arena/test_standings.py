"""The table; expected values by hand."""

from random import Random

from hypothesis import given
from hypothesis import strategies as st

from arena.standings import Result, Row, table

RESULTS = [
    Result(1, 2, "A", 900, 700, ""),
    Result(1, 3, "draw", 800, 800, ""),
    Result(2, 3, "B", 0, 1200, "A"),
    Result(3, 4, "none", 0, 0, "AB"),
]


def test_rows_add_up_by_hand() -> None:
    rows = {row.entrant: row for row in table(RESULTS, [1, 2, 3, 4, 5])}
    assert rows[1] == Row(1, 4, 1, 2, 1, 1, 0, 1700, 1500, 0) or rows[1].rank == 2
    assert (rows[3].won, rows[3].drawn, rows[3].lost, rows[3].match_points) == (1, 1, 1, 3)
    assert (rows[3].points_for, rows[3].points_against, rows[3].faults) == (2000, 800, 1)
    assert (rows[2].lost, rows[2].faults, rows[2].match_points) == (2, 1, 0)
    assert (rows[4].lost, rows[4].faults) == (1, 1)
    assert [row.possible for row in rows.values()] == [4] * 5


def test_the_order_is_by_match_points_then_by_the_difference_of_points() -> None:
    rows = table(RESULTS, [1, 2, 3, 4, 5])
    assert [(row.entrant, row.rank) for row in rows] == [(3, 1), (1, 2), (4, 3), (2, 4), (5, None)]


def test_equal_rows_share_a_rank_and_the_next_one_is_skipped() -> None:
    results = [Result(1, 2, "draw", 10, 10, ""), Result(3, 4, "A", 5, 1, "")]
    assert [(row.entrant, row.rank) for row in table(results, [4, 3, 2, 1])] == [(3, 1), (1, 2), (2, 2), (4, 4)]


def test_results_with_others_do_not_count() -> None:
    rows = table(RESULTS, [1, 2])
    assert [(row.entrant, row.played, row.possible) for row in rows] == [(1, 1, 1), (2, 1, 1)]


def test_nobody_and_one_make_a_table_too() -> None:
    assert table([], []) == []
    assert table([], [7]) == [Row(7, 0)]


results = st.builds(
    Result,
    st.integers(1, 3),
    st.integers(4, 6),
    st.sampled_from(["A", "B", "draw", "none"]),
    st.integers(0, 50),
    st.integers(0, 50),
    st.sampled_from(["", "A", "B", "AB"]),
)


@given(st.lists(results), st.randoms(use_true_random=False))
def test_the_order_of_results_and_entrants_never_matters(some: list[Result], rng: Random) -> None:
    entrants = [1, 2, 3, 4, 5, 6]
    expected = table(some, entrants)
    rng.shuffle(some)
    rng.shuffle(entrants)
    assert table(some, entrants) == expected
    assert sum(row.won for row in expected) + sum(row.drawn for row in expected) <= 2 * len(some)
    assert sum(row.points_for for row in expected) == sum(row.points_against for row in expected)
