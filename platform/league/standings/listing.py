"""Rows of a table in the order in which they are shown."""

from django.db.models import F, QuerySet

from league.standings.models import Standing
from league.tournaments.models import Tournament


def ranked(tournament: Tournament) -> QuerySet[Standing]:
    """Rows that have a rank, the first first, with their bots."""
    rows = Standing.objects.filter(tournament=tournament, rank__isnull=False)
    return rows.select_related("version__bot__owner").order_by("rank", "version__bot__name")


def unranked(tournament: Tournament) -> QuerySet[Standing]:
    """Rows of bots that have not played yet."""
    rows = Standing.objects.filter(tournament=tournament, rank=None)
    return rows.select_related("version__bot__owner").order_by(F("version__bot__name"))
