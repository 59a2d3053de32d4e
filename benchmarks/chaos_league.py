"""The league of `make chaos`, which grows while the faults go: so there are always checks and matches to meet."""

from itertools import count
from math import comb

from arena import replay
from arena.ruleset import Ruleset, TimeControl
from benchmarks import chaos_bots
from league.bots import house, services
from league.bots.models import Version
from league.matches.models import Match
from league.operations import round_robin
from league.standings.models import Table
from league.tournaments import services as tournaments

FIRST = 8
"""Bots that are there when the faults begin."""


class League:
    def __init__(self, matches: int) -> None:
        """A league of as many bots as have that many pairs, and one that fails its check."""
        self.bots = chaos_bots.names(next(bots for bots in count(FIRST) if comb(bots, 2) >= matches))
        self._waiting = [*self.bots[:FIRST], chaos_bots.DOOMED, *self.bots[FIRST:]]

    def grow(self, share: float) -> None:
        """Submit bots until somewhat more than that share of the league's matches is paired."""
        wanted = FIRST + round((len(self.bots) - FIRST) * share**0.5)
        while self._waiting and len(self.bots) - len(self._waiting) < wanted:
            self.submit()

    def submit(self) -> Version | None:
        """The next bot's version, which waits for its check; None where all are there."""
        if not self._waiting:
            return None
        name = self._waiting.pop(0)
        return services.submit(house.owner(), name, f"{name}.py", chaos_bots.source(name))


def recorded() -> int:
    """Matches that are played."""
    return round_robin.progress().played


def has_recorded(matches: float) -> bool:
    return recorded() >= matches


def has_settled() -> bool:
    """Whether nothing waits, nothing is being played, and the table shows it all."""
    ladder = tournaments.ladder()
    computed = Table.objects.filter(tournament=ladder, revision=ladder.revision, error="").exists()
    return round_robin.progress().done and computed


def played(match: Match, seed: int | None = None) -> replay.Record:
    """That match of the league, played in this process; with another seed, one that never was."""
    tournament = match.tournament
    return chaos_bots.played(
        match.version_a.bot.name,
        match.version_b.bot.name,
        Ruleset.from_dict(tournament.ruleset),
        TimeControl.from_dict(tournament.time_control),
        match.seed if seed is None else seed,
    )
