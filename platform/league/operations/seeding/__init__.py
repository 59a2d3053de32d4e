"""A league as it might be after some weeks: for benchmarks, and to look at the pages with."""

from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import datetime
from random import Random
from typing import NamedTuple, cast

from django.conf import settings
from django.db import transaction
from django.db.models import DateTimeField, Model

from league.accounts.models import User
from league.bots.models import Bot, Version
from league.matches.models import Attempt, Match
from league.operations.seeding.pairs import TooFewPairs
from league.operations.seeding.planning import plan
from league.operations.seeding.population import Population
from league.operations.seeding.records import Records
from league.operations.seeding.storing import Storage
from league.tournaments import services as tournaments

__all__ = ["Made", "TooFewPairs", "fill", "has_users"]

STAMPED: tuple[tuple[type[Model], str], ...] = (
    (Bot, "created_at"),
    (Version, "created_at"),
    (Match, "created_at"),
    (Attempt, "ended_at"),
)


class Made(NamedTuple):
    """What was made."""

    author: str
    """Who has as many bots as one may; one of them has met every other."""
    authors: int
    bots: int
    playing: int
    versions: dict[str, int]
    """By status."""
    matches: dict[str, int]
    """By status."""
    replays: int
    records: int
    """Different ones among the replays."""

    def __str__(self) -> str:
        return "\n".join([
            f"{self.authors:,} authors, such as {self.author}",
            f"{self.bots:,} bots, {self.playing:,} of them in the ladder",
            f"{sum(self.versions.values()):,} versions: {_counted(self.versions)}",
            f"{sum(self.matches.values()):,} matches: {_counted(self.matches)}",
            f"{self.replays:,} replays, of {self.records:,} different matches",
        ])  # fmt: skip


def has_users() -> bool:
    """Whether the database holds what people made: accounts, bots."""
    house = settings.HOUSE_USER
    return User.objects.exclude(username=house).exists() or Bot.objects.exclude(owner__username=house).exists()


@transaction.atomic
def fill(seed: int, bots: int, matches: int, replays: int, now: datetime) -> Made:
    """Add that many bots with their authors, versions and matches to the open ladder; all follows from the seed.

    The standings are left as they are.

    Raises:
        TooFewPairs: so many bots have not so many matches.
    """
    ladder = tournaments.ladder()
    tournaments.touch(ladder)
    population = Population(Random(f"{seed} population"), bots, now)
    planned = plan(Random(f"{seed} plan"), population, matches, replays, now)
    records = Records(Random(f"{seed} records"), ladder)
    with _given_times():
        population.store(ladder)
        Storage(Random(f"{seed} matches"), ladder, records).store(planned)
    return Made(
        author=population.authors[0].username,
        authors=len(population.authors),
        bots=len(population.bots),
        playing=len(population.playing),
        versions=Counter(version.status for version in population.versions),
        matches=Counter(each.status for each in planned),
        replays=sum(each.recorded for each in planned),
        records=len(records),
    )


@contextmanager
def _given_times() -> Iterator[None]:
    """Store rows with the times that they are given; `auto_now_add` would put now in their place."""
    fields = [cast("DateTimeField[datetime, datetime]", model._meta.get_field(name)) for model, name in STAMPED]
    for field in fields:
        field.auto_now_add = False
    try:
        yield
    finally:
        for field in fields:
            field.auto_now_add = True


def _counted(counts: dict[str, int]) -> str:
    return ", ".join(f"{count:,} {name}" for name, count in sorted(counts.items(), key=lambda each: -each[1]))
