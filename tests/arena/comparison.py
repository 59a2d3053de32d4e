"""The engine beside the naive implementation: one game stepped in both, and what differs."""

from __future__ import annotations

from random import Random
from typing import Any, NamedTuple

from arena import chance
from arena.cards import CARDS
from arena.ruleset import Ruleset
from arena.state import LEAD, NOBODY, OVER, TURN, State
from tests.arena import naive


class Compared(NamedTuple):
    actions: int
    difference: str | None
    """The first one; none if both agree to the end."""


def compare_game(ruleset: Ruleset, seed: int, game: int = 1, rules: naive.Rules | None = None) -> Compared:
    """Plays that game at random in both, until they differ or it is over.

    Args:
        ruleset: The engine's, and the naive implementation's too where it is given no `rules` of its own.
        seed: Of the cards and of the choices.
        game: 1, 2, ...
        rules: What the naive implementation plays by.
    """
    rules = rules or ruleset.as_dict()
    rng = Random(f"{seed} {game}")
    dealer = (naive.first_dealer(seed) + game - 1) % 2
    table = naive.undealt(naive.shuffled(seed, game, ruleset.decks), dealer)
    state = State(ruleset, chance.piles(seed, game, ruleset.decks), chance.dealer(seed, game))
    actions = 0
    while True:
        differs = difference(rules, state, table)
        if differs or state.phase == OVER:
            return Compared(actions, differs and f"{ruleset}, seed {seed}, game {game}, action {actions}: {differs}")
        action = rng.choice(state.legal_actions())
        table = naive.after(rules, table, state.action_text(action))
        state.apply(action)
        actions += 1


def difference(rules: naive.Rules, state: State, table: naive.Table) -> str | None:
    """What the two say differently of one moment of a whole game; none if they agree."""
    found, expected = of_state(state), of_table(rules, table)
    for what in expected:
        if found[what] != expected[what]:
            return f"{what}: expected {expected[what]!r}, got {found[what]!r}"
    return None


def of_state(state: State) -> dict[str, Any]:
    """All that can be compared, in the naive implementation's words; choices as a list, where one twice would show."""
    shown: dict[str, Any] = {
        "phase": state.phase.name.lower(),
        "dealer": state.dealer,
        "leader": state.leader,
        "piles": tuple(_texts(reversed(pile)) for pile in state.piles),
        "hands": tuple(_texts(hand) for hand in state.hands),
        "lobby": _texts(state.lobby),
        "scores": tuple(state.scores),
        "rounds": state.rounds,
        "choices": sorted(map(state.action_text, state.legal_actions())),
    }
    if state.phase != OVER:
        shown["to_move"] = state.to_move
    if state.phase in (TURN, LEAD):
        shown["last_layer"] = None if state.last_layer == NOBODY else state.last_layer
        shown["passes"] = state.passes
    return shown


def of_table(rules: naive.Rules, table: naive.Table) -> dict[str, Any]:
    shown: dict[str, Any] = {
        "phase": table.phase,
        "dealer": table.dealer,
        "leader": table.leader,
        "piles": table.piles,
        "hands": table.hands,
        "lobby": table.lobby,
        "scores": naive.scores(rules, table),
        "rounds": len(table.gone) + (table.phase in ("turn", "lead")),
        "choices": sorted(naive.choices(rules, table)),
    }
    if table.phase != "over":
        shown["to_move"] = table.to_move
    if table.phase in ("turn", "lead"):
        shown["last_layer"] = table.last_layer
        shown["passes"] = table.passes
    return shown


def _texts(some: Any) -> naive.Cards:
    return tuple(CARDS[card].text for card in some)
