"""How a match ends."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

SEATS = "AB"


class Termination(StrEnum):
    """Why a match ended. All but `COMPLETED` are one bot's fault, and that bot's loss."""

    COMPLETED = "completed"
    """All games were played out."""
    TIME = "time"
    """A bot used up its time to load, for a decision, or its bank."""
    CRASH = "crash"
    """A bot raised an exception, or its process ended."""
    MEMORY = "memory"
    """A bot ran out of memory."""
    PROTOCOL = "protocol"
    """A bot answered in a way that can't be read."""
    ILLEGAL = "illegal"
    """A bot chose an action that the rules don't allow."""


class Forfeit(Exception):  # noqa: N818 - a verdict on a bot, not an error of ours
    """A bot lost the match by its own fault. Whatever else is raised in a match is the platform's fault."""

    def __init__(self, termination: Termination, reason: str, traceback: str = "") -> None:
        super().__init__(termination, reason)
        self.termination = termination
        self.reason = reason
        """One line, public."""
        self.traceback = traceback
        """For the bot's author alone."""


@dataclass(frozen=True, slots=True)
class Outcome:
    """The result of a match."""

    winner: int | None
    """The winning seat; none for a draw, or when both forfeit."""
    termination: Termination = Termination.COMPLETED
    forfeits: tuple[int, ...] = ()
    """The seats that forfeited: none, one, or both (they failed to load)."""
    reason: str = ""
    """What the forfeiting bot did, in one public line."""

    @property
    def letter(self) -> str:
        """`A`, `B`, `draw`, or `none` where both forfeited."""
        if self.winner is not None:
            return SEATS[self.winner]
        return "none" if self.forfeits else "draw"
