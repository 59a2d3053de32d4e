"""Passes whenever it may: the smallest complete bot."""

from __future__ import annotations

from arena import Card, Observation


class Bot:
    def play(self, observation: Observation) -> tuple[Card, ...]:
        # The first legal play is the pass. The leader of the endgame may not pass: there it is his lowest card.
        return observation.legal_plays[0]
