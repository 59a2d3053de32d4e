"""A match from one side: what it was for that bot, and what came of it."""

from typing import NamedTuple

from league.bots.models import Version
from league.matches.models import Match


class Side(NamedTuple):
    """A played match as that of one of its bots."""

    match: Match
    seat: str
    version: Version
    opponent: Version
    points: int
    against: int

    @property
    def result(self) -> str:
        return result(self.match.outcome, self.seat)

    @property
    def difference(self) -> int:
        return self.points - self.against

    @property
    def forfeited(self) -> bool:
        """Whether this side did."""
        return self.seat in self.match.forfeits


def result(outcome: str, seat: str) -> str:
    """`won`, `drawn` or `lost`: what that outcome of a match is for that seat."""
    if outcome == Match.Outcome.DRAW:
        return "drawn"
    return "won" if outcome == seat else "lost"


def seen_from(match: Match, bot: int) -> Side:
    """That match, with both versions loaded, as that bot's."""
    if match.version_a.bot_id == bot:
        return Side(match, "A", match.version_a, match.version_b, match.points_a, match.points_b)
    return Side(match, "B", match.version_b, match.version_a, match.points_b, match.points_a)
