"""Random games for the tests of the engine: hypothesis strategies and a driver that looks at every action."""

from collections import Counter
from collections.abc import Iterator
from random import Random
from typing import NamedTuple

from hypothesis import strategies as st

from arena import chance
from arena.ruleset import Ruleset
from arena.state import NOBODY, OVER, PASS, State

rulesets = st.builds(
    Ruleset,
    decks=st.integers(1, 3),
    games=st.just(2),
    run_direction=st.sampled_from(["up", "both"]),
    unclaimed=st.sampled_from(["same_leader", "other_leader"]),
    endgame=st.sampled_from(["lead_from_hand", "stop"]),
    set_scoring=st.sampled_from(["count", "worth"]),
)
seeds = st.integers(0, 2**63 - 1)


class Played(NamedTuple):
    before: State
    action: int
    after: State


def new_game(ruleset: Ruleset, seed: int, game: int = 1) -> State:
    return State(ruleset, chance.piles(seed, game, ruleset.decks), chance.dealer(seed, game))


def random_game(ruleset: Ruleset, seed: int) -> Iterator[Played]:
    """Each action of a game played at random, with the states around it."""
    rng = Random(seed)
    state = new_game(ruleset, seed)
    while state.phase != OVER:
        action = rng.choice(state.legal_actions())
        before = state.clone()
        state.apply(action)
        yield Played(before, action, state.clone())


def ended_round(played: Played) -> bool:
    return played.action == PASS and played.before.passes == 1


def left_the_table(game: list[Played]) -> list[tuple[int | None, list[int], int]]:
    """Each lobby that left the table: who took it (none if unclaimed), its cards, its points."""
    gone: list[tuple[int | None, list[int], int]] = []
    for played in filter(ended_round, game):
        taker = None if played.before.last_layer == NOBODY else played.before.last_layer
        points = sum(played.after.scores) - sum(played.before.scores)
        gone.append((taker, played.before.lobby, points))
    return gone


def all_cards(decks: int) -> Counter[int]:
    return Counter(dict.fromkeys(range(52), decks))


def on_the_table(state: State) -> Counter[int]:
    found: Counter[int] = Counter(state.lobby)
    for some in (*state.piles, *state.hands):
        found.update(some)
    return found
