"""Bots that hypothesis makes play by every option, and docs/rules.md is kept; `make check-rules` plays 10,000 games."""

from dataclasses import replace

from hypothesis import given, settings
from hypothesis import strategies as st

from arena.ruleset import Ruleset
from tests.arena.games import rulesets, seeds
from tests.arena.invariants import broken_by_exchange, broken_in
from tests.arena.policies import LONGEST, PASSER, RANDOM, Policy, match_of

weights = st.integers(-3, 3)
policies = st.sampled_from([PASSER, LONGEST, RANDOM]) | st.builds(
    Policy, weights, weights, weights, weights, luck=st.integers(0, 5), seed=st.integers(0, 2**32 - 1)
)


@given(rulesets, seeds, policies, policies)
@settings(max_examples=100)
def test_no_match_breaks_a_rule(ruleset: Ruleset, seed: int, a: Policy, b: Policy) -> None:
    assert broken_in(match_of(ruleset, seed, (a, b))) == []


@given(rulesets, seeds, policies)
@settings(max_examples=50)
def test_a_bot_gains_nothing_by_its_seat(ruleset: Ruleset, seed: int, policy: Policy) -> None:
    assert broken_by_exchange(ruleset, seed, policy) == []


def test_a_card_told_to_the_other_is_noticed() -> None:
    match = match_of(Ruleset(games=1), 1, (LONGEST, RANDOM))
    drawn_by_a = next(event for event, other in zip(*match.events, strict=True) if len(event) == 2 and len(other) == 1)
    match.events[1][match.events[0].index(drawn_by_a)] = drawn_by_a
    assert [what.split(": ")[1] for what in broken_in(match)] == ["told"]


def test_a_record_with_other_points_is_noticed() -> None:
    match = match_of(Ruleset(games=1), 1, (LONGEST, RANDOM))
    game = match.record.games[0]
    other = replace(match.record, games=(replace(game, points=(game.points[0] + 1, game.points[1])),))
    assert [what.split(": ")[0] for what in broken_in(match._replace(record=other))] == ["replay"]
