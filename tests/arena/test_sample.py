"""What an observation imagines: never against what is known, and each possible deal as often as the others."""

from collections import Counter
from itertools import count, islice, permutations, product
from math import perm, prod
from random import Random
from statistics import NormalDist

import pytest
from hypothesis import given, settings

from arena.cards import SUITS
from arena.observation import Observation
from arena.ruleset import Ruleset
from arena.state import OVER, State
from tests.arena import naive
from tests.arena.comparison import of_state, of_table
from tests.arena.games import rulesets, seeds
from tests.arena.policies import RANDOM, observed_game

PUBLIC = (
    *("ruleset", "dealer", "leader", "to_move", "phase", "passes", "scores", "rounds"),
    *("lobby", "kind", "last_layer"),
)

Deal = tuple[tuple[tuple[int, ...], ...], tuple[int, ...]]
"""The piles with their top cards last, and the other's hand, ascending."""


@given(rulesets, seeds)
@settings(max_examples=40)
def test_a_sample_agrees_with_all_that_either_seat_knows_at_every_moment(ruleset: Ruleset, seed: int) -> None:
    rng = Random(seed)
    for state, seats in observed_game(ruleset, seed, seed % 2, (RANDOM._replace(seed=seed), RANDOM)):
        for seen in seats:
            me, other = seen.seat, 1 - seen.seat
            sample = seen.sample(rng)
            assert [getattr(sample, name) for name in PUBLIC] == [getattr(state, name) for name in PUBLIC]
            assert sample.hands[me] == state.hands[me]
            assert sample.hands[other] == sorted(sample.hands[other])
            assert hidden_by_pile(sample, other) == hidden_by_pile(state, other)
            assert [len(pile) for pile in sample.piles] == [len(pile) for pile in state.piles]
            if state.to_move == me:
                assert sample.legal_actions() == state.legal_actions()


def hidden_by_pile(state: State, other: int) -> list[list[int]]:
    """For each suit the cards that lie in its pile or came from it to that hand."""
    hand = state.hands[other]
    return [sorted([*pile, *(card for card in hand if card % 4 == suit)]) for suit, pile in enumerate(state.piles)]


@given(rulesets, seeds)
@settings(max_examples=20)
def test_a_sample_can_be_played_to_the_end_by_the_rules(ruleset: Ruleset, seed: int) -> None:
    """From a moment drawn by chance; the naive implementation goes along from the same cards."""
    rng = Random(seed)
    rules = ruleset.as_dict()
    stop = rng.randint(1, 100 * ruleset.decks)
    *_, (_, seats) = islice(observed_game(ruleset, seed, 0, (RANDOM, RANDOM)), stop)
    sample = seats[seed % 2].sample(rng)
    table = table_of(sample)
    while sample.phase != OVER:
        action = rng.choice(sample.legal_actions())
        table = naive.after(rules, table, sample.action_text(action))
        sample.apply(action)
        found, expected = of_state(sample), of_table(rules, table)
        compared = expected.keys() - {"scores", "rounds"}  # of the rounds before, the table knows nothing
        assert {name: found[name] for name in compared} == {name: expected[name] for name in compared}


def table_of(state: State) -> naive.Table:
    shown = of_state(state)
    kept = {name: shown[name] for name in naive.Table._fields if name in shown}
    return naive.Table(**({"to_move": state.to_move} | kept))


def small_position(ruleset: Ruleset) -> tuple[Observation, dict[Deal, float]]:
    """What seat 0 knows in the first game, of seeds 0, 1, ..., that is fit for counting, and the chance of each deal.

    The position is the one at which it has first seen all cards but seven. It is fit if from 12 to 300 deals are
    possible, which with several decks are not all equally likely.
    """
    few_unseen = (
        next(
            seen
            for _, (seen, _) in observed_game(ruleset, seed, 0, (RANDOM, RANDOM))
            if sum(len(seen.unseen(suit)) for suit in SUITS) <= 7
        )
        for seed in count()
    )
    positions = ((seen, enumerated(seen)) for seen in few_unseen)
    return next(each for each in positions if 12 <= len(each[1]) <= 300 and is_even(each[1]) == (ruleset.decks == 1))


def is_even(chances: dict[Deal, float]) -> bool:
    return max(chances.values()) < 1.5 * min(chances.values())


def enumerated(seen: Observation) -> dict[Deal, float]:
    """The chance of each deal: all orders of the unseen cards of each suit are equally likely, the first fill its pile.

    An order is one of physical cards. Where two of them are identical, deals that tell them apart are one deal, which
    is as likely as those together.
    """
    of_suits = []
    for suit in SUITS:
        size = seen.piles[suit]
        orders = list(permutations(map(int, seen.unseen(suit))))
        ways = Counter((order[:size], tuple(sorted(order[size:]))) for order in orders)
        of_suits.append([(pile, rest, count / len(orders)) for (pile, rest), count in ways.items()])
    chances = {}
    for parts in product(*of_suits):
        piles = tuple(pile for pile, _, _ in parts)
        hand = tuple(sorted(card for _, rest, _ in parts for card in rest))
        chance = 1.0
        for _, _, each in parts:
            chance *= each
        chances[piles, hand] = chance
    return chances


def test_of_one_deck_each_order_of_a_pile_is_a_deal() -> None:
    """Of n unseen cards of a suit k lie in its pile, in one of n (n - 1) ... (n - k + 1) orders."""
    seen, chances = small_position(Ruleset())
    deals = prod(perm(len(seen.unseen(suit)), seen.piles[suit]) for suit in SUITS)
    assert len(chances) == deals
    assert all(chance == pytest.approx(1 / deals) for chance in chances.values())


@pytest.mark.parametrize("decks", [1, 2, 3])
def test_samples_are_as_frequent_as_an_enumeration_says(decks: int) -> None:
    """Chi-square over all deals, each expected a hundred times or more; the seed is fixed.

    Uniform means each assignment of physical cards to places: with several decks a deal in which two identical cards
    could change places counts for both ways. A sampler that took all distinct deals as equally likely is noticed.
    """
    seen, chances = small_position(Ruleset(decks=decks))
    rng = Random(1)
    draws = round(100 / min(chances.values()))
    found = Counter(deal_of(seen.sample(rng), 1 - seen.seat) for _ in range(draws))
    most = critical(len(chances) - 1)
    assert found.keys() <= chances.keys()
    assert chi_square(found, chances) < most
    distinct = Counter(rng.choices(list(chances), k=draws))
    assert (chi_square(distinct, chances) > most) == (decks > 1)


def test_the_critical_value_is_that_of_the_tables() -> None:
    assert critical(10) == pytest.approx(29.59, rel=0.01)
    assert critical(100) == pytest.approx(149.45, rel=0.01)


def deal_of(sample: State, other: int) -> Deal:
    return tuple(tuple(pile) for pile in sample.piles), tuple(sample.hands[other])


def chi_square(found: Counter[Deal], chances: dict[Deal, float]) -> float:
    total = found.total()
    return sum((found[deal] - total * chance) ** 2 / (total * chance) for deal, chance in chances.items())


def critical(degrees: int) -> float:
    """What chi-square exceeds once in 1,000 times by chance, as Wilson and Hilferty approximate it.

    The cube root of chi-square over its degrees n is nearly normal, with mean 1 - 2/9n and variance 2/9n. For 10
    degrees this gives 29.8, where tables have 29.6.
    """
    spread = 2 / (9 * degrees)
    return float(degrees * (1 - spread + NormalDist().inv_cdf(0.999) * spread**0.5) ** 3)
