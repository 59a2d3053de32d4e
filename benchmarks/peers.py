"""Games of other libraries, played at random the way their documentation plays them: for `make bench-engine`.

Each player is a generator: a game more at each step, with the number of its players' decisions. Who has not installed a
library gets an ImportError at the first.
"""

from __future__ import annotations

from collections.abc import Iterator
from random import Random
from typing import Any


def open_spiel(name: str) -> Iterator[int]:
    """Games of OpenSpiel; what chance does is drawn by the probabilities that its nodes give."""
    import pyspiel

    game, rng = pyspiel.load_game(name), Random(1)
    draw = rng.random
    while True:
        state, decisions = game.new_initial_state(), 0
        while not state.is_terminal():
            if state.is_chance_node():
                outcomes, weights = zip(*state.chance_outcomes(), strict=True)
                state.apply_action(rng.choices(outcomes, weights)[0])
            else:
                actions = state.legal_actions()
                state.apply_action(actions[int(draw() * len(actions))])
                decisions += 1
        yield decisions


def open_spiel_even_chance(name: str) -> Iterator[int]:
    """The same, quicker: for games of which one knows that all that chance may do is equally likely."""
    import pyspiel

    game, draw = pyspiel.load_game(name), Random(1).random
    while True:
        state, decisions = game.new_initial_state(), 0
        while not state.is_terminal():
            decisions += not state.is_chance_node()
            actions = state.legal_actions()
            state.apply_action(actions[int(draw() * len(actions))])
        yield decisions


def rlcard(name: str) -> Iterator[int]:
    """Games of RLCard."""
    import rlcard as library

    environment: Any = library.make(name)
    draw = Random(1).random
    while True:
        seen, _ = environment.reset()
        decisions = 0
        while not environment.is_over():
            actions = list(seen["legal_actions"])
            seen, _ = environment.step(actions[int(draw() * len(actions))])
            decisions += 1
        yield decisions
