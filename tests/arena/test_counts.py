"""Numbers of action sequences from small positions, as perft counts them for chess: a wrong rule makes another number.

Each position of counts.json has its numbers pinned under the options that matter to it, in the order in which
`matters` names them. The naive implementation finds them by levels, where equal tables are counted once with the number
of ways to them; the engine walks each sequence by itself. A position whose `depth` is named is not followed to the end.
"""

import json
from collections import Counter
from collections.abc import Mapping
from itertools import product
from pathlib import Path
from typing import Any, NamedTuple

import pytest

from arena.cards import SUITS, cards
from arena.ruleset import CHOICES, Ruleset
from arena.state import NOBODY, OVER, Phase, State
from tests.arena import naive

CASES = json.loads((Path(__file__).parent / "counts.json").read_text())
OPTIONS = ("run_direction", "unclaimed", "endgame", "set_scoring")
TO_THE_END = 100


class Counted(NamedTuple):
    sequences: tuple[int, ...]
    """Sequences of 1, 2, ... actions; one that ended the game before is in no later number."""
    games: int
    """Sequences that ended the game."""
    points: tuple[int, int]
    """Of A and B, over all these games."""


class Counting:
    """Counts that grow with the sequences that are met."""

    def __init__(self) -> None:
        self.sequences: Counter[int] = Counter()
        self.games = 0
        self.points = [0, 0]

    def add_game(self, scores: tuple[int, int], ways: int = 1) -> None:
        self.games += ways
        for seat in range(2):
            self.points[seat] += ways * scores[seat]

    def counted(self) -> Counted:
        sequences = tuple(self.sequences[length] for length in range(1, len(self.sequences) + 1))
        return Counted(sequences, self.games, (self.points[0], self.points[1]))


def counted_by_definition(rules: naive.Rules, table: naive.Table, depth: int) -> Counted:
    found = Counting()
    level = Counter({table: 1})
    for length in range(depth + 1):
        if length and level:
            found.sequences[length] = level.total()
        following: Counter[naive.Table] = Counter()
        for each, ways in level.items():
            if each.phase == "over":
                found.add_game(naive.scores(rules, each), ways)
            for choice in naive.choices(rules, each):
                following[naive.after(rules, each, choice)] += ways
        level = following
    return found.counted()


def counted_by_the_engine(state: State, depth: int) -> Counted:
    found = Counting()

    def walk(state: State, length: int) -> None:
        if state.phase == OVER:
            found.add_game((state.scores[0], state.scores[1]))
        elif length < depth:
            for action in state.legal_actions():
                found.sequences[length + 1] += 1
                after = state.clone()
                after.apply(action)
                walk(after, length + 1)

    walk(state, 0)
    return found.counted()


def seat(letter: str | None) -> int | None:
    return None if letter is None else "AB".index(letter)


def words(case: Mapping[str, Any]) -> dict[str, Any]:
    """The case with what it leaves out."""
    usual = {"decks": 1, "phase": "turn", "piles": {}, "lobby": "", "to_move": "A", "last_layer": None, "passes": 0}
    full = usual | dict(case)
    return {"leader": full["to_move"], "depth": TO_THE_END} | full


def table_of(case: Mapping[str, Any]) -> naive.Table:
    told = words(case)
    mover, leader = "AB".index(told["to_move"]), "AB".index(told["leader"])
    clubs, diamonds, hearts, spades = (tuple(told["piles"].get(suit, "").split()) for suit in naive.SUITS)
    a, b = (naive.ascending(hand.split()) for hand in told["hands"])
    lobby, last_layer = tuple(told["lobby"].split()), seat(told["last_layer"])
    piles = clubs, diamonds, hearts, spades
    return naive.Table(told["phase"], mover, mover, leader, piles, (a, b), lobby, last_layer, told["passes"])


def state_of(case: Mapping[str, Any], ruleset: Ruleset) -> State:
    told = words(case)
    last_layer = seat(told["last_layer"])
    return State.position(
        ruleset,
        [cards(told["piles"].get(suit, "")) for suit in SUITS],
        [cards(hand) for hand in told["hands"]],
        Phase[told["phase"].upper()],
        "AB".index(told["to_move"]),
        lobby=cards(told["lobby"]),
        leader="AB".index(told["leader"]),
        last_layer=NOBODY if last_layer is None else last_layer,
        passes=told["passes"],
    )


def combinations_for(case: Mapping[str, Any]) -> list[dict[str, Any]]:
    """The options under which that position can come about: no lead where the game stops before it."""
    values = product(*(CHOICES[name] for name in OPTIONS))
    combinations = [dict(zip(OPTIONS, each, strict=True)) for each in values]
    return [each for each in combinations if (case.get("phase"), each["endgame"]) != ("lead", "stop")]


def pinned(case: Mapping[str, Any], options: Mapping[str, Any]) -> Counted:
    sequences, games, points = case["counts"][" ".join(options[name] for name in case["matters"])]
    return Counted(tuple(sequences), games, tuple(points))


def by_hand(title: str, **options: str) -> Counted:
    """What is pinned for that position; options that are left out have their defaults."""
    case = next(case for case in CASES if case["id"] == title)
    return pinned(case, Ruleset().as_dict() | options)


def test_there_are_positions_in_which_each_option_matters() -> None:
    assert len(CASES) >= 12
    assert {name for case in CASES for name in case["matters"]} == set(OPTIONS)


@pytest.mark.parametrize("case", CASES, ids=[case["id"] for case in CASES])
def test_the_sequences_from_a_position_are_as_many_as_pinned_in_both_implementations(case: dict[str, Any]) -> None:
    depth = words(case)["depth"]
    for options in combinations_for(case):
        ruleset = Ruleset(decks=case.get("decks", 1), **options)
        expected = pinned(case, options)
        assert counted_by_definition(ruleset.as_dict(), table_of(case), depth) == expected, options
        assert counted_by_the_engine(state_of(case, ruleset), depth) == expected, options


def test_two_cards_that_fit_nothing_are_counted_by_hand() -> None:
    """On 9S A holds 2C and B 3D; A moves.

    Both must pass, and where the game stops then, that is its one sequence of two actions, without points. Otherwise
    the leader A has to lead 2C, the third action, on which B may lay 3D or pass:

        lay, pass, pass              6 actions; B has 2C 3D, 2 x 2 = 4
        pass, pass, lead 3D, 2 more  8 actions; A has 2C, 1, and B 3D, 1

    So there is one sequence of each of the lengths 1 to 3, two of 4 to 6, one of 7 and 8. A has 0 + 1, B 4 + 1.
    """
    assert by_hand("nothing fits") == Counted((1, 1, 1, 2, 2, 2, 1, 1), 2, (1, 5))
    assert by_hand("nothing fits", endgame="stop") == Counted((1, 1), 1, (0, 0))


def test_a_ten_and_a_jack_on_a_nine_are_counted_by_hand() -> None:
    """On 9S A holds TC and B JD; A moves, and may pass or lay.

        pass, pass, lead TC, JD, pass, pass              6 actions; B has TC JD, 2 x 3 = 6
        pass, pass, lead TC, pass, pass, lead JD, 2 more 8 actions; A has TC, 1, and B JD, 2
        TC, JD, pass, pass                               4 actions; B has 9S TC JD, 3 x 4 = 12
        TC, pass, pass, lead JD, pass, pass              6 actions; A has 9S TC, 2 x 2 = 4, and B JD, 2

    The first two part at their fourth action, the last two at their second; the two pairs at the first. So the numbers
    are 2, 3, 3, 4, then without the third game 3, 3, and for the second alone 1, 1. A has 1 + 4, B 6 + 2 + 12 + 2.
    """
    assert by_hand("one ten, one jack") == Counted((2, 3, 3, 4, 3, 3, 1, 1), 4, (5, 22))


def test_two_aces_are_counted_by_hand() -> None:
    """A leads AC, and B may lay AD or pass.

    AC, AD, pass, pass                   4 actions; B has the set, 2 x 2 = 4, or by worth 2 x 4 = 8
    AC, pass, pass, lead AD, pass, pass  6 actions; A has AC, 2, and B AD, 2
    """
    assert by_hand("two aces") == Counted((1, 2, 2, 2, 1, 1), 2, (2, 6))
    assert by_hand("two aces", set_scoring="worth") == Counted((1, 2, 2, 2, 1, 1), 2, (2, 10))
