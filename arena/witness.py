"""Remembers what a player's calls took, and why it forfeited."""

from __future__ import annotations

from collections.abc import Sequence
from time import monotonic

from arena import wire
from arena.outcome import Forfeit
from arena.players import Answer, Player
from arena.usage import Call


class Witness:
    """That player, with its calls and the forfeit it raised.

    The record keeps a CPU time for each decision and one public line; what is here is for the bot's author alone.
    """

    def __init__(self, player: Player) -> None:
        self.defines: frozenset[str] = frozenset()
        self.forfeit: Forfeit | None = None
        self._player = player
        # Plain tuples: they cost a quarter of a microsecond a decision, a `Call` twice that.
        self._calls: list[tuple[Sequence[int], str, float | None, float]] = []

    @property
    def calls(self) -> list[Call]:
        """In order; the last one is the one that forfeited, if one did."""
        return [Call(at[0], at[1], name, cpu_s, wall_s) for at, name, cpu_s, wall_s in self._calls]

    @property
    def traceback(self) -> str:
        """For the author; empty while nothing happened."""
        return self.forfeit.traceback if self.forfeit else ""

    def load(self, start: wire.Message) -> Answer:
        asked = monotonic()
        try:
            answer = self._player.load(start)
        except Forfeit as forfeit:
            self._forfeits(forfeit, start, asked)
            raise
        self._calls.append((start["at"], start["op"], answer.cpu_s, answer.wall_s))
        self.defines = self._player.defines
        return answer

    def ask(self, request: wire.Message) -> Answer:
        asked = monotonic()
        try:
            answer = self._player.ask(request)
        except Forfeit as forfeit:
            self._forfeits(forfeit, request, asked)
            raise
        self._calls.append((request["at"], request["op"], answer.cpu_s, answer.wall_s))
        return answer

    def _forfeits(self, forfeit: Forfeit, request: wire.Message, asked: float) -> None:
        self.forfeit = forfeit
        self._calls.append((request["at"], request["op"], None, monotonic() - asked))
