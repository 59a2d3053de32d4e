"""Who plays a seat: a bot in a sandbox, or a trusted one in this process."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from typing import Any, NamedTuple, Protocol

from arena import wire
from arena.host import Host
from arena.local_observation import Followed, LocalObservation
from arena.observation import Observation
from arena.outcome import Forfeit, Termination
from arena.ruleset import Ruleset
from arena.state import State


class Answer(NamedTuple):
    value: Any
    """To play: a list of card texts; to choose_pile: a text; to hooks: none. Not yet known to be legal."""
    cpu_s: float
    wall_s: float
    """From the request being sent until the answer was read, by the clock of who asked."""


class Player(Protocol):
    """One seat of a match. What it raises is a `Forfeit`, or else the platform's fault."""

    defines: frozenset[str]
    """After `load`: those of `wire.METHODS` that it answers; the engine decides the rest."""

    def load(self, start: wire.Message) -> Answer:
        """Brings the bot up; the names of what it defines, and what that took.

        Raises:
            Forfeit: it does not come up.
        """

    def ask(self, request: wire.Message) -> Answer:
        """The bot's answer; it is asked once.

        Raises:
            Forfeit: it does not answer in time, or in a way that can be read.
        """


def read_error(reply: wire.Message) -> Forfeit | None:
    """The forfeit that an error reply stands for; none for other replies."""
    error = reply.get("error")
    if error is None:
        return None
    termination = Termination.MEMORY if error["kind"] == "memory" else Termination.CRASH
    return Forfeit(termination, error["message"], error["traceback"])


class LocalPlayer:
    """A trusted bot in this process, without limits: for tests, training and the author's own terminal.

    Its CPU time is taken from the wall clock: to read the clock of CPU time takes as long as a quick decision.
    """

    def __init__(self, factory: Callable[[], Any]) -> None:
        self.defines: frozenset[str] = frozenset()
        self._host = Host(factory, observe=self._observe)
        self._followed: Followed | None = None

    def follow(self, state: State, choices: Sequence[int]) -> None:
        """From its start on, the bot's observations look at this game; without, they live on events as in a sandbox.

        Args:
            state: Before the deal; it will be played.
            choices: Where the actions of decisions with a choice will be put down.
        """
        self._followed = Followed(state, state.clone(), choices)

    def _observe(self, ruleset: Ruleset, seat: int, game: int, dealer: int, scores: Sequence[int]) -> Observation:
        if self._followed is None:
            return Observation(ruleset, seat, game, dealer, scores)
        return LocalObservation(self._followed, seat, game, scores)

    def load(self, start: wire.Message) -> Answer:
        asked = time.monotonic()
        reply = self._host.answer(start)
        if forfeit := read_error(reply):
            raise forfeit
        self.defines = frozenset(reply["defines"])
        took = time.monotonic() - asked
        return Answer(reply["defines"], took, took)

    def ask(self, request: wire.Message) -> Answer:
        asked = time.monotonic()
        reply = self._host.answer(request)
        took = time.monotonic() - asked
        if "cards" in reply:
            return Answer(reply["cards"], took, took)
        if forfeit := read_error(reply):
            raise forfeit
        return Answer(reply.get("pile"), took, took)
