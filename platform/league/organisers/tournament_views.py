"""Where organisers announce, start and close seasons, and open and close ladders."""

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_safe

from league.actions import action, told
from league.matches import seasons as season_services
from league.matches.models import Match
from league.organisers import tournaments
from league.organisers.access import organiser, refuse_others, staff_only
from league.organisers.tournament_forms import DeadlineForm, LadderForm, SeasonForm
from league.tournaments import registration
from league.tournaments.models import Season, Tournament

MOST = 200


@require_safe
@staff_only
def overview(request: HttpRequest) -> HttpResponse:
    """All seasons and ladders."""
    seasons = Season.objects.select_related("tournament").order_by("-deadline_at", "-pk")
    context = {
        "seasons": [(season, season.phase) for season in seasons[:MOST]],
        "ladders": list(Tournament.objects.filter(kind=Tournament.Kind.LADDER).order_by("pk")),
    }
    return render(request, "organisers/tournaments.html", context)


@staff_only
def new_season(request: HttpRequest) -> HttpResponse:
    """Announce a season."""
    form = SeasonForm(request.POST or None)
    if request.method == "POST" and form.is_valid() and (season := form.announce(organiser(request))):
        messages.success(request, _("The season is announced."))
        return redirect("organisers:season", season.tournament.slug)
    return render(request, "organisers/new_season.html", {"form": form}, status=400 if form.errors else 200)


@staff_only
def season(request: HttpRequest, slug: str) -> HttpResponse:
    """How a season stands, with what its organiser may do now; the form moves the deadline."""
    shown = _season(slug)
    form = DeadlineForm(request.POST or None, initial={"deadline_at": shown.deadline_at})
    if request.method == "POST" and form.is_valid() and form.move(organiser(request), shown):
        messages.success(request, _("The deadline is moved."))
        return redirect("organisers:season", slug)
    phase = shown.phase
    unplayed = season_services.holes(shown) if phase == Season.Phase.PLAYING else []
    context = {
        "season": shown,
        "tournament": shown.tournament,
        "phase": phase,
        "phases": Season.Phase,
        "form": form,
        "registered": registration.ready(shown).count(),
        "in_check": registration.in_check(shown).count() if phase == Season.Phase.FROZEN else 0,
        "unplayed": len(unplayed),
        "failed": Match.objects.filter(tournament=shown.tournament, status=Match.Status.FAILED).count(),
    }
    return render(request, "organisers/season.html", context, status=400 if form.errors else 200)


@action("organisers:season")
def start_season(request: HttpRequest, slug: str) -> HttpResponse:
    """Start a season whose deadline has passed."""
    refuse_others(request)
    with told(request, _("The season has started.")):
        tournaments.start_season(organiser(request), _season(slug), insist=bool(request.POST.get("insist")))
    return redirect("organisers:season", slug)


@action("organisers:season")
def close_season(request: HttpRequest, slug: str) -> HttpResponse:
    """End a season for good."""
    refuse_others(request)
    with told(request, _("The season is closed.")):
        tournaments.close_season(organiser(request), _season(slug), insist=bool(request.POST.get("insist")))
    return redirect("organisers:season", slug)


@staff_only
def new_ladder(request: HttpRequest) -> HttpResponse:
    """Open a ladder."""
    form = LadderForm(request.POST or None)
    if request.method == "POST" and form.is_valid() and (ladder := form.open(organiser(request))):
        messages.success(request, _("The ladder is open: all active bots are entered within seconds."))
        return redirect("standings:table", ladder.slug)
    return render(request, "organisers/new_ladder.html", {"form": form}, status=400 if form.errors else 200)


@action("standings:table")
def close_ladder(request: HttpRequest, slug: str) -> HttpResponse:
    """End a ladder for good."""
    refuse_others(request)
    ladder = get_object_or_404(Tournament, slug=slug, kind=Tournament.Kind.LADDER)
    with told(request, _("The ladder is closed.")):
        tournaments.close_ladder(organiser(request), ladder)
    return redirect("organisers:tournaments")


def _season(slug: str) -> Season:
    return get_object_or_404(Season.objects.select_related("tournament"), tournament__slug=slug)
