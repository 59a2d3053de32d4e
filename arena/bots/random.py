"""Chooses among the legal plays and piles by chance, each as likely as the others."""

from __future__ import annotations

from random import Random

from arena import Card, Observation


class Bot:
    def __init__(self) -> None:
        # A bot is made anew for each match. With a fixed seed it repeats its match, which helps in finding faults.
        self.rng = Random(0)

    def play(self, observation: Observation) -> tuple[Card, ...]:
        return self.rng.choice(observation.legal_plays)

    def choose_pile(self, observation: Observation, purpose: str) -> str:
        return self.rng.choice(observation.legal_piles)
