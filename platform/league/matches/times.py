"""The CPU time that both bots used in a match, from its record."""

from functools import partial
from typing import NamedTuple

from arena.replay import Record, positions
from league import kept

UNIT_S = 1e-4  # of the times in a record
KEPT_S = 3_600


class TimeUse(NamedTuple):
    """One seat's decisions in a match; hooks and loading are not among them."""

    games: tuple[float, ...]
    """Seconds in each game."""
    decisions: int
    slowest: float

    @property
    def total(self) -> float:
        return sum(self.games)


def time_use(record: Record) -> tuple[TimeUse, TimeUse]:
    """What each seat used.

    Raises:
        ReplayError: the record is not by the rules.
    """
    taken: tuple[list[list[int]], list[list[int]]] = ([], [])
    for number, game in enumerate(record.games, 1):
        for seat in taken:
            seat.append([])
        for state, _action, decision in positions(record, number):
            if decision is not None:
                taken[state.to_move][-1].append(game.times[decision])
    a, b = (_use(games) for games in taken)
    return a, b


def kept_time_use(record: Record, sha256: str) -> tuple[TimeUse, TimeUse]:
    """The same of the stored record of that hash; whoever has looked at a match next looks at its games.

    Raises:
        ReplayError: the record is not by the rules.
    """
    return kept.once(kept.key("time-use", (sha256,)), partial(time_use, record), KEPT_S)


def _use(games: list[list[int]]) -> TimeUse:
    every = [time for game in games for time in game]
    return TimeUse(tuple(sum(game) * UNIT_S for game in games), len(every), max(every, default=0) * UNIT_S)
