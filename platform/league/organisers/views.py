from typing import Any

from django.db.models import QuerySet
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe

from league.matches import listing as matches
from league.organisers import flags
from league.organisers.access import staff_only
from league.organisers.forms import SearchForm
from league.organisers.models import Act, Announcement, Rejudging
from league.parameters import whole_number
from league.tournaments.models import Disqualification, Season

FIRST = 8
ACTS = 50
LARGEST_ID = 2**63 - 1


@require_safe
@staff_only
def home(request: HttpRequest) -> HttpResponse:
    """What wants an organiser's attention, and what was done last."""
    seasons = Season.objects.filter(tournament__closed_at=None).select_related("tournament").order_by("deadline_at")
    context = {
        "seasons": [(season, season.phase) for season in seasons[:FIRST]],
        "failed": _first(matches.rows(matches.with_fault(matches.finished(), "platform"))),
        "flags": flags.rows(flags.waiting()[:FIRST]),
        "rejudgings": _first(
            Rejudging.objects.filter(status=Rejudging.Status.OPEN).select_related("tournament", "bot").order_by("-pk")
        ),
        "disqualified": _first(
            Disqualification.objects.filter(lifted_at=None).select_related("tournament", "bot").order_by("-pk")
        ),
        "announcement": Announcement.objects.filter(withdrawn_at=None).order_by("-published_at", "-pk").first(),
        "acts": list(Act.objects.select_related("bot", "tournament", "match", "user").order_by("-pk")[:FIRST]),
    }
    return render(request, "organisers/home.html", context)


@require_safe
@staff_only
def log(request: HttpRequest) -> HttpResponse:
    """What organisers did, the latest first, a page before the act of `?before=`."""
    form = SearchForm(request.GET)
    last = whole_number(request, "before", 0, 1, LARGEST_ID)
    found: list[Act] = []
    if form.is_valid():
        acts = form.search().found()
        found = list((acts.filter(pk__lt=last) if last else acts)[: ACTS + 1])
    context = {
        "form": form,
        "acts": found[:ACTS],
        "before": last,
        "older": found[ACTS - 1].pk if len(found) > ACTS else None,
        "filtered": any(request.GET.get(name) for name in form.fields),
    }
    return render(request, "organisers/log.html", context, status=400 if form.errors else 200)


def _first(rows: QuerySet[Any]) -> dict[str, Any]:
    """The first of those rows, and whether there are more."""
    found = list(rows[: FIRST + 1])
    return {"rows": found[:FIRST], "more": len(found) > FIRST}
