from __future__ import annotations

from collections.abc import Callable

import pytest

from league.accounts.models import User
from league.bots.models import Version
from league.matches.models import Match
from league.standings import services as standings
from league.standings.models import Standing
from league.tournaments import services as tournaments


@pytest.fixture
def judge(db: None) -> User:
    return User.objects.create_user("judge", is_staff=True)


@pytest.fixture
def league(activate: Callable[..., Version], play_all: Callable[..., list[Match]], short_ladder: object) -> list[Match]:
    """The three matches of three bots, all played."""
    for name in ("Pawn", "Rook", "King"):
        activate(name)
    return play_all()


@pytest.fixture
def table() -> Callable[[], dict[str, tuple[int, int]]]:
    """Match points and matches of each bot of the ladder, computed anew."""

    def table() -> dict[str, tuple[int, int]]:
        standings.refresh(tournaments.ladder())
        rows = Standing.objects.filter(tournament=tournaments.ladder()).select_related("version__bot")
        return {row.version.bot.name: (row.match_points, row.played) for row in rows}

    return table
