"""My bot for Candidate: lays what makes the lobby worth most, and draws where the best cards may be.

The arena makes a Bot anew for each match and calls its methods. Only `play` has to be there.
"""

from __future__ import annotations

from arena import Card, Observation


class Bot:
    def play(self, observation: Observation) -> tuple[Card, ...]:
        """The cards to lay; none of them is a pass. Called where there is a choice.

        The observation is all that a player may know: `hand`, `lobby`, `piles`, `history` and more. Its `legal_plays`
        are what may be laid now, the pass first.
        """
        return max(observation.legal_plays, key=lambda cards: value(observation, cards))

    def choose_pile(self, observation: Observation, purpose: str) -> str:
        """The suit of the pile to take from; the purpose is "deal", "lobby" or "draw"."""
        return max(observation.legal_piles, key=lambda suit: mean_worth(observation.unseen(suit)))


def value(observation: Observation, cards: tuple[Card, ...]) -> int:
    """How good it is to lay these cards: the points of the lobby, if the other has no answer.

    This is the place to begin: how likely is an answer, which would take it all?
    """
    return points(observation.lobby + cards) if cards else 0


def points(lobby: tuple[Card, ...]) -> int:
    """What a lobby scores by the usual rules: its size times the worth of its cards, each 1 in a set."""
    is_set = len(lobby) > 1 and lobby[0].rank == lobby[1].rank
    return len(lobby) * (len(lobby) if is_set else sum(card.worth for card in lobby))


def mean_worth(cards: tuple[Card, ...]) -> float:
    return sum(card.worth for card in cards) / len(cards)
