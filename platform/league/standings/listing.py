"""Rows of a table in the order in which they are shown."""

from typing import Any, NamedTuple

from django.db.models import ExpressionWrapper, F, FloatField, Q, QuerySet, Sum
from django.db.models.functions import Lower
from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

from league.standings.models import Standing
from league.tournaments.models import Tournament


class Column(NamedTuple):
    """What a table can be sorted by."""

    name: str
    title: str | Promise
    key: Any
    """An expression over `Standing`, ascending."""
    falling: bool
    """Whether the largest is looked for first."""
    css: str = ""

    @property
    def orders(self) -> tuple[str, str]:
        """Both ways to sort by it, the one that is asked for first before the other."""
        rising, falling = self.name, f"-{self.name}"
        return (falling, rising) if self.falling else (rising, falling)


def _a_match(points: str) -> Any:
    return ExpressionWrapper(F(points) * 1.0 / F("played"), output_field=FloatField())


COLUMNS = (
    Column("rank", _("Rank"), F("rank"), falling=False, css="rank-head"),
    Column("bot", _("Bot"), Lower("version__bot__name"), falling=False),
    Column("author", _("Author"), Lower("version__bot__owner__username"), falling=False, css="fold-2"),
    Column("points", _("Match points"), F("match_points"), falling=True, css="number"),
    Column("rating", _("Rating"), F("elo"), falling=True, css="number rating-head"),
    Column("won", _("Won"), F("won"), falling=True, css="number fold"),
    Column("drawn", _("Drawn"), F("drawn"), falling=True, css="number fold"),
    Column("lost", _("Lost"), F("lost"), falling=True, css="number fold"),
    Column("for", _("Points a game"), _a_match("points_for"), falling=True, css="number fold-2 after-strip"),
    Column("against", _("Against"), _a_match("points_against"), falling=True, css="number fold-2"),
    Column("played", _("Played"), F("played"), falling=True, css="number fold"),
    Column("faults", _("Faults"), F("faults"), falling=True, css="number fold-2"),
)
ORDERS = tuple(order for column in COLUMNS for order in column.orders)


def ranked(tournament: Tournament) -> QuerySet[Standing]:
    """Rows that have a rank, the first first, with their bots."""
    rows = Standing.objects.filter(tournament=tournament, rank__isnull=False)
    return rows.select_related("version__bot__owner").order_by("rank", "version__bot__name")


def unranked(tournament: Tournament) -> QuerySet[Standing]:
    """Rows of bots that have not played yet."""
    rows = Standing.objects.filter(tournament=tournament, rank=None)
    return rows.select_related("version__bot__owner").order_by("version__bot__name")


def ordered(rows: QuerySet[Standing], order: str) -> QuerySet[Standing]:
    """Those rows in one of `ORDERS`; equal ones by rank, and those without a rating last when it is by that."""
    key = next(column.key for column in COLUMNS if column.name == order.lstrip("-"))
    first = key.desc(nulls_last=True) if order.startswith("-") else key.asc(nulls_last=True)
    return rows.order_by(first, "rank", "version__bot__name")


def named(tournament: Tournament, text: str) -> Q:
    """Rows whose bot or author has that text in the name, in capitals or not; all rows for an empty text.

    SQLite knows capitals of ASCII alone, so the names are compared here.
    """
    if not text:
        return Q()
    wanted = text.casefold()
    rows = Standing.objects.filter(tournament=tournament).order_by()
    names = rows.values_list("pk", "version__bot__name", "version__bot__owner__username")
    return Q(pk__in=[pk for pk, *both in names if any(wanted in name.casefold() for name in both)])


class Pairs(NamedTuple):
    """How far the round robin is."""

    played: int
    possible: int

    @property
    def left(self) -> int:
        return self.possible - self.played

    @property
    def percent(self) -> int:
        """The share that is played, full only when it is."""
        return 100 * self.played // self.possible if self.possible else 0


def pairs(tournament: Tournament) -> Pairs:
    """Pairs played and possible, as the table counts them."""
    sums = Standing.objects.filter(tournament=tournament).aggregate(played=Sum("played"), possible=Sum("possible"))
    return Pairs((sums["played"] or 0) // 2, (sums["possible"] or 0) // 2)
