"""Planned matches as rows, with all that belongs to them."""

from collections.abc import Iterable
from datetime import timedelta
from itertools import islice
from random import Random

from django.conf import settings

from arena.chance import SEED_BITS
from league.matches import services
from league.matches.models import Attempt, Match
from league.operations.seeding import faults, results
from league.operations.seeding.planning import Planned
from league.operations.seeding.records import Played, Records
from league.tournaments.models import Tournament

CHUNK = 5_000
WORKER = "worker-1.example/411/90210"
"""On another host, so that nobody here knows that it is gone."""
RETRIED = 0.003
"""Share of the matches that met a fault of the platform on the way."""
TAKES = timedelta(seconds=3)
LONGEST_WAIT = timedelta(hours=1)


class Storage:
    """Writes planned matches a chunk at a time."""

    def __init__(self, chance: Random, tournament: Tournament, records: Records) -> None:
        self._chance = chance
        self._tournament = tournament
        self._records = records

    def store(self, planned: Iterable[Planned]) -> None:
        rest = iter(planned)
        while chunk := list(islice(rest, CHUNK)):
            records = [self._record_for(each) for each in chunk]
            rows = [self._row(each, record) for each, record in zip(chunk, records, strict=True)]
            Match.objects.bulk_create(rows)
            Attempt.objects.bulk_create(attempt for row in rows for attempt in self._attempts(row))
            for row, plan, record in zip(rows, chunk, records, strict=True):
                if record is not None:
                    self._record(row, plan, record)

    def _record_for(self, planned: Planned) -> Played | None:
        a, b = planned.pair
        return self._records.of(a.model, b.model) if planned.recorded else None

    def _row(self, planned: Planned, record: Played | None) -> Match:
        a, b = planned.pair
        seed = record.record.seed if record else self._chance.getrandbits(SEED_BITS)
        ended = planned.status in (Match.Status.PLAYED, Match.Status.FAILED)
        waited = min(self._chance.random() * LONGEST_WAIT, planned.moment - max(a.since, b.since))
        row = Match(
            tournament=self._tournament,
            version_a=a.version,
            version_b=b.version,
            seed=seed,
            status=planned.status,
            created_at=planned.moment if planned.status == Match.Status.QUEUED else planned.moment - waited,
            finished_at=planned.moment if ended and record is None else None,
        )
        if ended or planned.status == Match.Status.RUNNING:
            row.attempt, row.worker = 1, WORKER
            row.started_at = planned.moment - TAKES if ended else planned.moment
        if planned.status == Match.Status.PLAYED and record is None:
            self._fill_in(row, a.strength - b.strength)
        elif planned.status == Match.Status.FAILED:
            row.attempt = settings.MATCH_ATTEMPTS
        elif record is not None or planned.status == Match.Status.RUNNING:
            row.status = Match.Status.RUNNING
            row.lease_until = planned.moment + settings.LEASE
        return row

    def _fill_in(self, row: Match, gap: float) -> None:
        result = results.draw(self._chance, row.seed, self._tournament.ruleset["games"], gap)
        for column, value in result._asdict().items():
            setattr(row, column, value)
        if self._chance.random() < RETRIED:
            row.attempt = 2

    def _record(self, row: Match, planned: Planned, played: Played) -> None:
        """Record it as a worker does, and set the clock back to then."""
        services.record(row, played.record, played.logs)
        Match.objects.filter(pk=row.pk).update(finished_at=planned.moment)

    def _attempts(self, row: Match) -> list[Attempt]:
        """Those that ended in a fault of the platform: all of a failed match, all but the last of another."""
        last = row.attempt if row.status == Match.Status.FAILED else row.attempt - 1
        ended = row.started_at or row.created_at
        return [
            Attempt(
                match=row,
                number=number,
                worker=WORKER,
                started_at=ended - TAKES * (last - number + 2),
                ended_at=ended - TAKES * (last - number + 1),
                fault=self._chance.choice(faults.PLATFORM),
            )
            for number in range(1, last + 1)
        ]
