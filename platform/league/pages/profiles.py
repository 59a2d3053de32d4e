"""What a bot's page tells about its results: those of the version that plays, against those that play now."""

from collections import Counter, defaultdict
from collections.abc import Collection, Iterable
from dataclasses import dataclass
from typing import NamedTuple

import msgspec
from django.db.models import Count, Q, QuerySet, TextField, Value
from django.db.models.functions import Cast

from arena.standings import DRAW, WIN
from league.bots.models import Version
from league.matches.models import Match
from league.matches.sides import result
from league.pages.histogram import Histogram, histogram
from league.tournaments.models import Entry, Tournament

EXTREMES = 5


class Pair(NamedTuple):
    """A match against one opponent."""

    match: int
    opponent: int
    """Number of the version."""
    result: str
    points: int
    against: int

    @property
    def difference(self) -> int:
        return self.points - self.against


@dataclass(frozen=True, slots=True)
class Profile:
    best: list[tuple[Pair, Version]]
    worst: list[tuple[Pair, Version]]
    points: Histogram | None
    """Points in each game; none before the first."""


class Score(NamedTuple):
    """All that a version has played."""

    won: int
    drawn: int
    lost: int


def profile(tournament: Tournament, version: Version) -> Profile:
    """That version's results against the versions that are entered now."""
    pairs: list[Pair] = []
    seats: list[bool] = []
    texts: list[str] = []
    for pk, a, b, outcome, points_a, points_b, games in _met(tournament, version):
        if a == version.pk:
            pairs.append(Pair(pk, b, result(outcome, "A"), points_a, points_b))
        else:
            pairs.append(Pair(pk, a, result(outcome, "B"), points_b, points_a))
        seats.append(a == version.pk)
        texts.append(games)
    own: list[int] = []
    other: list[int] = []
    for is_a, rows in zip(seats, _read(texts), strict=True):
        mine, his = (own, other) if is_a else (other, own)
        for _, points_a, points_b, _ in rows:
            mine.append(points_a)
            his.append(points_b)
    pairs.sort(key=lambda pair: (_match_points(pair), pair.difference, -pair.match), reverse=True)
    shown = min(EXTREMES, len(pairs) // 2)
    best, worst = pairs[:shown], pairs[::-1][:shown]
    versions = Version.objects.select_related("bot").in_bulk([pair.opponent for pair in best + worst])
    return Profile(_named(best, versions), _named(worst, versions), histogram(own, other) if own else None)


def scores(versions: Collection[int]) -> dict[int, Score]:
    """What each of these versions has played in ranked matches, against whom soever."""
    counts: defaultdict[int, Counter[str]] = defaultdict(Counter)
    as_a, as_b = (_outcomes(side, seat, versions) for side, seat in (("version_a", "A"), ("version_b", "B")))
    for version, outcome, seat, count in as_a.union(as_b, all=True):
        counts[version][result(outcome, seat)] += count
    return {version: Score(count["won"], count["drawn"], count["lost"]) for version, count in counts.items()}


def _outcomes(side: str, seat: str, versions: Collection[int]) -> QuerySet[Match, tuple[int, str, str, int]]:
    """How many ranked matches these versions played on that side, by version and outcome."""
    played = Match.objects.filter(**{f"{side}__in": versions}, status=Match.Status.PLAYED, ranked=True).order_by()
    return played.values_list(side, "outcome").annotate(seat=Value(seat), count=Count("pk"))


def _met(tournament: Tournament, version: Version) -> Iterable[tuple[int, int, int, str, int, int, str]]:
    """Number, both versions, outcome, points and, as JSON, games of each match."""
    entered = Entry.objects.filter(tournament=tournament).values("version_id")
    mine = Q(version_a=version, version_b__in=entered) | Q(version_b=version, version_a__in=entered)
    matches = Match.objects.filter(mine, status=Match.Status.PLAYED).order_by()
    columns = ("pk", "version_a_id", "version_b_id", "outcome", "points_a", "points_b")
    # To ask for the tournament as well would make SQLite look through all its matches.
    for tournament_id, *row in matches.values_list("tournament_id", *columns, Cast("games", TextField())):
        if tournament_id == tournament.pk:
            yield tuple(row)


def _read(texts: list[str]) -> list[list[tuple[int, int, int, int]]]:
    """The games of those matches, decoded at once: a thousand fields one by one cost most of the page's time."""
    return msgspec.json.decode(f"[{','.join(texts)}]", type=list[list[tuple[int, int, int, int]]])


def _match_points(pair: Pair) -> int:
    return {"won": WIN, "drawn": DRAW}.get(pair.result, 0)


def _named(pairs: list[Pair], versions: dict[int, Version]) -> list[tuple[Pair, Version]]:
    return [(pair, versions[pair.opponent]) for pair in pairs]
