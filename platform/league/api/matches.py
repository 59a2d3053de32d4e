"""Matches, their records, and what one's own bots left behind in them."""

from typing import Literal

from django.db.models import F, QuerySet
from django.http import HttpResponse
from ninja import Query, Router
from pydantic import Field

from arena.replay import ReplayError
from league.accounts.models import Token
from league.api import answers, cursor
from league.api.answers import GameAnswer, LogAnswer, Logs, MatchPage, RecordAnswer, UsageAnswer, WholeMatch
from league.api.callers import OWN, PUBLIC, Caller, Request, demand
from league.api.parameters import Name, Paged, PathNumber
from league.api.problems import Refused, one, possible
from league.bots import usage
from league.matches import access, listing, recorded
from league.matches.models import Log, Match, Seat
from league.tournaments.models import Tournament

router = Router(tags=["matches"])


class MatchFilter(Paged):
    bot: Name = ""
    """The whole name of a bot that plays in it."""
    author: Name = ""
    """The whole name of an author whose bot plays in it."""
    outcome: Literal["", "won", "drawn", "lost"] = ""
    """For the bot or the author, if one is given."""
    fault: Literal["", "none", "any", "time", "crash", "memory", "protocol", "illegal", "platform"] = ""
    """How it ended; `platform` for those that were given up."""
    tournament: Name = ""
    """The slug of its tournament."""
    cursor: str = Field("", pattern="^([0-9]{1,16}-[0-9]{1,18})?$")
    """`next` of the page before; empty for the first page."""


@router.get(
    "/matches",
    operation_id="list_matches",
    summary="Finished matches",
    response={200: MatchPage, **possible(404, 422)},
    **PUBLIC,
)
def match_list(request: Request, wanted: Query[MatchFilter]) -> MatchPage:
    """Finished matches of the ladders and seasons, the latest first."""
    found = listing.with_fault(listing.finished(), wanted.fault).select_related("tournament", *listing.BOTH)
    versions = None
    if wanted.bot or wanted.author:
        versions = listing.versions_of(wanted.bot, wanted.author)
        if not versions:
            raise Refused("not_found", "There is no such bot, or no author of one by that name.")
        found = listing.of_versions(found, versions)
    found = listing.with_outcome(found, wanted.outcome, versions)
    if wanted.tournament:
        found = _of(found, one(Tournament.objects.ranked(), "tournament", slug=wanted.tournament))
    if wanted.cursor:
        found = listing.before(found, cursor.match(wanted.cursor))
    rows, last = cursor.page(list(found[: wanted.limit + 1]), wanted.limit)
    return MatchPage(matches=[answers.match(row) for row in rows], next=cursor.after_match(last) if last else None)


@router.get(
    "/matches/{match}",
    operation_id="get_match",
    summary="A match",
    response={200: WholeMatch, **possible(404, 422)},
    **PUBLIC,
)
def one_match(request: Request, match: PathNumber) -> WholeMatch:
    """A match in whatever state, with its games."""
    found = _match(request.auth, match)
    games = [
        GameAnswer(number=number, dealer="B" if dealer else "A", points=[a, b], rounds=rounds)
        for number, (dealer, a, b, rounds) in enumerate(found.games, 1)
    ]
    has_replay = getattr(found, "replay", None) is not None
    return WholeMatch(**answers.match_columns(found), games=games, games_done=found.games_done, has_replay=has_replay)


@router.get(
    "/matches/{match}/replay",
    operation_id="get_replay",
    summary="The record of a match",
    response={200: RecordAnswer, **possible(404, 422, 500)},
    **PUBLIC,
)
def replay(request: Request, match: PathNumber) -> HttpResponse:
    """The file that `arena replay` and `arena rerun` read: all that it takes to play the match again."""
    found = _match(request.auth, match)
    if getattr(found, "replay", None) is None:
        raise Refused("not_found", "This match has no replay: it was not played to a result.")
    try:
        written = recorded.as_json(found, recorded.read(found))
    except ReplayError as damaged:
        raise Refused("internal", f"The replay of this match can't be read: {damaged}") from None
    return HttpResponse(written, content_type="application/json")


@router.get(
    "/matches/{match}/logs",
    operation_id="get_logs",
    summary="My bots' logs of a match",
    response={200: Logs, **possible(403, 404, 422)},
    **OWN,
)
def logs(request: Request, match: PathNumber) -> Logs:
    """Traceback, output and usage of one's own bots in a match. Needs the scope `logs`."""
    token = demand(request.auth, Token.Scope.LOGS)
    found = _match(request.auth, match)
    bots = {"A": found.version_a.bot, "B": found.version_b.bot}
    if not any(request.auth.sees_private(bot) for bot in bots.values()):
        raise Refused("not_yours", "No bot of yours plays in this match.")
    readable = access.readable_logs(found, token.user)
    return Logs(match=found.pk, logs=[_log(log, answers.bot_name(bots[log.seat])) for log in readable])


def _of(matches: QuerySet[Match], tournament: Tournament) -> QuerySet[Match]:
    """Those of that tournament.

    Most matches are a ladder's: SQLite, which knows no statistics, must not look for them by their tournament, to put
    all of them in order. Those of a season are few among the others.
    """
    if tournament.kind == Tournament.Kind.LADDER:
        return matches.annotate(of=F("tournament_id") + 0).filter(of=tournament.pk)
    return matches.filter(tournament=tournament)


def _match(caller: Caller, pk: int) -> Match:
    """That match; one that counts for no table is told to those who play in it."""
    found = one(Match.objects.select_related("tournament", "replay", *listing.BOTH), "match", pk=pk)
    sides = found.version_a.bot, found.version_b.bot
    if not found.ranked and not any(caller.sees_private(bot) for bot in sides):
        raise Refused("not_found", f"There is no match {pk}.")
    return found


def _log(log: Log, bot: answers.BotName) -> LogAnswer:
    used = usage.usage(log)
    return LogAnswer(
        seat="A" if log.seat == Seat.A else "B",
        bot=bot,
        traceback=log.traceback,
        output=log.output,
        printed=log.printed,
        used=UsageAnswer(**used.as_dict()) if used else None,
    )
