"""A whole tournament as one file (`arena.dump`): what anybody may know of it, and can compute its table from."""

from collections.abc import Iterator
from datetime import datetime

from django.db.models import F, Q

from arena import __version__, dump
from arena.replay import ENGINE
from arena.ruleset import Ruleset, TimeControl
from league.bots.models import Version
from league.matches.models import Match
from league.snapshot import snapshot
from league.standings.models import Standing, Table
from league.tournaments.models import Disqualification, Entry, Season, Tournament

CHUNK = 2_000
ROW = dump.Row._fields[1:]
"""Columns of a standing, which have the same names in a dump."""


def lines(tournament: Tournament) -> Iterator[bytes]:
    """The lines of the tournament's dump: all of one moment, the same ones as long as nothing changes.

    They are read from the database as they are taken.
    """
    with snapshot():
        yield from dump.write(_entries(Tournament.objects.get(pk=tournament.pk)))


def filename(tournament: Tournament) -> str:
    return f"{tournament.slug}.jsonl"


def _entries(tournament: Tournament) -> Iterator[dump.Line]:
    yield _header(tournament)
    yield from _versions(tournament)
    yield from _disqualified(tournament)
    yield from _matches(tournament)
    yield from _rows(tournament)


def _header(tournament: Tournament) -> dump.Header:
    season = Season.objects.filter(tournament=tournament).first()
    table = Table.objects.filter(tournament=tournament, computed_at__isnull=False).first()
    return dump.Header(
        format=dump.FORMAT,
        version=dump.FORMAT_VERSION,
        arena=__version__,
        engine=ENGINE,
        slug=tournament.slug,
        name=tournament.name,
        kind=tournament.kind,
        legs=tournament.legs,
        ruleset=Ruleset.from_dict(tournament.ruleset).as_dict(),
        time_control=TimeControl.from_dict(tournament.time_control).as_dict(),
        created_at=dump.moment(tournament.created_at),
        opens_at=_moment(season.opens_at if season else None),
        deadline_at=_moment(season.deadline_at if season else None),
        started_at=_moment(season.started_at if season else None),
        closed_at=_moment(tournament.closed_at),
        holes=len(season.holes) if season else 0,
        revision=tournament.revision,
        table_revision=table.revision if table else None,
        computed_at=_moment(table.computed_at if table else None),
    )


def _versions(tournament: Tournament) -> Iterator[dump.Version]:
    """Those that are entered, have played, or are in the table."""
    entered = set(Entry.objects.filter(tournament=tournament).values_list("version_id", flat=True))
    played = Match.objects.filter(tournament=tournament, status=Match.Status.PLAYED).order_by()
    named = Q(pk__in=Entry.objects.filter(tournament=tournament).values("version"))
    named |= Q(pk__in=played.values("version_a")) | Q(pk__in=played.values("version_b"))
    named |= Q(pk__in=Standing.objects.filter(tournament=tournament).order_by().values("version"))
    columns = ("pk", "bot_id", "bot__name", "bot__owner__username", "number", "sha256")
    for row in Version.objects.filter(named).order_by("pk").values_list(*columns).iterator(CHUNK):
        yield dump.Version._make((*row, row[0] in entered))


def _disqualified(tournament: Tournament) -> Iterator[dump.Disqualified]:
    barred = Disqualification.objects.filter(tournament=tournament, lifted_at=None).order_by("bot")
    for each in barred.select_related("bot__owner"):
        yield dump.Disqualified(
            bot=each.bot_id,
            name=each.bot.name,
            author=each.bot.owner.username,
            version=each.version_id,
            reason=each.reason,
            at=dump.moment(each.at),
        )


def _matches(tournament: Tournament) -> Iterator[dump.Match]:
    # By its plain column, databases would look the tournament up in an index and sort all that they find there.
    played = Match.objects.annotate(of=F("tournament_id") + 0).filter(of=tournament.pk, status=Match.Status.PLAYED)
    columns: list[str] = [{"a": "version_a_id", "b": "version_b_id"}.get(name, name) for name in dump.Match._fields]
    columns[-1] = "replay__sha256"
    for row in played.order_by("pk").values_list(*columns).iterator(CHUNK):
        match = dump.Match(*row)
        yield match._replace(finished_at=dump.moment(row[columns.index("finished_at")]))


def _rows(tournament: Tournament) -> Iterator[dump.Row]:
    rows = Standing.objects.filter(tournament=tournament).order_by(F("rank").asc(nulls_last=True), "version")
    for version, *figures in rows.values_list("version_id", *ROW).iterator(CHUNK):
        yield dump.Row._make((version, *figures))


def _moment(when: datetime | None) -> str | None:
    return dump.moment(when) if when else None
