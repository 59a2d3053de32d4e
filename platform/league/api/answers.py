"""The shapes of what the API tells, and how rows become them. Times are in UTC, points are those of the pages."""

from datetime import datetime
from typing import Any, Literal

from pydantic import Field

from league.accounts.models import User
from league.api.schema import Shape
from league.bots.models import Bot, Version
from league.matches.models import Match, Worker
from league.standings.models import Standing


class AuthorAnswer(Shape):
    id: int = Field(examples=[3])
    name: str = Field(examples=["ada"])


class BotName(Shape):
    """A bot as others name it."""

    id: int = Field(examples=[12])
    name: str = Field(examples=["Bishop"])
    author: AuthorAnswer


class VersionName(Shape):
    """A version as matches and tables name it."""

    id: int = Field(examples=[41])
    number: int = Field(examples=[2])
    bot: BotName


class Place(Shape):
    """How a bot stands on the open ladder."""

    rank: int | None = Field(examples=[7])
    """Null before its first match."""
    match_points: int = Field(examples=[31])
    played: int = Field(examples=[20])
    possible: int = Field(examples=[24])
    """Matches of a full round robin."""
    won: int = Field(examples=[14])
    drawn: int = Field(examples=[3])
    lost: int = Field(examples=[3])
    faults: int = Field(examples=[0])
    """Matches that it forfeited."""
    elo: float | None = Field(examples=[153.2])
    """The rating, in points; null before the first match that says something, as is the next."""
    elo_error: float | None = Field(examples=[21.4])
    """The rating's standard error; 1.96 times as much to each side make its 95 % interval."""


class BotAnswer(BotName):
    created_at: datetime
    retired_at: datetime | None = Field(examples=[None])
    """It left the tables then, and may come back."""
    deleted_at: datetime | None = Field(examples=[None])
    """Only its name and its matches are left."""
    active: int | None = Field(examples=[41])
    """The version that plays; null where none passed its check."""
    place: Place | None
    """On the open ladder; null where it does not play there."""
    page: str = Field(examples=["/bots/12/"])
    """Its page on this site."""


class BotPage(Shape):
    bots: list[BotAnswer]
    next: str | None = Field(examples=["12"])
    """The cursor of the next page; null on the last one."""


class Waiting(Shape):
    """How a version stands in the queue of checks."""

    ahead: int = Field(examples=[2])
    """Checks that come first."""
    wait_s: float | None = Field(examples=[6])
    """About how long until its verdict; null before the first check of all."""
    running: bool
    """It is being checked now."""
    games_done: int = Field(examples=[0])
    """Of the check's two."""


class CallAnswer(Shape):
    """A call of the bot."""

    game: int
    decision: int
    name: str = Field(examples=["play"])
    cpu_s: float | None = Field(examples=[0.0123])
    wall_s: float = Field(examples=[0.0131])


class UsageAnswer(Shape):
    """What a bot used."""

    cpu_s: float = Field(examples=[1.25])
    memory_peak_kib: int = Field(examples=[20480])
    load: CallAnswer | None
    slowest: CallAnswer | None
    """The decision that took most CPU time."""
    failed: CallAnswer | None
    """The call in which it forfeited."""


class ReportAnswer(Shape):
    """What a check found, for the bot's owner and staff with a token that has the scope `logs`."""

    passed: bool | None
    """Null while the check is not done."""
    reason: str = Field(examples=["game 1, decision 4: play raised ValueError: no idea"])
    """What failed, where, and what to do; empty if nothing did."""
    traceback: str = Field(examples=["Traceback (most recent call last): ..."])
    output: str = Field(examples=["ready\n"])
    """What the bot printed, bounded."""
    used: UsageAnswer | None


class VersionAnswer(VersionName):
    status: Literal["checking", "active", "rejected", "superseded"]
    """`checking` waits for its check or is in it; `active` plays; `superseded` gave way to another version."""
    created_at: datetime
    checked_at: datetime | None
    waiting: Waiting | None
    """While it is `checking`; told with the version alone, not in lists, as the report is."""
    message: str | None = Field(examples=["counts what was seen"])
    """What is new, and the next two, for those who may read the report."""
    filename: str | None = Field(examples=["bishop.py"])
    size: int | None = Field(examples=[1843])
    """Bytes of the upload."""
    report: ReportAnswer | None
    """Null for others, before the first check of it, and in lists."""
    page: str = Field(examples=["/bots/versions/41/"])


class VersionPage(Shape):
    versions: list[VersionAnswer]
    next: str | None = Field(examples=["3"])


class MyBot(BotAnswer):
    newest: VersionAnswer | None
    """The last upload."""


class MyBots(Shape):
    bots: list[MyBot]


class TokenAnswer(Shape):
    name: str = Field(examples=["laptop"])
    scopes: list[str] = Field(examples=[["submit", "logs"]])
    expires_at: datetime | None


class Me(Shape):
    id: int = Field(examples=[3])
    name: str = Field(examples=["ada"])
    bots_left: int = Field(examples=[4])
    """How many more bots you may make."""
    token: TokenAnswer
    """The one of this request."""


class SideAnswer(Shape):
    """A seat of a match."""

    version: VersionName
    points: int = Field(examples=[118])
    """In all games; 0 before the match is played, and for who forfeited."""


class MatchAnswer(Shape):
    id: int = Field(examples=[1207])
    tournament: str = Field(examples=["ladder"])
    """Its slug."""
    leg: int = Field(examples=[1])
    status: Literal["queued", "running", "played", "failed", "cancelled", "annulled"]
    a: SideAnswer
    b: SideAnswer
    outcome: Literal["A", "B", "draw", "none"] | None
    """Who won; `none` where both forfeited; null before it is played."""
    termination: Literal["completed", "time", "crash", "memory", "protocol", "illegal"] | None
    forfeits: str = Field(examples=[""], pattern="^A?B?$")
    """The seats that forfeited."""
    reason: str = Field(examples=[""])
    """Of the forfeit, in a line."""
    created_at: datetime
    started_at: datetime | None
    finished_at: datetime | None
    page: str = Field(examples=["/matches/1207/"])


class MatchPage(Shape):
    matches: list[MatchAnswer]
    next: str | None = Field(examples=["1764518000123456-1207"])


class GameAnswer(Shape):
    number: int
    dealer: Literal["A", "B"]
    points: list[int] = Field(examples=[[9, 14]], min_length=2, max_length=2)
    """Of A and B."""
    rounds: int = Field(examples=[11])


class WholeMatch(MatchAnswer):
    games: list[GameAnswer]
    games_done: int = Field(examples=[12])
    """While it is played, the games that are over."""
    has_replay: bool


class LogAnswer(Shape):
    seat: Literal["A", "B"]
    bot: BotName
    traceback: str = Field(examples=[""])
    output: str = Field(examples=["ready\n"])
    printed: list[list[int]] = Field(examples=[[[1, 0, 0]]])
    """Where in the output that of each decision begins: game, decision, start."""
    used: UsageAnswer | None


class Logs(Shape):
    match: int = Field(examples=[1207])
    logs: list[LogAnswer]


class RecordOutcome(Shape):
    winner: Literal[0, 1] | None
    """The seat: 0 is A."""
    termination: str = Field(examples=["completed"])
    forfeits: list[int] = Field(examples=[[]])
    reason: str = Field(examples=[""])


class RecordGame(Shape):
    dealer: Literal[0, 1]
    points: list[int] = Field(examples=[[9, 14]])
    rounds: int = Field(examples=[11])
    actions: str = Field(examples=["0b3"])
    """A base-36 digit for each decision with a choice."""
    times: list[int] = Field(examples=[[3, 12, 2]])
    """CPU time of each of them, in 0.1 ms."""


class RecordAnswer(Shape):
    """All that it takes to play the match again: the file that `arena replay` and `arena rerun` read."""

    match: int = Field(examples=[1207])
    bots: list[str] = Field(examples=[["Bishop", "Rook"]])
    points: list[int] = Field(examples=[[118, 97]])
    format: int = Field(examples=[1])
    engine: str = Field(examples=["1"])
    ruleset: dict[str, Any]
    time_control: dict[str, Any]
    seed: int = Field(examples=[7])
    outcome: RecordOutcome
    games: list[RecordGame]


class TournamentAnswer(Shape):
    slug: str = Field(examples=["ladder"])
    name: str = Field(examples=["Open ladder"])
    kind: Literal["ladder", "season"]
    phase: Literal["announced", "registration", "frozen", "playing", "closed"]
    """Of a season, as its times have it; a ladder is `playing` until it is `closed`."""
    about: str
    created_at: datetime
    opens_at: datetime | None
    """Of a season: its registration is open from then on."""
    deadline_at: datetime | None
    """Of a season: what comes at this moment or later is too late."""
    started_at: datetime | None
    closed_at: datetime | None
    bots_per_user: int | None = Field(examples=[1])
    """Of a season: so many bots of one user may play."""
    legs: int = Field(examples=[1])
    """Matches of each pair."""
    entries: int = Field(examples=[25])
    """Bots that play in it."""
    ruleset: dict[str, Any]
    time_control: dict[str, Any]
    page: str = Field(examples=["/leaderboard/ladder/"])


class TournamentPage(Shape):
    tournaments: list[TournamentAnswer]
    next: str | None = Field(examples=[None])


class Row(Place):
    """A version's line in a table."""

    version: VersionName
    points_for: int = Field(examples=[2380])
    points_against: int = Field(examples=[2011])
    points_a_game: float | None = Field(examples=[9.9])
    """Null before its first match, as is the next."""
    against_a_game: float | None = Field(examples=[8.4])
    sonneborn_berger: float = Field(examples=[214.5])
    """Match points of those beaten, and half of those drawn with."""
    decided: Literal["match points", "direct encounter", "Sonneborn-Berger", "difference of points", "shared"] | None
    """What put the row under the one above it; null in the first row, and before the first match."""


class DisqualifiedAnswer(Shape):
    """A bot that an organiser took out: its results count for nobody."""

    bot: BotName
    reason: str = Field(examples=["two bots of one author that lose to each other"])
    at: datetime


class Leaderboard(Shape):
    tournament: str = Field(examples=["ladder"])
    computed_at: datetime | None
    """Null before the first time."""
    revision: int = Field(examples=[311])
    """The same in two pages of one table: else the table was computed anew in between."""
    stale: bool
    """Results have been recorded since."""
    failed: bool
    """It could not be computed anew: this is the last good one."""
    disqualified: list[DisqualifiedAnswer]
    rows: list[Row]
    """In order: those without a match come last."""
    next: str | None = Field(examples=["100"])


class CellAnswer(Shape):
    """A match from one bot's side."""

    match: int = Field(examples=[1207])
    result: Literal["won", "drawn", "lost"]
    points: int = Field(examples=[118])
    against: int = Field(examples=[97])
    forfeited: bool
    """By either side."""


class LineAnswer(Shape):
    version: VersionName
    match_points: int = Field(examples=[4])
    """In the matches of this matrix, as are the next two."""
    points: int = Field(examples=[236])
    against: int = Field(examples=[201])
    cells: list[list[CellAnswer] | None]
    """Matches against the bot of each line, in the order of the lines; null for itself."""
    differs: list[bool | None]
    """Whether the two are rated significantly differently, in the same order."""


class Matrix(Shape):
    tournament: str = Field(examples=["ladder"])
    lines: list[LineAnswer]
    """In the order of the table."""


class QueuedCheck(Shape):
    version: VersionName
    place: int = Field(examples=[1])
    wait_s: float | None = Field(examples=[3.2])
    """About how long until it is done; null where nothing was measured yet."""
    created_at: datetime


class QueuedMatch(Shape):
    match: MatchAnswer
    place: int = Field(examples=[1])
    wait_s: float | None = Field(examples=[2.5])


class CheckQueue(Shape):
    count: int = Field(examples=[1])
    """All that wait; the first fifty are told."""
    seconds_each: float | None = Field(examples=[3.2])
    first: list[QueuedCheck]


class MatchQueue(Shape):
    count: int = Field(examples=[40])
    seconds_each: float | None = Field(examples=[2.5])
    first: list[QueuedMatch]


class WorkerAnswer(Shape):
    """One that takes checks and matches, and what it did since it started."""

    state: Literal["working", "paused", "lost"]
    """Lost: it was silent for 30 s, and may be gone."""
    pause: Literal["faults", "disk", "test", "hand"] | None = Field(examples=[None])
    """What it is paused for: faults in a row, too little disk, no bot that it can run, an organiser."""
    sandbox: str = Field(examples=["containers of Docker 29"])
    version: str = Field(examples=["0.1.0"])
    processes: int = Field(examples=[4])
    matches: int = Field(examples=[1204])
    checks: int = Field(examples=[31])
    faults: int = Field(examples=[0])
    """Of the platform, in a row."""
    started_at: datetime
    seen_at: datetime


class Queue(Shape):
    checks: CheckQueue
    matches: MatchQueue
    running: list[MatchAnswer]
    workers: list[WorkerAnswer]


def worker(worker: Worker) -> WorkerAnswer:
    paused: Any = worker.pause
    return WorkerAnswer(
        state="lost" if worker.is_lost else "paused" if paused else "working",
        pause=paused or None,
        sandbox=worker.sandbox,
        version=worker.version,
        processes=len(worker.processes),
        matches=worker.matches,
        checks=worker.checks,
        faults=worker.faults,
        started_at=worker.started_at,
        seen_at=worker.seen_at,
    )


def author(user: User) -> AuthorAnswer:
    return AuthorAnswer(id=user.pk, name=user.username)


def bot_name(bot: Bot) -> BotName:
    return BotName(id=bot.pk, name=bot.name, author=author(bot.owner))


def version_name(version: Version) -> VersionName:
    return VersionName(id=version.pk, number=version.number, bot=bot_name(version.bot))


def place(row: Standing) -> Place:
    return Place(**place_columns(row))


def place_columns(row: Standing) -> dict[str, Any]:
    """The values of `Place`."""
    return {name: getattr(row, name) for name in Place.model_fields}


def bot_columns(bot: Bot, active: int | None, standing: Standing | None) -> dict[str, Any]:
    """The values of `BotAnswer`."""
    return {
        "id": bot.pk,
        "name": bot.name,
        "author": author(bot.owner),
        "created_at": bot.created_at,
        "retired_at": bot.retired_at,
        "deleted_at": bot.deleted_at,
        "active": active,
        "place": place(standing) if standing else None,
        "page": f"/bots/{bot.pk}/",
    }


def match_columns(match: Match) -> dict[str, Any]:
    """The values of `MatchAnswer`, of a match with both versions and its tournament."""
    return {
        "id": match.pk,
        "tournament": match.tournament.slug,
        "leg": match.leg,
        "status": match.status,
        "a": SideAnswer(version=version_name(match.version_a), points=match.points_a),
        "b": SideAnswer(version=version_name(match.version_b), points=match.points_b),
        "outcome": match.outcome or None,
        "termination": match.termination or None,
        "forfeits": match.forfeits,
        "reason": match.reason,
        "created_at": match.created_at,
        "started_at": match.started_at,
        "finished_at": match.finished_at,
        "page": f"/matches/{match.pk}/",
    }


def match(match: Match) -> MatchAnswer:
    return MatchAnswer(**match_columns(match))
