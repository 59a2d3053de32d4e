"""Where organisers have matches played again, and decide what becomes of the results."""

from collections.abc import Callable
from typing import Any

from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_safe

from league import actions
from league.accounts.models import User
from league.actions import told
from league.bots.models import Bot, Version
from league.matches.models import Match
from league.organisers import rejudging as sets
from league.organisers.access import organiser, refuse_others, staff_only
from league.organisers.exchange import figures
from league.organisers.forms import RejudgeForm
from league.organisers.models import Case, Rejudging
from league.parameters import is_fragment, whole_number
from league.tournaments.models import Tournament

PAGE = 50
CHANGES = 100
ROWS = 200
LARGEST_ID = 2**63 - 1


@require_safe
@staff_only
def rejudgings(request: HttpRequest) -> HttpResponse:
    """All sets, the latest first, and the tournaments of which another may be begun."""
    last = whole_number(request, "before", 0, 1, LARGEST_ID)
    found = Rejudging.objects.select_related("tournament", "bot").order_by("-pk")
    rows = list((found.filter(pk__lt=last) if last else found)[: PAGE + 1])
    context = {
        "rejudgings": rows[:PAGE],
        "older": rows[PAGE - 1].pk if len(rows) > PAGE else None,
        "before": last,
        "tournaments": list(Tournament.objects.ranked().filter(closed_at=None).order_by("-pk")[:PAGE]),
    }
    return render(request, "organisers/rejudgings.html", context)


@staff_only
def begin(request: HttpRequest) -> HttpResponse:
    """Begin a set: of the match `?match=`, or of the tournament `?tournament=`, and there perhaps of `?bot=` alone."""
    tournament, bot, match = _chosen(request)
    form = RejudgeForm(request.POST or None)
    if request.method == "POST" and form.is_valid():
        begun = form.begin(organiser(request), tournament, bot, match)
        if begun:
            return redirect("organisers:rejudging", begun.pk)
    context = {"form": form, "tournament": tournament, "bot": bot, "match": match}
    return render(request, "organisers/begin.html", context, status=400 if form.errors else 200)


def _chosen(request: HttpRequest) -> tuple[Tournament, Bot | None, Match | None]:
    numbers = {name: whole_number(request, name, 0, 1, LARGEST_ID) for name in ("match", "bot", "tournament")}
    if numbers["match"]:
        matches = Match.objects.filter(tournament__in=Tournament.objects.ranked())
        related = "tournament", "version_a__bot", "version_b__bot"
        match = get_object_or_404(matches.select_related(*related), pk=numbers["match"])
        return match.tournament, None, match
    tournament = get_object_or_404(Tournament.objects.ranked(), pk=numbers["tournament"])
    return tournament, get_object_or_404(Bot, pk=numbers["bot"]) if numbers["bot"] else None, None


@require_safe
@staff_only
def rejudging(request: HttpRequest, pk: int) -> HttpResponse:
    """How far a set is, what it would change or has changed, match by match and in the table."""
    shown = _rejudging(pk)
    progress = sets.progress(shown)
    changes = list(sets.changed(shown)[: CHANGES + 1])
    context = {
        "rejudging": shown,
        "progress": progress,
        "is_open": shown.status == Rejudging.Status.OPEN,
        "changes": [_change(case) for case in changes[:CHANGES]],
        "more_changes": len(changes) > CHANGES,
        "is_compared": bool(shown.compared),
        "table": _table(shown.comparison[:ROWS]),
        "skipped": list(_skipped(shown)[:CHANGES]),
    }
    template = "organisers/rejudging_state.html" if is_fragment(request) else "organisers/rejudging.html"
    return render(request, template, context)


def _change(case: Case) -> dict[str, Any]:
    before, after = case.before, case.after
    return {
        "case": case,
        "match": case.original,
        "before": before or figures(case.original),
        "after": after or figures(case.again),
    }


def _table(rows: list[list[int | None]]) -> list[dict[str, Any]]:
    names = ("version", "rank", "points", "rank_then", "points_then")
    versions = Version.objects.select_related("bot").in_bulk([row[0] for row in rows])
    found = [dict(zip(names, row, strict=True)) for row in rows]
    return [{**row, "version": versions[row["version"]]} for row in found if row["version"] in versions]


def _skipped(shown: Rejudging) -> Any:
    skipped = shown.cases.filter(verdict__in=[Case.Verdict.UNPLAYED, Case.Verdict.MOVED])
    return skipped.select_related("original__version_a__bot", "original__version_b__bot").order_by("pk")


@actions.action("organisers:rejudging")
def apply(request: HttpRequest, pk: int) -> HttpResponse:
    """Let the new results take the places of the old ones."""
    return _ended(request, pk, sets.apply, _("The rejudging is applied: the table follows in a moment."))


@actions.action("organisers:rejudging")
def drop(request: HttpRequest, pk: int) -> HttpResponse:
    """Leave the table as it is."""
    return _ended(request, pk, sets.drop, _("The rejudging is dropped: all results stay."))


def _ended(request: HttpRequest, pk: int, end: Callable[[User, Rejudging], None], said: str) -> HttpResponse:
    refuse_others(request)
    with told(request, said):
        end(organiser(request), _rejudging(pk))
    return redirect("organisers:rejudging", pk)


def _rejudging(pk: int) -> Rejudging:
    return get_object_or_404(Rejudging.objects.select_related("tournament", "apart", "bot", "match"), pk=pk)
