"""The table of a tournament and its ratings, pure functions of its recorded results."""

import logging
from collections.abc import Container

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


def refresh(tournament: Tournament) -> bool:
    """Compute the tournament's table anew; False where that failed: then the last good one stays, and says why."""
    try:
        _recompute(tournament)
    except Exception as error:
        if isinstance(error, DatabaseError) and not _database_answers():
            raise
        log.exception("the table of %s could not be computed", tournament)
        shown = texts.storable(f"{type(error).__name__}: {error}", 1_000)
        Table.objects.update_or_create(tournament=tournament, defaults={"error": shown})
        return False
    return True


def refresh_stale() -> int:
    """Compute the tables that are behind their tournaments; how many those were."""
    behind = ~Q(table__revision=F("revision")) | Q(table=None) | Q(table__computed_at=None)
    return sum(refresh(tournament) for tournament in Tournament.objects.ranked().filter(behind))


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
    Standing.objects.filter(tournament=tournament).delete()
    Standing.objects.bulk_create((_standing(tournament, row, rated.get(row.entrant)) for row in rows), batch_size=500)
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
