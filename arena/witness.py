"""Remembers why a player forfeited."""

from __future__ import annotations

from arena import wire
from arena.outcome import Forfeit
from arena.players import Answer, Player


class Witness:
    """That player, with the forfeit it raised: the record keeps its public line alone, this the traceback too."""

    def __init__(self, player: Player) -> None:
        self.defines: frozenset[str] = frozenset()
        self.forfeit: Forfeit | None = None
        self._player = player

    @property
    def traceback(self) -> str:
        """For the author; empty while nothing happened."""
        return self.forfeit.traceback if self.forfeit else ""

    def load(self, start: wire.Message) -> None:
        try:
            self._player.load(start)
            self.defines = self._player.defines
        except Forfeit as forfeit:
            self.forfeit = forfeit
            raise

    def ask(self, request: wire.Message) -> Answer:
        try:
            return self._player.ask(request)
        except Forfeit as forfeit:
            self.forfeit = forfeit
            raise
