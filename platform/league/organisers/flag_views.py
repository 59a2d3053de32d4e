"""What organisers should look at, and what they made of it."""

from typing import Any

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_safe

from league import actions, doorbell
from league.bots.models import Version
from league.matches import listing
from league.organisers import flags as listed
from league.organisers import tasks
from league.organisers.access import organiser, refuse_others, staff_only
from league.organisers.forms import LookForm
from league.organisers.models import Flag
from league.parameters import one_of, whole_number

PAGE = 50
VERSIONS = 50
MATCHES = 20
MOST_TABLES = 10**9
LARGEST_ID = 2**63 - 1
STATES = ("waiting", "looked", "all")


@require_safe
@staff_only
def flags(request: HttpRequest) -> HttpResponse:
    """Flags that wait, that were looked at, or all; the latest first."""
    state = one_of(request, "show", STATES)
    kind = one_of(request, "kind", ("", *Flag.Kind.values))
    last = whole_number(request, "before", 0, 1, LARGEST_ID)
    found = Flag.objects.select_related("tournament").order_by("-pk")
    if state != "all":
        found = found.filter(looked_at__isnull=state == "waiting")
    if kind:
        found = found.filter(kind=kind)
    rows = listed.rows((found.filter(pk__lt=last) if last else found)[: PAGE + 1])
    context = {
        "flags": rows[:PAGE],
        "older": rows[PAGE - 1].flag.pk if len(rows) > PAGE else None,
        "before": last,
        "show": state,
        "kind": kind,
        "kinds": Flag.Kind.choices,
    }
    return render(request, "organisers/flags.html", context)


@staff_only
def flag(request: HttpRequest, pk: int) -> HttpResponse:
    """What is odd, and what an organiser made of it."""
    shown = get_object_or_404(Flag.objects.select_related("tournament"), pk=pk)
    seen = shown.looked_at.isoformat() if shown.looked_at else ""
    form = LookForm(request.POST or None, initial={"seen": seen, "note": shown.note})
    if request.method == "POST" and form.is_valid() and form.look(organiser(request), shown):
        messages.success(request, _("Your note is kept."))
        return redirect("organisers:flags")
    versions = list(shown.versions.select_related("bot__owner").order_by("pk")[: VERSIONS + 1])
    context = {
        "flag": shown,
        "form": form,
        "versions": versions[:VERSIONS],
        "more": len(versions) > VERSIONS,
        "matches": _matches(shown, versions),
        "one_in": _one_in(shown),
    }
    return render(request, "organisers/flag.html", context, status=400 if form.errors else 200)


def _one_in(shown: Flag) -> int | None:
    """In one of how many tables chance alone makes such a pair; None where that is never, or not known."""
    p_value = shown.details.get("p_value")
    return round(1 / p_value) if isinstance(p_value, float) and 1 / MOST_TABLES < p_value <= 1 else None


def _matches(shown: Flag, versions: list[Version]) -> list[Any]:
    """Of the pair, where the flag is on its results."""
    if shown.kind != Flag.Kind.RESULT or len(versions) != 2:
        return []
    a, b = versions
    between: Any = {"version_a": a, "version_b": b, "tournament": shown.tournament}
    return list(listing.rows(listing.finished().filter(**between))[:MATCHES])


@actions.action("organisers:flags")
def look_for(request: HttpRequest) -> HttpResponse:
    """Have a worker look for what is odd now, instead of at the next full hour."""
    refuse_others(request)
    doorbell.ring(tasks.LOOK)
    messages.success(request, _("A worker looks now. What it finds is here in a moment."))
    return redirect("organisers:flags")
