"""Which matches there are: of whom, in what state, and when."""

from collections.abc import Iterator
from datetime import datetime, timedelta
from itertools import chain
from random import Random
from typing import NamedTuple

from league.matches.models import Match
from league.operations.seeding import pairs
from league.operations.seeding.pairs import Pair
from league.operations.seeding.population import Population

OF_REPLACED = 0.08
"""Share of the matches in which a version plays that was replaced since."""
CANCELLED = 0.005
QUEUED = 0.01
FAILED = 0.001
RUNNING = 4
SOON = timedelta(minutes=20)
"""How long the last matches waited, or wait, at most."""
LATEST_RECORDED = 0.4
"""Share of the real records that goes to the latest matches: visitors look at those first."""


class Planned(NamedTuple):
    """A match that is to be stored."""

    pair: Pair
    status: Match.Status
    moment: datetime
    """When it ended; when it was begun or queued, if it has not ended."""
    recorded: bool = False
    """It gets the record of a match that was really played."""


def plan(chance: Random, population: Population, number: int, records: int, now: datetime) -> list[Planned]:
    """That many matches, the earliest first; those that wait come last.

    Raises:
        TooFewPairs: so many pairs have not met.
    """
    replaced = pairs.of_replaced(chance, population.replaced, population.entrants, int(number * OF_REPLACED))
    busiest = next((each for each in population.playing if each.version.bot is population.bots[0]), None)
    playing = pairs.of_playing(chance, population.playing, busiest, number - len(replaced))
    left = {Match.Status.CANCELLED: int(number * CANCELLED)}
    ahead = {
        Match.Status.QUEUED: int(number * QUEUED),
        Match.Status.RUNNING: min(RUNNING, number // 20),
        Match.Status.FAILED: -(-number // 1000),
    }
    planned = [
        Planned(pair, status, _moment(chance, pair, status, now))
        for some, states in ((replaced, left), (playing, ahead))
        for pair, status in zip(some, _statuses(chance, states, len(some)), strict=True)
    ]
    planned.sort(key=lambda each: (each.status == Match.Status.QUEUED, each.moment))
    return list(_with_records(chance, planned, records))


def _statuses(chance: Random, states: dict[Match.Status, int], number: int) -> list[Match.Status]:
    """So many of each of those, and the rest played, in any order."""
    listed = list(chain.from_iterable([status] * count for status, count in states.items()))[: number // 2]
    listed += [Match.Status.PLAYED] * (number - len(listed))
    chance.shuffle(listed)
    return listed


def _moment(chance: Random, pair: Pair, status: Match.Status, now: datetime) -> datetime:
    if status == Match.Status.RUNNING:
        return now - timedelta(seconds=chance.uniform(1, 20))
    if status == Match.Status.QUEUED:
        return now - chance.random() * SOON
    begins = max(each.since for each in pair)
    ends = min((each.until for each in pair if each.until), default=now)
    return begins + chance.random() * (ends - begins)


def _with_records(chance: Random, planned: list[Planned], records: int) -> Iterator[Planned]:
    played = [place for place, each in enumerate(planned) if each.status == Match.Status.PLAYED]
    latest = played[len(played) - int(records * LATEST_RECORDED) :] if played else []
    others = played[: len(played) - len(latest)]
    recorded = {*latest, *chance.sample(others, min(len(others), records - len(latest)))}
    for place, each in enumerate(planned):
        yield each._replace(recorded=True) if place in recorded else each
