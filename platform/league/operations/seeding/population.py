"""The authors of a seeded league, their bots and all uploads, in the order in which they came."""

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime, timedelta
from hashlib import sha256
from itertools import pairwise
from random import Random

from arena import bots as house
from league.accounts.models import User
from league.bots.models import Bot, Report, Source, Version
from league.operations.seeding import faults, names
from league.tournaments.models import Entry, Tournament

STRENGTHS = {"random": -14.0, "longest": -2.0, "points": 0.0, "counting": 8.0}
"""The house bots that seeded ones are copies of, and about how many points a game each is better than the field."""
SHARES = (10, 25, 40, 25)
SPREAD = 5.0
"""Standard deviation of bots about the strength of their model, in points a game."""
LEADER = 22.0
"""What the first author's first bot has, which meets everybody: who plays most would lead by that alone."""
GAIN = 1.5
"""What a further version is better by."""
MOST_BOTS = 5
FIRST_DAYS = 42
WAIT = timedelta(seconds=1)
CHECK = timedelta(seconds=4)
"""From the upload to the verdict."""
MESSAGES = (
    "", "", "", "first try", "counts what has been seen", "passes more often in the endgame", "quicker",
    "fix the crash", "keeps pairs for sets", "другой выбор стопки", "считает вышедшие карты",
    "back to the old lobby choice",
)  # fmt: skip


@dataclass(slots=True)
class Entrant:
    """A version that plays, or once played, with what is not to be seen of it."""

    version: Version
    model: str
    strength: float
    since: datetime
    until: datetime | None = None
    """When a later version took its place; none while it plays."""

    @property
    def bot(self) -> int:
        return self.version.bot_id


class Population:
    """Authors, bots and versions, drawn but not stored."""

    def __init__(self, chance: Random, number: int, now: datetime) -> None:
        self._chance = chance
        self._now = now
        self.authors = self._draw_authors(number)
        self.bots = list(self._draw_bots(number))
        self.entrants: list[Entrant] = []
        self.sources: list[Source] = []
        self.reports: list[Report] = []
        for bot in self.bots:
            self._draw_versions(bot)
        self.entrants.sort(key=lambda entrant: (entrant.version.created_at, entrant.version.bot.name))
        self.sources.sort(key=lambda source: (source.version.created_at, source.version.bot.name))

    @property
    def versions(self) -> list[Version]:
        """All of them, the oldest first."""
        return [source.version for source in self.sources]

    @property
    def playing(self) -> list[Entrant]:
        """Those that play now, the oldest first."""
        return [entrant for entrant in self.entrants if entrant.until is None]

    @property
    def replaced(self) -> list[Entrant]:
        """Those that gave way to a later version of their bot, the oldest first."""
        return [entrant for entrant in self.entrants if entrant.until is not None]

    def store(self, tournament: Tournament) -> None:
        """Store all of it, and enter the versions that play."""
        User.objects.bulk_create(self.authors)
        Bot.objects.bulk_create(self.bots)
        Version.objects.bulk_create(self.versions)
        Source.objects.bulk_create(self.sources)
        Report.objects.bulk_create(self.reports)
        entries = (Entry(tournament=tournament, bot_id=each.bot, version=each.version) for each in self.playing)
        Entry.objects.bulk_create(entries)

    def _draw_authors(self, bots: int) -> list[User]:
        taken = User.objects.values_list("username", flat=True)
        joined = self._now - timedelta(days=FIRST_DAYS + 1)
        made = [
            User(username=name, date_joined=joined + timedelta(hours=self._chance.uniform(0, 20)))
            for name in names.authors(self._chance, max(1, bots // 3), taken)
        ]
        for user in made:
            user.set_unusable_password()
        return made

    def _draw_bots(self, number: int) -> Iterator[Bot]:
        owners = self._owners(number)
        taken = Bot.objects.values_list("name", flat=True)
        for owner, name in zip(owners, names.bots(self._chance, number, taken), strict=True):
            age_days = FIRST_DAYS * self._chance.uniform(0.3, 1) ** 0.5
            yield Bot(owner=owner, name=name, created_at=self._now - timedelta(days=age_days))

    def _owners(self, bots: int) -> list[User]:
        """An owner for each bot: the first has as many as one may, everybody at least one while they last."""
        first, *others = self.authors
        owners = [first] * min(MOST_BOTS, max(1, bots - len(others))) + others
        free = others * (MOST_BOTS - 1) or [first] * bots
        return (owners + self._chance.sample(free, max(0, bots - len(owners))))[:bots]

    def _draw_versions(self, bot: Bot) -> None:
        """A bot's uploads one after the other: most pass, and the last that passed plays."""
        chance = self._chance
        model = chance.choices(list(STRENGTHS), SHARES)[0]
        strength = LEADER if bot is self.bots[0] else chance.gauss(STRENGTHS[model], SPREAD)
        life = (self._now - bot.created_at) / timedelta(hours=1)
        number = 1 + min(6, int(chance.expovariate(0.9)))
        moments = sorted(chance.uniform(0, life - 1) for _ in range(number - 1))
        checking = chance.random() < 0.03
        active: list[Entrant] = []
        for index, hours in enumerate([0.0, *moments], 1):
            version = self._upload(bot, index, model, bot.created_at + timedelta(hours=hours))
            if chance.random() < (0.03 if index == 1 else 0.12):
                self._reject(version)
            elif checking and index == number > 1:
                version.created_at = self._now - timedelta(seconds=chance.randint(5, 90))
                version.status = Version.Status.CHECKING
                version.attempt, version.started_at, version.checked_at = 0, None, None
            else:
                active.append(Entrant(version, model, strength, version.created_at + CHECK))
                strength += chance.gauss(GAIN, 1)
        for earlier, later in pairwise(active):
            earlier.until = later.since
            earlier.version.status = Version.Status.SUPERSEDED
        self.entrants += active

    def _upload(self, bot: Bot, number: int, model: str, moment: datetime) -> Version:
        content = house.source(model) + f"\n# {bot.name}, version {number}\n".encode()
        version = Version(
            bot=bot,
            number=number,
            filename="bot.py",
            size=len(content),
            sha256=sha256(content).hexdigest(),
            message=self._chance.choice(MESSAGES),
            status=Version.Status.ACTIVE,
            created_at=moment,
            attempt=1,
            started_at=moment + WAIT,
            checked_at=moment + CHECK,
        )
        self.sources.append(Source(version=version, content=content))
        return version

    def _reject(self, version: Version) -> None:
        version.status = Version.Status.REJECTED
        at_load = self._chance.random() < 0.4
        fault = faults.AT_LOAD if at_load else faults.of_bot(self._chance)
        place = "at load" if at_load else faults.place(self._chance, self._chance.randint(1, 2))
        output = "" if at_load else "ready\nhand 9S TH JD 4C 4H\n"
        self.reports.append(
            Report(version=version, reason=f"{place}: {fault.reason}", traceback=fault.traceback, output=output)
        )
