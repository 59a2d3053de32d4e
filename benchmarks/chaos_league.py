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
AHEAD = 60
"""As many matches are always left to be played while faults go, however quickly they are."""


class League:
    def __init__(self, matches: int) -> None:
        """A league of at least as many bots as have that many pairs, and one that fails its check."""
        self.bots: list[str] = []
        """Those that were submitted and belong in the table."""
        self._planned = next(bots for bots in count(FIRST) if comb(bots, 2) >= matches)
        self._names = chaos_bots.names()

    def grow(self, share: float) -> None:
        """Submit bots until somewhat more than that share of the league's matches is paired."""
        wanted = FIRST + round((self._planned - FIRST) * share**0.5)
        while len(self.bots) < wanted:
            self.submit()

    def keep_ahead(self) -> None:
        """Submit bots until enough is left to be played."""
        while comb(len(self.bots), 2) - recorded() < AHEAD:
            self.submit()

    def submit(self) -> Version:
        """The next bot's version, which waits for its check."""
        if len(self.bots) == FIRST:
            _submit(chaos_bots.DOOMED)
        self.bots.append(next(self._names))
        return _submit(self.bots[-1])


def _submit(name: str) -> Version:
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
