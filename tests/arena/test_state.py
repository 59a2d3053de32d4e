"""Invariants of the game, over all rulesets and random play (docs/rules.md)."""

from collections import Counter
from itertools import pairwise

import pytest
from games import all_cards, ended_round, left_the_table, new_game, on_the_table, random_game, rulesets, seeds
from hypothesis import given

from arena.cards import SUITS, cards
from arena.ruleset import Ruleset
from arena.state import DEAL, DRAW, LEAD, LOBBY, OVER, PASS, PILE, TURN, IllegalAction, Kind, State


@given(rulesets, seeds)
def test_no_card_is_lost_or_doubled(ruleset: Ruleset, seed: int) -> None:
    game = list(random_game(ruleset, seed))
    gone: Counter[int] = Counter()
    for played in game:
        if ended_round(played):
            gone.update(played.before.lobby)
        assert on_the_table(played.after) + gone == all_cards(ruleset.decks)
    if ruleset.endgame == "lead_from_hand":
        assert gone == all_cards(ruleset.decks)


@given(rulesets, seeds)
def test_the_scores_are_the_sum_of_what_each_took(ruleset: Ruleset, seed: int) -> None:
    game = list(random_game(ruleset, seed))
    for seat in range(2):
        expected = 0
        for taker, taken, _ in left_the_table(game):
            if taker == seat:
                ranks = {card >> 2 for card in taken}
                plain_set = len(taken) > 1 and len(ranks) == 1 and ruleset.set_scoring == "count"
                worths = [1 if plain_set or card >> 2 < 9 else 2 for card in taken]
                expected += len(taken) * sum(worths)
        assert game[-1].after.scores[seat] == expected


@given(rulesets, seeds)
def test_what_is_taken_is_a_lone_card_a_run_or_a_set(ruleset: Ruleset, seed: int) -> None:
    for taker, taken, _ in left_the_table(list(random_game(ruleset, seed))):
        ranks = [card >> 2 for card in taken]
        if ruleset.run_direction == "up" and len(set(ranks)) > 1:
            assert all(low + 1 == high for low, high in pairwise(ranks))
        ordered = sorted(ranks)
        assert len(set(ranks)) == 1 or ordered == list(range(ordered[0], ordered[0] + len(ordered)))
        assert taker is not None or len(taken) == 1


@given(rulesets, seeds)
def test_both_hold_five_cards_when_a_round_starts_from_a_pile(ruleset: Ruleset, seed: int) -> None:
    for played in random_game(ruleset, seed):
        if played.before.phase == LOBBY:
            assert [len(hand) for hand in played.before.hands] == [5, 5]


@given(rulesets, seeds)
def test_a_game_stays_within_its_bounds(ruleset: Ruleset, seed: int) -> None:
    game = list(random_game(ruleset, seed))
    assert len(game) - 1 <= 156 * ruleset.decks
    assert sum(game[-1].after.scores) <= 884 * ruleset.decks
    if ruleset.run_direction == "up":
        most = {TURN: 11 if ruleset.decks == 1 else 24, LEAD: 20 if ruleset.decks == 1 else 23}
        for played in game:
            if played.before.phase in most:
                assert len(played.before.legal_actions()) <= most[played.before.phase]


@given(rulesets, seeds)
def test_legal_actions_are_distinct_and_passing_is_allowed_but_for_the_lead(ruleset: Ruleset, seed: int) -> None:
    for played in random_game(ruleset, seed):
        state = played.before
        actions = state.legal_actions()
        assert (PASS in actions) == (state.phase == TURN)
        if state.phase in (TURN, LEAD):
            lays = [tuple(state.cards_of(action)) for action in actions]
            assert len(set(lays)) == len(lays)
            assert all(state.lay(lay) == action for lay, action in zip(lays, actions, strict=True))
        else:
            assert list(actions) == [PILE + suit for suit in range(4) if state.piles[suit]]


@given(rulesets, seeds)
def test_two_passes_in_a_row_end_a_round_and_the_taker_leads_and_draws_first(ruleset: Ruleset, seed: int) -> None:
    for played in random_game(ruleset, seed):
        before, after = played.before, played.after
        if not ended_round(played):
            continue
        assert not after.lobby
        if before.last_layer >= 0:
            if after.hands[before.last_layer] or after.phase != LEAD:
                assert after.leader == before.last_layer
            if after.phase == DRAW and len(after.hands[before.last_layer]) < 5:
                assert after.to_move == before.last_layer
        elif ruleset.unclaimed == "same_leader":
            assert after.leader == before.leader
        elif after.phase != LEAD:
            assert after.leader == 1 - before.leader


@given(rulesets, seeds)
def test_the_game_ends_with_empty_hands_or_where_no_lobby_card_is_left(ruleset: Ruleset, seed: int) -> None:
    game = list(random_game(ruleset, seed))
    assert game[-1].after.phase == OVER
    assert not any(game[-1].after.piles)
    assert game[-1].after.legal_actions() == ()
    if ruleset.endgame == "stop":
        assert all(played.before.phase != LEAD for played in game)
    else:
        assert game[-1].after.hands == [[], []]


@given(rulesets, seeds)
def test_a_deterministic_player_against_itself_with_seats_exchanged_sums_to_zero(ruleset: Ruleset, seed: int) -> None:
    def difference(dealer: int) -> int:
        first = new_game(ruleset, seed)
        state = State(ruleset, [pile[::-1] for pile in first.piles], dealer)
        while state.phase != OVER:
            actions = state.legal_actions()
            state.apply(actions[sum(state.hands[state.to_move]) % len(actions)])
        return state.scores[0] - state.scores[1]

    assert difference(0) + difference(1) == 0


@given(rulesets, seeds)
def test_a_clone_goes_its_own_way(ruleset: Ruleset, seed: int) -> None:
    state = new_game(ruleset, seed)
    copy = state.clone()
    while state.phase != OVER:
        state.apply(state.legal_actions()[0])
    assert copy.phase == DEAL
    assert on_the_table(copy) == all_cards(ruleset.decks)
    assert copy.scores == [0, 0]


@pytest.mark.parametrize("decks", [1, 2, 3])
def test_the_longest_game_is_reached_by_passing_and_leading_one_card(decks: int) -> None:
    state = new_game(Ruleset(decks=decks), seed=1)
    steps = -1
    while state.phase != OVER:
        actions = state.legal_actions()
        state.apply(min(actions, key=int.bit_count) if state.phase == LEAD else actions[0])
        steps += 1
    assert steps == 156 * decks


def test_the_deal_alternates_cards_and_the_opponent_of_the_dealer_has_the_first() -> None:
    piles = [list(range(suit, 52, 4)) for suit in range(4)]
    state = State(Ruleset(), piles, dealer=1)
    state.apply(state.take("H"))
    assert state.hands[0] == list(cards("2H 4H 6H 8H TH"))
    assert state.hands[1] == list(cards("3H 5H 7H 9H JH"))
    assert state.piles[SUITS.index("H")] == list(cards("AH KH QH"))
    assert (state.phase, state.to_move, state.leader) == (LOBBY, 1, 0)


def lobby_position(lobby: str, hand: str, **options: str) -> State:
    return State.position(Ruleset(**options), [[]] * 4, [cards(hand), []], TURN, 0, lobby=cards(lobby))  # type: ignore[arg-type]


def test_runs_may_grow_at_both_ends_under_that_option() -> None:
    state = lobby_position("9S", "7C 8D TH JH KD", run_direction="both")
    assert {state.action_text(action) for action in state.legal_actions()} == {
        "pass",
        "8D",
        "7C 8D",
        "TH",
        "TH JH",
        "8D TH",
        "7C 8D TH",
        "8D TH JH",
        "7C 8D TH JH",
    }
    state.apply(state.lay(cards("8D TH")))
    assert (state.low, state.high, state.kind) == (6, 8, Kind.RUN)


def test_the_lead_passes_to_the_other_after_an_unclaimed_card_under_that_option() -> None:
    for option, leader in (("same_leader", 0), ("other_leader", 1)):
        state = State.position(
            Ruleset(unclaimed=option), [[8], [], [], []], [[0], [1]], TURN, 0, lobby=cards("9S"), passes=0
        )
        state.apply(PASS)
        state.apply(PASS)
        assert state.leader == leader


def test_an_illegal_lay_names_what_was_asked_and_what_is_legal() -> None:
    state = lobby_position("9S", "8H TH TD")
    with pytest.raises(IllegalAction, match=r"^lay 8H on 9S; legal: pass \| TD \| TH$"):
        state.lay(cards("8H"))
    with pytest.raises(IllegalAction, match=r"^take from the pile of 'H' on 9S; legal: pass"):
        state.take("H")
