import logging
from typing import Any

from django.db.models import Q
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, render
from django.utils.cache import add_never_cache_headers
from django.views.decorators.http import require_safe
from django_htmx.http import HttpResponseClientRefresh

from arena import replay
from arena.replay import Record, ReplayError
from arena.ruleset import Ruleset, TimeControl
from league import conditional, live
from league.bots.models import Bot
from league.matches import at_home, listing, recorded
from league.matches.access import readable_logs, visible
from league.matches.left_behind import left_behind
from league.matches.models import Match, Replay
from league.matches.queue import seconds_a_match
from league.matches.times import TimeUse, kept_time_use
from league.parameters import is_fragment, one_of, short_text, whole_number
from league.tournaments.models import Tournament
from sandbox.limits import Limits

log = logging.getLogger(__name__)

PAGE = 50
LARGEST_ID = 2**63 - 1
LONGEST_NAME = 150
COUNTED = 1_000
SUGGESTED = 8
UNFINISHED = listing.UNFINISHED


@require_safe
@live.shared
def match_list(request: HttpRequest) -> HttpResponse:
    """Finished matches of a tournament, a bot, an author or everybody, newest first, from `?before=` on."""
    slugs = {tournament.slug: tournament for tournament in Tournament.objects.ranked().order_by("pk")}
    of = one_of(request, "tournament", ("", *slugs))
    bot = short_text(request, "bot", LONGEST_NAME)
    author = short_text(request, "author", LONGEST_NAME)
    outcome = one_of(request, "outcome", listing.OUTCOMES)
    fault = one_of(request, "fault", listing.FAULTS)
    last_id = whole_number(request, "before", 0, 1, LARGEST_ID)
    matches = listing.with_fault(listing.finished(), fault)
    if of:
        matches = listing.of_tournament(matches, slugs[of])
    versions = None
    if bot or author:
        versions = listing.versions_of(bot, author)
        matches = listing.of_versions(matches, versions)
    matches = listing.with_outcome(matches, outcome, versions)
    if last_id:
        matches = listing.before(matches, get_object_or_404(Match, pk=last_id, finished_at__isnull=False, ranked=True))
    rows = list(listing.rows(matches)[: PAGE + 1]) if versions != [] else []
    waiting = Match.objects.unfinished().order_by()[: COUNTED + 1].count()
    unknown = versions == []
    context = {
        "matches": rows[:PAGE],
        "bot": bot,
        "author": author,
        "outcome": outcome,
        "fault": fault,
        "tournament": of,
        "tournaments": list(slugs.values()),
        "filtered": bool(bot or author or outcome or fault or of),
        "unknown": unknown,
        "suggestions": list(Bot.objects.filter(name__icontains=bot)[:SUGGESTED]) if unknown and bot else [],
        "before": last_id,
        "older": rows[PAGE - 1].pk if len(rows) > PAGE else None,
        "waiting": min(waiting, COUNTED),
        "waiting_more": waiting > COUNTED,
    }
    return render(request, "matches/list.html", context, status=404 if unknown else 200)


@require_safe
def match(request: HttpRequest, pk: int) -> HttpResponse:
    """The score and its games; a log for the owner of its bot and staff alone."""
    shown = _match(request, pk)
    unfinished = shown.status in UNFINISHED
    if is_fragment(request) and not unfinished:
        return HttpResponseClientRefresh()
    # Of interrupted attempts it says how long ago they were.
    etag = "" if unfinished or shown.attempt > 1 else conditional.tag(request, _shows(shown))
    return conditional.unchanged(request, etag) or _page(request, shown, etag)


def _shows(shown: Match) -> tuple[object, ...]:
    """All that the page of a finished match follows from."""
    tournament, annulment, record = shown.tournament, getattr(shown, "annulment", None), getattr(shown, "replay", None)
    return (
        *(getattr(shown, field.attname) for field in Match._meta.concrete_fields),
        *((each.number, each.bot.name, each.bot.owner.username) for each in (shown.version_a, shown.version_b)),
        (tournament.name, tournament.legs, tournament.ruleset, tournament.time_control),
        annulment and annulment.reason,
        record and record.sha256,
    )


def _page(request: HttpRequest, shown: Match, etag: str) -> HttpResponse:
    unfinished = shown.status in UNFINISHED
    went_well = shown.status == Match.Status.PLAYED and shown.attempt == 1
    record, use = _readable(shown)
    ruleset = record.ruleset if record else Ruleset.from_dict(shown.tournament.ruleset)
    time_control = record.time_control if record else TimeControl.from_dict(shown.tournament.time_control)
    context = {
        "match": shown,
        "unfinished": unfinished,
        **(_place(shown) if shown.status == Match.Status.QUEUED else {}),
        "ruleset": ruleset,
        "rules": ruleset.as_dict(),
        "time_control": time_control,
        "engine": record.engine if record else "",
        "games": _games(shown, use),
        "recorded": record is not None,
        "names": recorded.fingerprint(shown) if record else "",
        "seats": zip("AB", use, strict=True) if use else [],
        "commands": at_home.commands(shown, record, ruleset, time_control),
        "attempts": [] if went_well else list(shown.attempts.order_by("number")),
        "left_behind": left_behind(readable_logs(shown, request.user), record),
        "limits": Limits(),
    }
    page = render(request, "matches/match_state.html" if is_fragment(request) else "matches/match.html", context)
    if etag and (record or not hasattr(shown, "replay")):
        conditional.marked(page, etag)
    else:
        add_never_cache_headers(page)
    return page


def _games(shown: Match, use: tuple[TimeUse, TimeUse] | None) -> list[dict[str, Any]]:
    """The match game by game: points, the lead of A after each, and what each seat's decisions took."""
    rows = []
    lead = 0
    for index, (dealer, a, b, rounds) in enumerate(shown.games):
        lead += a - b
        rows.append(
            {
                "number": index + 1,
                "dealer": "AB"[dealer],
                "points": (a, b),
                "lead": lead,
                "rounds": rounds,
                "cpu_s": tuple(seat.games[index] for seat in use) if use else (None, None),
            }
        )
    return rows


def _match(request: HttpRequest, pk: int) -> Match:
    related = "tournament", "version_a__bot__owner", "version_b__bot__owner", "replay", "annulment"
    return get_object_or_404(visible(Match.objects.select_related(*related), request.user), pk=pk)


def _record(stored: Replay) -> Record:
    return replay.decode(stored.format, stored.codec, bytes(stored.data))


def _readable(shown: Match) -> tuple[Record, tuple[TimeUse, TimeUse]] | tuple[None, None]:
    """The match's record and its times, where it has one that can be read and is by the rules."""
    stored = getattr(shown, "replay", None)
    if stored is None:
        return None, None
    try:
        record = _record(stored)
        return record, kept_time_use(record, stored.sha256)
    except ReplayError:
        log.exception("the record of match %s can't be read", shown.pk)
        return None, None


def _place(shown: Match) -> dict[str, Any]:
    """How many matches are to be played before, and about how many seconds they take."""
    queued = Match.objects.queued()
    before = queued.filter(pk__lt=shown.pk)
    if shown.ranked:
        ahead = before.filter(ranked=True).count()
    elif shown.tournament.kind == Tournament.Kind.SCRIMMAGE:
        ahead = sum(part.count() for part in before.scrimmages())
    else:
        ahead = queued.filter(Q(ranked=True) | Q(pk__lt=shown.pk)).count()
    seconds_each = seconds_a_match()
    return {"ahead": ahead, "wait_s": seconds_each and (ahead + 1) * seconds_each}
