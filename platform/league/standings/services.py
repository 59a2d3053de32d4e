"""The table of a tournament and its ratings, pure functions of its recorded results."""

import logging
import time
from collections.abc import Container
from datetime import timedelta

from django.db import DatabaseError, transaction
from django.db.models import F, Q
from django.utils import timezone

from arena import rating, standings
from league import texts
from league.matches.models import Match
from league.standings import history
from league.standings.models import Fit, Standing, Table
from league.tournaments.models import Entry, Tournament

log = logging.getLogger(__name__)

KEY = ("tournament", "version")
"""Of a row of a table."""


def refresh(tournament: Tournament) -> bool:
    """Compute the tournament's table anew; False where that failed: then the last good one stays, and says why."""
    began = time.monotonic()
    failed = ""
    try:
        _recompute(tournament)
    except Exception as error:
        if isinstance(error, DatabaseError) and not _database_answers():
            raise
        log.exception("the table of %s could not be computed", tournament)
        failed = texts.storable(f"{type(error).__name__}: {error}", 1_000)
    noted = {"error": failed, "tried_at": timezone.now(), "took_s": time.monotonic() - began}
    Table.objects.update_or_create(tournament=tournament, defaults=noted)
    return not failed


def refresh_stale(share: float = 1.0) -> int:
    """Compute the tables that are behind their tournaments; how many those were.

    Each so often that no more than that share of the time goes into it, in (0, 1]: what takes long is computed seldom.
    """
    behind = ~Q(table__revision=F("revision")) | Q(table=None) | Q(table__computed_at=None)
    found = Tournament.objects.ranked().filter(behind)
    return sum(refresh(tournament) for tournament in found if _is_due(tournament, share))


def _is_due(tournament: Tournament, share: float) -> bool:
    last = Table.objects.filter(tournament=tournament).values_list("tried_at", "took_s").first()
    tried_at, took_s = last or (None, 0.0)
    return tried_at is None or timezone.now() >= tried_at + timedelta(seconds=took_s * (1 / share - 1))


def results(tournament: Tournament) -> list[standings.Result]:
    """The recorded results between the versions that are entered now."""
    return _between(tournament, _entered(tournament))


def _between(tournament: Tournament, entered: Container[int]) -> list[standings.Result]:
    # To look for both entries of each match in the database took six times as long.
    played = Match.objects.filter(tournament=tournament, status=Match.Status.PLAYED).order_by()
    columns = ("version_a_id", "version_b_id", "outcome", "points_a", "points_b", "forfeits")
    found = map(standings.Result._make, played.values_list(*columns).iterator(chunk_size=10_000))
    return [result for result in found if result.a in entered and result.b in entered]


def _entered(tournament: Tournament) -> dict[int, int]:
    """The bot of each version that is entered."""
    return dict(Entry.objects.filter(tournament=tournament).values_list("version_id", "bot_id"))


@transaction.atomic
def _recompute(tournament: Tournament) -> None:
    Table.objects.get_or_create(tournament=tournament)
    table = Table.objects.select_for_update().get(pk=tournament.pk)
    # The revision is read before the results: one that is recorded in between only makes for one more refresh.
    revision = Tournament.objects.values_list("revision", flat=True).get(pk=tournament.pk)
    entered = _entered(tournament)
    counted = _between(tournament, entered)
    rows = standings.table(counted, entered, tournament.legs)
    ratings = rating.rate(counted, rating.told_of(counted))
    rated = {each.entrant: each for each in ratings.rows()}
    now = timezone.now()
    Standing.objects.filter(tournament=tournament).exclude(version__in=entered).delete()
    Standing.objects.bulk_create(
        (_standing(tournament, row, rated.get(row.entrant)) for row in rows),
        batch_size=500,
        update_conflicts=True,
        unique_fields=KEY,
        update_fields=[field.name for field in Standing._meta.fields if field.name not in ("id", *KEY)],
    )
    Fit.objects.filter(tournament=tournament).delete()
    Fit.objects.create(tournament=tournament, ratings=ratings.packed())
    history.append(tournament, entered, rated.values(), now)
    table.computed_at, table.revision, table.error = now, revision, ""
    table.save()


def _standing(tournament: Tournament, row: standings.Row, rated: rating.Rating | None) -> Standing:
    return Standing(
        tournament=tournament,
        version_id=row.entrant,
        rank=row.rank,
        played=row.played,
        possible=row.possible,
        won=row.won,
        drawn=row.drawn,
        lost=row.lost,
        match_points=row.match_points,
        points_for=row.points_for,
        points_against=row.points_against,
        faults=row.faults,
        sonneborn_berger=row.sonneborn_berger,
        decided=row.decided or "",
        elo=rated and rated.elo,
        elo_error=rated and rated.error,
    )


def _database_answers() -> bool:
    try:
        Table.objects.exists()
    except DatabaseError:
        return False
    return True
