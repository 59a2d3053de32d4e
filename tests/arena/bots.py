"""Small bots for the tests of matches and records, played in this process."""

from random import Random
from typing import Any

from arena import wire
from arena.match import play
from arena.observation import Observation
from arena.players import Answer, LocalPlayer
from arena.replay import Record
from arena.ruleset import Ruleset, TimeControl


class Random1:
    """Decides everything at random, the same in each match."""

    def __init__(self) -> None:
        self.rng = Random(1)

    def play(self, observation: Observation) -> Any:
        return self.rng.choice(observation.legal_plays)

    def choose_pile(self, observation: Observation, purpose: str) -> str:
        return self.rng.choice(observation.legal_piles)


class Longest:
    """Defines `play` alone."""

    def play(self, observation: Observation) -> Any:
        return max(observation.legal_plays, key=len)


class ByEvents:
    """A player of this process that is told of its games by events, as one in a sandbox is."""

    def __init__(self, factory: Any) -> None:
        self.defines: frozenset[str] = frozenset()
        self._player = LocalPlayer(factory)

    def load(self, start: wire.Message) -> Answer:
        answer = self._player.load(start)
        self.defines = self._player.defines
        return answer

    def ask(self, request: wire.Message) -> Answer:
        return self._player.ask(request)


def local_match(a: Any, b: Any, ruleset: Ruleset | None = None, seed: int = 7) -> Record:
    return play((LocalPlayer(a), LocalPlayer(b)), ruleset or Ruleset(), TimeControl(), seed)
