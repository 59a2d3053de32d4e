"""Makes the lobby worth as much as it can, without a thought for the other's answer."""

from __future__ import annotations

from arena import Card, Observation
from arena.state import score


class Bot:
    def play(self, observation: Observation) -> tuple[Card, ...]:
        return max(observation.legal_plays, key=lambda cards: worth_after(observation, cards))

    def choose_pile(self, observation: Observation, purpose: str) -> str:
        # Honours count twice: go where the cards not yet seen are worth most.
        return max(observation.legal_piles, key=lambda suit: mean_worth(observation.unseen(suit)))


def worth_after(observation: Observation, cards: tuple[Card, ...]) -> int:
    """Points of the lobby once these cards lie in it; a pass leaves it as it is."""
    # A copy of the game knows the rules in all their options; the observation itself must stay as it is.
    state = observation.state.clone()
    state.apply(state.lay(cards))
    # A pass that ends the round has emptied the lobby: then it is worth what it was.
    lobby, kind = (state.lobby, state.kind) if cards else (observation.lobby, observation.kind)
    return score(lobby, kind, observation.ruleset.set_scoring)


def mean_worth(cards: tuple[Card, ...]) -> float:
    return sum(card.worth for card in cards) / len(cards)
