"""Tournaments, their tables, and who beat whom in them."""

from typing import Any

from django.db.models import Count, QuerySet
from django.urls import reverse
from ninja import Query, Router
from pydantic import Field

from league.api import answers, cursor
from league.api.answers import (
    CellAnswer,
    DisqualifiedAnswer,
    Leaderboard,
    LineAnswer,
    Matrix,
    Row,
    TournamentAnswer,
    TournamentPage,
)
from league.api.callers import PUBLIC, Request
from league.api.parameters import Number, Paged, Parameters, Slug
from league.api.problems import Refused, one, possible
from league.standings import listing
from league.standings.crosstable import Cell, Line, crosstable
from league.standings.models import Standing, Table
from league.tournaments import services
from league.tournaments.models import Season, Tournament

router = Router(tags=["tournaments"])

MOST_LINES = 50


class TournamentFilter(Paged):
    """A page of the tournaments."""


class LeaderboardFilter(Paged):
    limit: int = Field(100, ge=1, le=1_000)
    """How many rows to tell at most."""


class MatrixFilter(Parameters):
    bot: list[Number] = Field(default_factory=list, max_length=MOST_LINES, examples=[[12, 15]])
    """The numbers of the bots, once for each; without any, the first 25 of the table."""


@router.get(
    "/tournaments",
    operation_id="list_tournaments",
    summary="Ladders and seasons",
    response={200: TournamentPage, **possible(422)},
    **PUBLIC,
)
def tournament_list(request: Request, wanted: Query[TournamentFilter]) -> TournamentPage:
    """All ladders and seasons, the first of all first."""
    services.ladder()
    found = _all().filter(pk__gt=cursor.number(wanted.cursor, 0)).order_by("pk")
    rows, last = cursor.page(list(found[: wanted.limit + 1]), wanted.limit)
    return TournamentPage(tournaments=[_tournament(row) for row in rows], next=str(last.pk) if last else None)


@router.get(
    "/tournaments/{slug}",
    operation_id="get_tournament",
    summary="A tournament",
    response={200: TournamentAnswer, **possible(404, 422)},
    **PUBLIC,
)
def one_tournament(request: Request, slug: Slug) -> TournamentAnswer:
    """Its kind, its phase and times, its rules."""
    services.ladder()
    return _tournament(one(_all(), "tournament", slug=slug))


@router.get(
    "/tournaments/{slug}/leaderboard",
    operation_id="get_leaderboard",
    summary="The standings of a tournament",
    response={200: Leaderboard, **possible(404, 422)},
    **PUBLIC,
)
def leaderboard(request: Request, slug: Slug, wanted: Query[LeaderboardFilter]) -> Leaderboard:
    """The rows of the table in its order, with what put each under the one above it."""
    tournament = _ranked(slug)
    table = Table.objects.filter(tournament=tournament).select_related("tournament").first()
    begin = cursor.number(wanted.cursor, 0)
    end = begin + wanted.limit
    ranked, unranked = listing.ranked(tournament), listing.unranked(tournament)
    rows = list(ranked[begin : end + 1])
    if len(rows) <= wanted.limit:
        before = ranked.count()
        rows += unranked[max(0, begin - before) : end + 1 - before]
    shown, last = cursor.page(rows, wanted.limit)
    return Leaderboard(
        tournament=tournament.slug,
        computed_at=table.computed_at if table else None,
        revision=table.revision if table else 0,
        stale=table.stale if table else True,
        failed=bool(table and table.error),
        disqualified=_disqualified(tournament),
        rows=[_row(row, tournament.ruleset["games"]) for row in shown],
        next=str(end) if last else None,
    )


@router.get(
    "/tournaments/{slug}/matrix",
    operation_id="get_matrix",
    summary="Head to head",
    response={200: Matrix, **possible(404, 422)},
    **PUBLIC,
)
def matrix(request: Request, slug: Slug, wanted: Query[MatrixFilter]) -> Matrix:
    """The matches of a tournament between some of its bots, each seen from both sides."""
    tournament = _ranked(slug)
    table = Table.objects.filter(tournament=tournament).first()
    rows = listing.ranked(tournament)
    shown = list(rows.filter(version__bot__in=wanted.bot) if wanted.bot else rows[:25])
    missing = sorted(set(wanted.bot) - {row.version.bot_id for row in shown})
    if missing:
        raise Refused("not_found", f"The bot {missing[0]} has no rank in this tournament.", "bot")
    lines = crosstable(table, shown) if table and table.computed_at else []
    return Matrix(tournament=tournament.slug, lines=[_line(line) for line in lines])


def _all() -> QuerySet[Tournament]:
    return Tournament.objects.ranked().select_related("season").annotate(entered=Count("entries"))


def _ranked(slug: str) -> Tournament:
    services.ladder()
    return one(Tournament.objects.ranked(), "tournament", slug=slug)


def _tournament(tournament: Any) -> TournamentAnswer:
    """Of one of `_all`."""
    season: Season | None = getattr(tournament, "season", None)
    columns: dict[str, Any] = {
        "slug": tournament.slug,
        "name": tournament.name,
        "kind": tournament.kind,
        "phase": season.phase if season else Season.Phase.CLOSED if tournament.closed_at else Season.Phase.PLAYING,
        "about": season.about if season else "",
        "created_at": tournament.created_at,
        "opens_at": season.opens_at if season else None,
        "deadline_at": season.deadline_at if season else None,
        "started_at": season.started_at if season else None,
        "closed_at": tournament.closed_at,
        "bots_per_user": season.bots_per_user if season else None,
        "legs": tournament.legs,
        "entries": tournament.entered,
        "ruleset": tournament.ruleset,
        "time_control": tournament.time_control,
        "page": reverse("standings:table", args=(tournament.slug,)),
    }
    return TournamentAnswer(**columns)


def _disqualified(tournament: Tournament) -> list[DisqualifiedAnswer]:
    barred = tournament.disqualifications.filter(lifted_at=None).select_related("bot__owner")
    return [
        DisqualifiedAnswer(bot=answers.bot_name(each.bot), reason=each.reason, at=each.at)
        for each in barred.order_by("bot__name")
    ]


def _row(row: Standing, games: int) -> Row:
    played = row.played * games
    columns: dict[str, Any] = {
        **answers.place_columns(row),
        "version": answers.version_name(row.version),
        "points_for": row.points_for,
        "points_against": row.points_against,
        "points_a_game": row.points_for / played if played else None,
        "against_a_game": row.points_against / played if played else None,
        "sonneborn_berger": row.sonneborn_berger,
        "decided": row.decided or None,
    }
    return Row(**columns)


def _cell(cell: Cell) -> CellAnswer:
    columns = cell._asdict()
    del columns["link"]
    return CellAnswer(**columns)


def _line(line: Line) -> LineAnswer:
    return LineAnswer(
        version=answers.version_name(line.standing.version),
        match_points=line.match_points,
        points=line.points,
        against=line.against,
        cells=[None if pair is None else [_cell(cell) for cell in pair.cells] for pair in line.pairs],
        differs=[pair.differs if pair else None for pair in line.pairs],
    )
