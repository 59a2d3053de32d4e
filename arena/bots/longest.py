"""Lays as many cards as it can, and of equally many the ones worth least."""

from __future__ import annotations

from arena import Card, Observation


class Bot:
    def play(self, observation: Observation) -> tuple[Card, ...]:
        return max(observation.legal_plays, key=lambda cards: (len(cards), -sum(card.worth for card in cards)))
