"""The table; expected values by hand."""

from itertools import combinations, pairwise
from random import Random

from hypothesis import given
from hypothesis import strategies as st

from arena.standings import Decided, Result, Row, table

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


def won(winner: int, loser: int, by: int = 10) -> Result:
    return Result(winner, loser, "A", by, 0, "")


def drawn(a: int, b: int) -> Result:
    return Result(a, b, "draw", 5, 5, "")


def order(results: list[Result]) -> list[tuple[int, int | None, str | None]]:
    """Entrants with their ranks and what put them there; those without a match are left out."""
    entrants = {entrant for result in results for entrant in (result.a, result.b)}
    return [(row.entrant, row.rank, row.decided) for row in table(results, entrants)]


def test_more_match_points_come_first_whatever_the_points() -> None:
    rows = table(RESULTS, [1, 2, 3, 4, 5])
    assert [(row.entrant, row.rank) for row in rows] == [(3, 1), (1, 2), (4, 3), (2, 4), (5, None)]
    assert order([won(1, 2, by=1), drawn(1, 3), won(2, 3, by=900)]) == [
        (1, 1, None),
        (2, 2, "match points"),
        (3, 3, "match points"),
    ]


def test_of_two_equals_the_one_that_beat_the_other_is_ahead() -> None:
    results = [won(1, 2, by=1), won(1, 4), won(2, 3, by=90), won(2, 4, by=90), won(3, 1, by=90), won(4, 3)]
    # 3 beat 1 and has the better Sonneborn-Berger, 4 : 2, and difference
    assert order(results) == [
        (1, 1, None),
        (2, 2, "direct encounter"),
        (4, 3, "match points"),
        (3, 4, "direct encounter"),
    ]


def test_direct_encounter_is_asked_again_among_those_it_leaves_tied() -> None:
    results = [
        *[won(1, 2), won(1, 3), won(4, 1), won(2, 3), won(2, 4), won(3, 4)],  # among them 4, 4, 2 and 2
        *[won(5, 1), won(5, 2), won(3, 5), won(4, 5)],
        *[won(each, 6, by=100 * each) for each in (1, 2, 3, 4)],
        won(6, 5),
    ]
    rows = table(results, range(1, 7))
    assert [(row.match_points, row.encounters) for row in rows[:4]] == [
        (6, (4, 2)),
        (6, (4, 0)),
        (6, (2, 2)),
        (6, (2, 0)),
    ]
    assert [row.sonneborn_berger for row in rows[:4]] == [14, 14, 12, 12]
    assert order(results)[:4] == [(1, 1, None), *[(each, each, "direct encounter") for each in (2, 3, 4)]]


def test_direct_encounter_waits_until_all_that_are_tied_have_met() -> None:
    # 1, 2 and 3 have two match points each; 1 beat 3, and neither has met 2
    results = [won(1, 3), won(2, 4, by=30), won(3, 5, by=20)]
    assert order(results)[:3] == [(1, 1, None), (2, 2, "Sonneborn-Berger"), (3, 3, "difference of points")]


def test_direct_encounter_waits_until_all_that_are_tied_have_met_equally_often() -> None:
    # 1 and 2 have met twice, so that of the matches among 1, 2 and 3 the last has played fewer
    results = [won(1, 2), won(2, 1), won(1, 3), won(3, 2), won(2, 4), won(3, 4)]
    rows = table(results, range(1, 5))
    assert [row.match_points for row in rows] == [4, 4, 4, 0]
    assert {row.encounters for row in rows} == {()}


def test_sonneborn_berger_adds_the_points_of_those_beaten_and_half_of_those_drawn_with() -> None:
    # 1 beat 4 and drew with 3, 2 beat 3 and drew with 4: 3 has four match points, 4 has three, 1 and 2 have three
    results = [won(1, 4, by=90), drawn(1, 3), won(2, 3), drawn(2, 4), won(3, 5), won(4, 5), drawn(3, 6)]
    rows = {row.entrant: row for row in table(results, range(1, 7))}
    assert [rows[each].match_points for each in range(1, 7)] == [3, 3, 4, 3, 0, 1]
    assert [rows[each].sonneborn_berger for each in range(1, 7)] == [5, 5.5, 2, 1.5, 0, 2]
    assert [rows[each].rank for each in (2, 1, 4)] == [2, 3, 4]
    assert rows[1].decided == rows[4].decided == "Sonneborn-Berger"


def test_a_circle_is_decided_by_the_difference_of_points() -> None:
    results = [won(1, 2, by=10), won(2, 3, by=40), won(3, 1, by=20)]
    # 2 has +30, 1 has -10, 3 has -20
    assert order(results) == [(2, 1, None), (1, 2, "difference of points"), (3, 3, "difference of points")]


def test_equal_rows_share_a_rank_and_the_next_one_is_skipped() -> None:
    results = [Result(1, 2, "draw", 10, 10, ""), Result(3, 4, "A", 5, 1, "")]
    assert order(results) == [(3, 1, None), (1, 2, "match points"), (2, 2, "shared"), (4, 4, "match points")]


def test_results_with_others_do_not_count() -> None:
    rows = table(RESULTS, [1, 2])
    assert [(row.entrant, row.played, row.possible) for row in rows] == [(1, 1, 1), (2, 1, 1)]


def test_nobody_and_one_make_a_table_too() -> None:
    assert table([], []) == []
    assert table([], [7]) == [Row(7, 0)]


ENTRANTS = range(1, 6)


@st.composite
def leagues(draw: st.DrawFn) -> list[Result]:
    """Some of a round robin's results or all of them, and at times some that were played twice."""
    outcomes = st.tuples(st.sampled_from(["A", "B", "draw", "none"]), st.integers(0, 3), st.integers(0, 3))
    pairs = list(combinations(ENTRANTS, 2))
    skipped = draw(st.sets(st.sampled_from(pairs), max_size=3))
    again = draw(st.lists(st.sampled_from(pairs), max_size=1))
    met = [pair for pair in pairs if pair not in skipped]
    return [Result(*pair, *draw(outcomes), draw(st.sampled_from(["", "A"]))) for pair in [*met, *again]]


def seats_swapped(result: Result) -> Result:
    swapped = {"A": "B", "B": "A"}
    forfeits = "".join(swapped[seat] for seat in result.forfeits)
    outcome = swapped.get(result.outcome, result.outcome)
    return Result(result.b, result.a, outcome, result.points_b, result.points_a, forfeits)


@given(leagues(), st.randoms(use_true_random=False))
def test_neither_the_order_of_results_nor_who_sat_where_matters(some: list[Result], rng: Random) -> None:
    entrants = list(ENTRANTS)
    expected = table(some, entrants)
    rng.shuffle(some)
    rng.shuffle(entrants)
    assert table([rng.choice([result, seats_swapped(result)]) for result in some], entrants) == expected
    assert sum(row.won for row in expected) + sum(row.drawn for row in expected) <= 2 * len(some)
    assert sum(row.difference for row in expected) == 0


class Naive:
    """The same order, by comparing two at a time; each figure is counted from the results whenever it is needed."""

    def __init__(self, results: list[Result]) -> None:
        self.seen = [*results, *map(seats_swapped, results)]
        self.entrants = {result.a for result in self.seen}

    def match_points(self, one: int, among: set[int]) -> int:
        outcomes = [result.outcome for result in self.seen if result.a == one and result.b in among]
        return 2 * outcomes.count("A") + outcomes.count("draw")

    def figure(self, one: int, others: set[int]) -> float:
        factors = {"A": 1.0, "draw": 0.5}
        mine = [result for result in self.seen if result.a == one]
        return sum(factors.get(result.outcome, 0) * self.match_points(result.b, others) for result in mine)

    def difference(self, one: int) -> int:
        return sum(result.points_a - result.points_b for result in self.seen if result.a == one)

    def have_met(self, tied: set[int]) -> bool:
        times = {sum((each.a, each.b) == pair for each in self.seen) for pair in combinations(tied, 2)}
        return len(times) == 1 and times != {0}

    def compare(self, one: int, other: int) -> tuple[float, Decided]:
        """By how much the one is ahead, and of what."""
        everybody = self.entrants
        tied = {each for each in everybody if self.match_points(each, everybody) == self.match_points(one, everybody)}
        if other not in tied:
            return self.match_points(one, everybody) - self.match_points(other, everybody), Decided.MATCH_POINTS
        before: set[int] = set()
        while self.have_met(tied) and tied != before:
            if ahead := self.match_points(one, tied) - self.match_points(other, tied):
                return ahead, Decided.DIRECT_ENCOUNTER
            before = tied
            tied = {each for each in tied if self.match_points(each, before) == self.match_points(one, before)}
        if by_figure := self.figure(one, everybody) - self.figure(other, everybody):
            return by_figure, Decided.SONNEBORN_BERGER
        by_points = self.difference(one) - self.difference(other)
        return by_points, Decided.DIFFERENCE if by_points else Decided.SHARED


@given(leagues())
def test_ranks_and_reasons_are_those_of_a_naive_comparison(some: list[Result]) -> None:
    naive = Naive(some)
    rows = table(some, naive.entrants)
    for row in rows:
        ahead = [other for other in naive.entrants - {row.entrant} if naive.compare(other, row.entrant)[0] > 0]
        assert row.rank == 1 + len(ahead)
    assert [row.decided for row in rows[1:]] == [
        naive.compare(above.entrant, row.entrant)[1] for above, row in pairwise(rows)
    ]
