"""Pages that bring several apps together, the texts, and the answers to what goes wrong."""

from typing import Any, cast

from django.conf import settings
from django.db.models import Count, Q, QuerySet, Sum
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, render
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe
from django.views.decorators.vary import vary_on_headers

from arena.ruleset import Ruleset, TimeControl
from league import live
from league.accounts.models import User
from league.bots import services as bots
from league.bots.models import Bot, Version
from league.matches import listing as matches
from league.matches import queue as match_queue
from league.matches.models import Match, Worker
from league.matches.sides import seen_from
from league.organisers import announcing
from league.pages import documents, profiles, texts
from league.pages.course import course
from league.parameters import is_fragment
from league.scrimmages import services as scrimmages
from league.standings import history
from league.standings import listing as standings
from league.standings.models import Standing, Table
from league.tournaments import services as tournaments
from league.tournaments.models import Season, Tournament
from sandbox.limits import KEPT_OUTPUT_BYTES, Limits

TOP = 10
LATEST = 12
RUNNING = 4
FORM = 20
VERSIONS = 50
QUEUE = 50
COUNTED = 1_000
BUSY_S = 3
QUIET_S = 15


@require_safe
@vary_on_headers("HX-Request")
@live.shared
def home(request: HttpRequest) -> HttpResponse:
    """What this is, what is being played, the latest results, who leads.

    htmx asks for all but the first, and is answered 204 while nothing has changed.
    """
    ladder = tournaments.ladder()
    running = list(matches.running()[:RUNNING])
    waiting = Match.objects.queued().order_by()[: COUNTED + 1].count()
    state = _home_state(ladder, running, waiting)
    if live.is_seen(request, state):
        return HttpResponse(status=204)
    latest = list(matches.rows(matches.finished().filter(status=Match.Status.PLAYED))[:LATEST])
    context = {
        **({} if is_fragment(request) else _above([match.pk for match in latest])),
        "latest": latest,
        "running": running,
        "waiting": min(waiting, COUNTED),
        "waiting_more": waiting > COUNTED,
        "top": list(standings.ranked(ladder)[:TOP]),
        "ruleset": Ruleset.from_dict(ladder.ruleset),
        "state": state,
        "refresh_s": BUSY_S if running or waiting else QUIET_S,
    }
    return live.render(request, "pages/home_live.html" if is_fragment(request) else "pages/home.html", context)


def _above(latest: list[int]) -> dict[str, Any]:
    """What stands over the part that refreshes itself, with one of those matches."""
    return {
        "announcement": announcing.published().first(),
        "season": Season.objects.in_registration().select_related("tournament").order_by("deadline_at").first(),
        "featured": matches.finished().filter(pk__in=latest, reason="", replay__isnull=False).first(),
    }


def _home_state(ladder: Tournament, running: list[Match], waiting: int) -> str:
    """Differs whenever the home page shows something else."""
    table = Table.objects.filter(tournament=ladder).first()
    results = Tournament.objects.ranked().aggregate(revisions=Sum("revision"))["revisions"]
    played = ["/".join(map(str, (match.pk, match.attempt, match.games_done))) for match in running]
    return " ".join([str(results), table.state if table else "", str(waiting), *played])


@require_safe
@never_cache
def bot(request: HttpRequest, pk: int) -> HttpResponse:
    """A bot's place, its form, its best and worst pairs, its points, how its rating went, its versions."""
    shown = get_object_or_404(Bot.objects.select_related("owner"), pk=pk)
    ladder = tournaments.ladder()
    versions = list(shown.versions.order_by("-number")[:VERSIONS])
    active = next((version for version in versions if version.status == Version.Status.ACTIVE), None)
    numbers = [version.pk for version in versions]
    last = [seen_from(match, pk) for match in matches.latest_of(numbers, FORM)]
    scores = profiles.scores(numbers)
    points = history.of_bot(ladder, shown)
    rated = {point.version_id: point for point in points}
    context = {
        "bot": shown,
        "ladder": ladder,
        "games": ladder.ruleset["games"],
        "versions": [(version, scores.get(version.pk), rated.get(version.pk)) for version in versions],
        "course": course(points, {version.pk: version.number for version in versions}),
        "active": active,
        "newest": versions[0] if versions else None,
        "standing": Standing.objects.filter(tournament=ladder, version=active).first() if active else None,
        "last": last,
        "profile": profiles.profile(ladder, active) if active else None,
        "disqualified": list(shown.disqualifications.filter(lifted_at=None).select_related("tournament")),
        "is_mine": request.user.is_authenticated and shown.owner_id == request.user.pk,
        "may_challenge": active is not None and _may_challenge(request, shown),
    }
    return render(request, "pages/bot.html", context)


def _may_challenge(request: HttpRequest, bot: Bot) -> bool:
    """Whether the user has a bot to play against that one of somebody else."""
    user = request.user
    others = isinstance(user, User) and bot.owner_id != user.pk and bot.retired_at is None
    return others and scrimmages.may_ask(cast(User, user))


@require_safe
def author(request: HttpRequest, pk: int) -> HttpResponse:
    """Who made which bots, and how they stand; there is such a page for whoever has a bot."""
    own = list(Bot.objects.filter(owner=pk).select_related("owner").order_by("name"))
    if not own:
        raise Http404(_("Nobody with a bot has this number."))
    ladder = tournaments.ladder()
    rows = Standing.objects.filter(tournament=ladder, version__bot__in=own).select_related("version")
    places = {row.version.bot_id: row for row in rows}
    versions = list(Version.objects.filter(bot__in=own).values_list("pk", flat=True))
    context = {
        "author": own[0].owner,
        "games": ladder.ruleset["games"],
        "bots": sorted(((each, places.get(each.pk)) for each in own), key=_by_place),
        "latest": list(matches.rows(matches.of_versions(matches.finished(), versions))[:FORM]),
    }
    return render(request, "pages/author.html", context)


def _by_place(row: tuple[Bot, Standing | None]) -> tuple[bool, int, str]:
    bot, standing = row
    rank = standing.rank if standing else None
    return rank is None, rank or 0, bot.name


@require_safe
@never_cache
def queue(request: HttpRequest) -> HttpResponse:
    """What waits for its check or to be played, in about that order, and how long it may take; the workers."""
    checks = Version.objects.filter(status=Version.Status.CHECKING).select_related("bot__owner").order_by("pk")
    workers = list(Worker.objects.order_by("started_at", "pk"))
    context = {
        "checks": _line(checks, bots.seconds_a_check()),
        "matches": _line(match_queue.queued(), match_queue.seconds_a_match()),
        "scrimmages": match_queue.scrimmages(),
        "running": list(matches.running()[:TOP]),
        "workers": workers,
        "working": sum(not (worker.is_lost or worker.pause) for worker in workers),
    }
    return render(request, "pages/queue_state.html" if is_fragment(request) else "pages/queue.html", context)


def _line(waiting: QuerySet[Any], seconds_each: float | None) -> dict[str, Any]:
    """The first that wait, each with its place and about how long it has to wait; how many wait in all."""
    first = list(waiting[:QUEUE])
    return {
        "rows": [(each, place, seconds_each and place * seconds_each) for place, each in enumerate(first, 1)],
        "count": waiting.order_by().count() if len(first) == QUEUE else len(first),
        "seconds": seconds_each,
    }


@require_safe
def rules(request: HttpRequest) -> HttpResponse:
    """The rules of the game, with the options in force."""
    ruleset = Ruleset.from_dict(tournaments.ladder().ruleset)
    context = {"document": documents.document("rules"), "options": texts.options(ruleset)}
    return render(request, "pages/rules.html", context)


@require_safe
def guide(request: HttpRequest) -> HttpResponse:
    """How to write a bot, with the limits in force."""
    ladder = tournaments.ladder()
    context = {
        "document": documents.document("bot-guide"),
        "time_control": TimeControl.from_dict(ladder.time_control),
        "limits": Limits(),
        "output_bytes": 2 * KEPT_OUTPUT_BYTES,
        "py_bytes": settings.UPLOAD_MAX_BYTES,
        "zip_bytes": settings.ZIP_MAX_BYTES,
        "bots_per_user": settings.BOTS_PER_USER,
    }
    return render(request, "pages/guide.html", context)


@require_safe
@never_cache
def status(request: HttpRequest) -> HttpResponse:
    """What waits, what runs, and since when."""
    context = {
        "checks": _waiting(Version.objects.filter(status=Version.Status.CHECKING)),
        "matches": _waiting(Match.objects.queued()),
        "running": list(matches.running()[:TOP]),
        "totals": Match.objects.finished().aggregate(
            played=Count("pk", filter=Q(status=Match.Status.PLAYED)),
            failed=Count("pk", filter=Q(status=Match.Status.FAILED)),
        ),
        "workers": list(Worker.objects.order_by("started_at", "pk")),
    }
    template = "pages/status_state.html" if is_fragment(request) else "pages/status.html"
    return render(request, template, context)


def _waiting(queue: QuerySet[Any]) -> dict[str, Any]:
    """How many wait, and since when the first of them does."""
    return {"count": queue.count(), "since": queue.order_by("pk").values_list("created_at", flat=True).first()}


def not_found(request: HttpRequest, exception: Exception) -> HttpResponse:
    """Nothing is read of what was sent: Django's own view does, and fails where that is damaged."""
    return render(request, "404.html", status=404)


def bad_request(request: HttpRequest, exception: Exception) -> HttpResponse:
    return render(request, "400.html", {"reason": str(exception)}, status=400)
