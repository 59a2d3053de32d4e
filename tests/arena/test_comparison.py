"""Two implementations of docs/rules.md that share no code agree on every table and every choice.

`make check-rules` compares 2,000 games; here each combination of options has two.
"""

from collections.abc import Mapping
from dataclasses import replace
from itertools import product
from typing import Any

import pytest

from arena.ruleset import CHOICES, Ruleset
from tests.arena import naive
from tests.arena.comparison import compare_game

OPTIONS = [name for name in CHOICES if name != "games"]
COMBINATIONS = [dict(zip(OPTIONS, values, strict=True)) for values in product(*(CHOICES[name] for name in OPTIONS))]


@pytest.mark.parametrize("options", COMBINATIONS, ids=lambda options: " ".join(map(str, options.values())))
def test_both_implementations_agree_on_a_whole_game(options: Mapping[str, Any]) -> None:
    for game in (1, 2):
        compared = compare_game(Ruleset(**options), seed=COMBINATIONS.index(dict(options)), game=game)
        assert compared.difference is None
        taken_from_piles = 52 * options["decks"] - 10
        assert compared.actions > 1 + taken_from_piles


@pytest.mark.parametrize(
    ("option", "other", "seen_in"),
    [
        ("run_direction", "both", "choices"),
        ("unclaimed", "other_leader", "leader"),
        ("endgame", "stop", "phase"),
        ("set_scoring", "worth", "scores"),
    ],
)
def test_the_comparison_finds_another_rule(option: str, other: str, seen_in: str) -> None:
    usual = Ruleset()
    found = compare_game(usual, seed=1, rules=replace(usual, **{option: other}).as_dict())
    assert found.difference is not None
    assert f": {seen_in}: expected " in found.difference


@pytest.mark.parametrize(
    ("taken", "expected"),
    [
        ("9S TH", 4),
        ("QH KC", 8),
        ("7D 8S 9C", 9),
        ("TC JH QD", 15),
        ("JS QH KD AC", 32),
        ("TS TH TC", 9),
        ("QC QD QH QS", 16),
    ],
)
def test_the_naive_implementation_scores_the_examples_of_the_rules(taken: str, expected: int) -> None:
    assert naive.points({"set_scoring": "count"}, tuple(taken.split())) == expected


def test_the_naive_implementation_deals_the_example_of_the_rules() -> None:
    assert " ".join(naive.shuffled(seed=1, game=1, decks=1)[0]) == "9C KC 7C 2C AC 6C TC 5C 8C 4C JC 3C QC"


@pytest.mark.parametrize(
    ("phase", "options", "lobby", "hand", "expected"),
    [
        ("turn", {}, "9S", "TC TD JC JD QC", 1 + 2 + 4 + 4),
        ("turn", {"run_direction": "both"}, "9S", "7C 8C 8D TC TD", (1 + 2 + 2) * (1 + 2)),
        ("turn", {"decks": 2}, "9S", "9C 9C 9D 9H 9S", 3 * 2 * 2 * 2),
        ("lead", {}, "", "9C 9D 9H 9S TC", 15 + 1 + 4),
        ("lead", {"decks": 2}, "", "9C 9C 9D 9H 9S", 3 * 2 * 2 * 2 - 1),
    ],
)
def test_the_most_choices_of_a_decision_are_reached(
    phase: str, options: dict[str, Any], lobby: str, hand: str, expected: int
) -> None:
    """By the rules 11 and 24 in a turn, 20 and 23 in a lead; where runs grow downward too a turn with one deck has 15.

    On a nine: a pass, a ten, a ten and a jack, those with the queen. At both ends: nothing, an eight, or an eight and
    the seven below, and nothing or a ten above, where nothing at all is the pass. With two decks: none to two of one
    nine, and none or one of three others. In a lead of four nines and a ten: the sets and single nines, the ten, and
    each nine with it.
    """
    hands = (tuple(hand.split()), ())
    table = naive.Table(phase, 0, 0, 0, ((), (), (), ()), hands, tuple(lobby.split()))
    assert len(naive.choices(Ruleset(**options).as_dict(), table)) == expected
