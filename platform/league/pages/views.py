"""Pages that bring several apps together, the texts, and the answers to what goes wrong."""

from typing import Any

from django.conf import settings
from django.db.models import Count, Min, Q, QuerySet
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, render
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

from arena.ruleset import Ruleset, TimeControl
from league.bots.models import Bot, Version
from league.matches import listing as matches
from league.matches.models import Match, Worker
from league.pages import texts
from league.parameters import is_fragment
from league.standings import listing as standings
from league.standings.models import Standing
from league.tournaments import services as tournaments
from sandbox.limits import KEPT_OUTPUT_BYTES, Limits

TOP = 10
LATEST = 8
FORM = 20
VERSIONS = 50


@require_safe
def home(request: HttpRequest) -> HttpResponse:
    """What this is, the latest decided match, who leads."""
    latest = list(matches.finished().filter(status=Match.Status.PLAYED)[:LATEST])
    context = {
        "latest": latest,
        "featured": next((match for match in latest if match.games and not match.reason), None),
        "top": standings.ranked(tournaments.ladder())[:TOP],
        "ruleset": Ruleset(),
    }
    return render(request, "pages/home.html", context)


def _places(versions: Any) -> dict[int, Standing]:
    found = Standing.objects.filter(tournament=tournaments.ladder(), version__in=list(versions))
    return {standing.version_id: standing for standing in found}


@require_safe
def bot(request: HttpRequest, pk: int) -> HttpResponse:
    """A bot's place, its last matches, its versions."""
    shown = get_object_or_404(Bot.objects.select_related("owner"), pk=pk)
    versions = list(shown.versions.order_by("-number")[:VERSIONS])
    active = next((version for version in versions if version.status == Version.Status.ACTIVE), None)
    last = list(matches.of_bot(matches.finished(), pk).filter(status=Match.Status.PLAYED)[:FORM])
    context = {
        "bot": shown,
        "versions": versions,
        "active": active,
        "newest": versions[0] if versions else None,
        "standing": _places([active.pk]).get(active.pk) if active else None,
        "last": [_seen_from(match, pk) for match in last],
        "is_mine": request.user.is_authenticated and shown.owner_id == request.user.pk,
    }
    return render(request, "pages/bot.html", context)


def _seen_from(match: Match, bot_pk: int) -> dict[str, Any]:
    """The match as that bot's: won, drawn or lost, and against whom."""
    is_a = match.version_a.bot_id == bot_pk
    own, other = (match.version_a, match.version_b) if is_a else (match.version_b, match.version_a)
    points = (match.points_a, match.points_b) if is_a else (match.points_b, match.points_a)
    seat = "A" if is_a else "B"
    result = "drawn" if match.outcome == "draw" else "won" if match.outcome == seat else "lost"
    return {
        "match": match,
        "seat": seat,
        "version": own,
        "opponent": other,
        "points": points,
        "result": result,
        "forfeited": seat in match.forfeits,
    }


@require_safe
def rules(request: HttpRequest) -> HttpResponse:
    """The rules of the game, with the options in force."""
    ladder = tournaments.ladder()
    ruleset = Ruleset.from_dict(ladder.ruleset)
    context = {
        "ruleset": ruleset,
        "examples": texts.scoring_examples(ruleset),
        "options": texts.options(ruleset),
    }
    return render(request, "pages/rules.html", context)


@require_safe
def guide(request: HttpRequest) -> HttpResponse:
    """How to write a bot, with the limits in force."""
    ladder = tournaments.ladder()
    context = {
        "ruleset": Ruleset.from_dict(ladder.ruleset),
        "time_control": TimeControl.from_dict(ladder.time_control),
        "limits": Limits(),
        "output_bytes": 2 * KEPT_OUTPUT_BYTES,
        "py_bytes": settings.UPLOAD_MAX_BYTES,
        "zip_bytes": settings.ZIP_MAX_BYTES,
        "bots_per_user": settings.BOTS_PER_USER,
        "observation": texts.observation(),
    }
    return render(request, "pages/guide.html", context)


@require_safe
@never_cache
def status(request: HttpRequest) -> HttpResponse:
    """What waits, what runs, and since when."""
    context = {
        "checks": _waiting(Version.objects.filter(status=Version.Status.CHECKING)),
        "matches": _waiting(Match.objects.filter(status=Match.Status.QUEUED)),
        "running": list(
            Match.objects.filter(status=Match.Status.RUNNING)
            .select_related("version_a__bot", "version_b__bot")
            .order_by("pk")[:TOP]
        ),
        "totals": Match.objects.aggregate(
            played=Count("pk", filter=Q(status=Match.Status.PLAYED)),
            failed=Count("pk", filter=Q(status=Match.Status.FAILED)),
        ),
        "workers": list(Worker.objects.order_by("started_at", "pk")),
    }
    template = "pages/status_state.html" if is_fragment(request) else "pages/status.html"
    return render(request, template, context)


def _waiting(queue: QuerySet[Any]) -> dict[str, Any]:
    return queue.aggregate(count=Count("pk"), since=Min("created_at"))


def bad_request(request: HttpRequest, exception: Exception) -> HttpResponse:
    return render(request, "400.html", {"reason": str(exception)}, status=400)
