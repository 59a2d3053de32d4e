"""What each seat is told of an action, as `arena.wire` describes events."""

from __future__ import annotations

from itertools import compress

from arena import wire
from arena.state import DEAL, DRAW, LAID, LOBBY, PASS, PILE, State

PASSED: wire.Event = [PASS]


def told(state: State, action: int) -> tuple[wire.Event, wire.Event]:
    """The events of a legal action that is not carried out yet: for the mover, and for the other seat."""
    if action == PASS:
        return PASSED, PASSED
    if action < PILE:
        event = [wire.LAY, *map(int, compress(state.hands[state.to_move], LAID[action]))]
        return event, event
    pile = state.piles[action - PILE]
    if state.phase == DRAW:
        return [action, pile[-1]], [action]
    if state.phase == LOBBY:
        event = [action, pile[-1]]
        return event, event
    if state.phase == DEAL:
        return [action, *pile[-2:-12:-2]], [action, *pile[-1:-11:-2]]
    raise ValueError(f"expected a phase in which piles are chosen, got {state.phase.name}")
