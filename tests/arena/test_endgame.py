"""The endgame's exact values, against a search of every line and against positions worked out by hand."""

from random import Random
from typing import Any

import pytest
from games import new_game, random_game, rulesets, seeds
from hypothesis import given, settings

from arena.cards import cards
from arena.endgame import Solution, deduced, solve
from arena.events import told
from arena.observation import Observation
from arena.ruleset import Ruleset
from arena.state import BLANK, LEAD, OVER, TURN, State

EMPTY: list[list[int]] = [[], [], [], []]


def ahead(state: State, seat: int) -> int:
    return state.scores[seat] - state.scores[1 - seat]


def best_of_all_lines(state: State, seat: int) -> int:
    """By how much that seat is ahead in the end, found by playing every line."""
    ends = []
    for action in state.legal_actions():
        after = state.clone()
        after.apply(action)
        ends.append(best_of_all_lines(after, seat))
    if not ends:
        return ahead(state, seat)
    return max(ends) if state.to_move == seat else min(ends)


def small_endgame(ruleset: Ruleset, seed: int) -> State:
    """Up to four cards each, of neighbouring ranks: a lead, a card that nobody has laid on, or a round half played."""
    rng = Random(seed)
    lowest = rng.randrange(9) * 4
    some = rng.sample([card for card in range(lowest, lowest + 20) for _ in range(ruleset.decks)], 9)
    hands = some[: rng.randint(1, 4)], some[4 : 4 + rng.randint(0, 4)]
    scores = rng.randrange(99), rng.randrange(99)
    if rng.random() < 0.5:
        state = State.position(ruleset, EMPTY, hands, LEAD, 0, scores=scores)
    else:
        state = State.position(ruleset, EMPTY, hands, TURN, 0, lobby=some[8:], scores=scores)
    for _ in range(rng.randrange(4)):
        before = state.clone()
        state.apply(rng.choice(state.legal_actions()))
        if state.phase is OVER:
            return before
    return state


@settings(max_examples=240)
@given(rulesets, seeds)
def test_the_margin_is_that_of_the_best_of_all_lines(ruleset: Ruleset, seed: int) -> None:
    state = small_endgame(ruleset, seed)
    seat = state.to_move
    assert solve(state).margin == best_of_all_lines(state, seat) - ahead(state, seat)


@given(rulesets, seeds)
def test_the_line_is_legal_and_ends_the_game_with_its_margin(ruleset: Ruleset, seed: int) -> None:
    state = next(played.after for played in random_game(ruleset, seed) if not played.after.left)
    seat, before = state.to_move, ahead(state, state.to_move)
    margin, line = solve(state)
    for action in line:
        assert action in state.legal_actions()
        state.apply(action)
    assert state.phase is OVER
    assert ahead(state, seat) - before == margin


@given(rulesets, seeds)
def test_no_reply_to_the_line_yields_more_than_it(ruleset: Ruleset, seed: int) -> None:
    state = small_endgame(ruleset, seed)
    for action in solve(state).line:
        seat, margin = state.to_move, solve(state).margin
        for other in state.legal_actions():
            after = state.clone()
            after.apply(other)
            rest = solve(after).margin if after.to_move == seat else -solve(after).margin
            reached = ahead(after, seat) - ahead(state, seat) + rest
            assert reached == margin if other == action else reached <= margin
        state.apply(action)


@pytest.mark.parametrize(
    ("mine", "his", "options", "margin"),
    [
        ("9S TH", "", {}, 2 * 2),
        ("9S TH", "8D", {}, 2 * 2 - 1),
        # He could lay his eight on 9 or on 9 T: I take the cards one by one, and he his eight.
        ("9S TH", "8D", {"run_direction": "both"}, 1 + 1 - 1),
        # The nine alone is mine; then he lays the jack on the ten. On 9 T it would make 3 x 4.
        ("9S TH", "JD", {}, 1 - 2 * 3),
        # The queens together leave him his king. After one he would lay it, 2 x 4.
        ("QC QD", "KS", {}, 2 * 2 - 2),
        # He lets me take the first two queens, which I could answer for, and lays his on the third.
        ("QC QD QH", "QS", {}, 2 + 2 - 2 * 2),
        ("QC QD", "", {"set_scoring": "worth"}, 2 * 4),
    ],
)
def test_a_lead_worked_out_by_hand(mine: str, his: str, options: dict[str, Any], margin: int) -> None:
    state = State.position(Ruleset(**options), EMPTY, [cards(mine), cards(his)], LEAD, 0)
    assert solve(state).margin == margin


@pytest.mark.parametrize(
    ("options", "margin"),
    [
        # The ten on the nine would give him 9 T J. So the nine is put away, and I lead the ten to his jack,
        ({}, -2 * 3),
        # or he the jack, and I the ten;
        ({"unclaimed": "other_leader"}, 1 - 2),
        # or that was all.
        ({"endgame": "stop"}, 0),
    ],
)
def test_the_last_card_of_the_piles_worked_out_by_hand(options: dict[str, Any], margin: int) -> None:
    state = State.position(Ruleset(**options), EMPTY, [cards("TH"), cards("JD")], TURN, 0, lobby=cards("9S"))
    assert solve(state).margin == margin


def test_a_game_that_is_over_has_no_line() -> None:
    state = State.position(Ruleset(), EMPTY, [[], []], OVER, 0, scores=(3, 5))
    assert solve(state) == Solution(0, ())


def test_a_state_with_cards_in_piles_is_refused() -> None:
    state = State.position(Ruleset(), [cards("2C"), [], cards("2H 3H"), []], [cards("9S"), []], LEAD, 0)
    with pytest.raises(ValueError, match=r"^expected empty piles, got 1 in C, 2 in H; before"):
        solve(state)


def test_a_hand_with_blanks_is_refused() -> None:
    state = State.position(Ruleset(), EMPTY, [cards("9S"), [BLANK, BLANK + 3]], LEAD, 0)
    with pytest.raises(ValueError, match=r"^expected both hands known, got 2 blanks; solve deduced"):
        solve(state)


@given(rulesets, seeds)
def test_both_players_can_deduce_the_state_once_the_piles_are_empty_and_not_before(ruleset: Ruleset, seed: int) -> None:
    observations = [Observation(ruleset, seat, 1, new_game(ruleset, seed).dealer) for seat in range(2)]
    for before, action, after in random_game(ruleset, seed):
        mine, others = told(before, action)
        observations[before.to_move].update(mine)
        observations[1 - before.to_move].update(others)
        for observation in observations:
            found = deduced(observation)
            if after.left:
                assert found is None
            else:
                assert found is not None
                assert (found.hands, found.counts) == (after.hands, after.counts)
                assert (found.phase, found.to_move, found.lobby) == (after.phase, after.to_move, after.lobby)
