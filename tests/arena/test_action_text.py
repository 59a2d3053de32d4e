"""Actions as people write them, and the three ways in which a text can be none."""

from random import Random

import pytest
from games import new_game, random_game, rulesets, seeds
from hypothesis import given, settings
from hypothesis import strategies as st

from arena.action_text import AmbiguousAction, parse
from arena.cards import ParseError, cards
from arena.ruleset import Ruleset
from arena.state import PASS, IllegalAction, Phase, State

ERRORS = (ParseError, IllegalAction, AmbiguousAction)
WORDS = st.lists(st.sampled_from(["pass", "TH", "JH", "T", "9", "H", "th", "1S", "", "9S", "A"]), max_size=6)


def turn(hand: str, lobby: str) -> State:
    """A to play, with a pile of clubs left and B holding the other red aces."""
    piles = [list(cards("2C 3C")), [], [], []]
    return State.position(Ruleset(), piles, [cards(hand), cards("AH AD")], Phase.TURN, 0, lobby=cards(lobby))


def lead(hand: str) -> State:
    return State.position(Ruleset(), [[], [], [], []], [cards(hand), cards("AH")], Phase.LEAD, 0)


@settings(max_examples=20)
@given(rulesets, seeds)
def test_each_legal_action_is_read_back_from_its_text(ruleset: Ruleset, seed: int) -> None:
    for played in random_game(ruleset, seed):
        for action in played.before.legal_actions():
            assert parse(played.before, played.before.action_text(action)) == action


def test_cards_are_named_in_any_order_and_by_rank_where_that_is_enough() -> None:
    state = turn("9S TH JD", lobby="8C")
    both = state.lay(cards("9S TH"))
    assert parse(state, "TH 9S") == parse(state, "9 T") == parse(state, "T 9S") == both
    assert parse(state, "9") == state.lay(cards("9S"))
    assert parse(state, " pass ") == PASS


def test_a_text_that_is_no_action_says_what_was_expected() -> None:
    with pytest.raises(ParseError) as caught:
        parse(turn("9S TH", lobby="8C"), "9s")
    assert str(caught.value) == (
        "'9s': expected pass, or cards as rank and suit such as 'TH JH', or ranks alone such as 'T J'; "
        "A to play, holding 9S TH on 8C; legal: pass | 9S | 9S TH"
    )


def test_an_illegal_action_names_the_position_and_what_is_legal() -> None:
    with pytest.raises(IllegalAction) as caught:
        parse(turn("9S TH", lobby="8C"), "TH")
    assert str(caught.value) == "'TH': not legal; A to play, holding 9S TH on 8C; legal: pass | 9S | 9S TH"


def test_nobody_passes_when_he_leads() -> None:
    with pytest.raises(IllegalAction, match=r"^'pass': not legal; A to lead, holding 9S; legal: 9S$"):
        parse(lead("9S"), "pass")


def test_a_rank_that_fits_two_cards_is_ambiguous_and_names_them() -> None:
    with pytest.raises(AmbiguousAction) as caught:
        parse(turn("9H 9S", lobby="8C"), "9")
    assert str(caught.value) == ("'9': may be 9H | 9S; A to play, holding 9H 9S on 8C; legal: pass | 9H | 9S")


def test_where_a_pile_is_due_cards_are_no_action() -> None:
    state = new_game(Ruleset(), 1)
    with pytest.raises(ParseError, match=r"expected the suit of a pile \(C, D, H, S\); [AB] to deal, holding no card;"):
        parse(state, "9S")


def test_an_empty_pile_is_illegal() -> None:
    state = State.position(Ruleset(), [cards("2C"), [], [], []], [cards("9S"), cards("AH")], Phase.DRAW, 0)
    with pytest.raises(IllegalAction, match=r"^'H': that pile is empty; A to draw, holding 9S; legal: C$"):
        parse(state, "H")


def test_after_the_end_nothing_is_legal() -> None:
    state = State.position(Ruleset(), [[], [], [], []], [(), ()], Phase.OVER, 0)
    with pytest.raises(IllegalAction, match=r"^'pass': not legal; the game is over; legal: nothing: the game is over$"):
        parse(state, "pass")


@settings(max_examples=200)
@given(rulesets, seeds, st.integers(0, 200), st.one_of(st.text(max_size=20), WORDS.map(" ".join)))
def test_no_text_raises_anything_else(ruleset: Ruleset, seed: int, steps: int, words: str) -> None:
    state = new_game(ruleset, seed)
    rng = Random(seed)
    for _ in range(steps):
        if not (actions := state.legal_actions()):
            break
        state.apply(rng.choice(actions))
    try:
        action = parse(state, words)
    except ERRORS:
        return
    assert action in state.legal_actions()
