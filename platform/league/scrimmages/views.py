from typing import Any, cast

from django.conf import settings
from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

from league.accounts.models import User
from league.actions import action
from league.bots.models import Bot
from league.parameters import is_fragment, short_text, whole_number
from league.scrimmages import listing, services
from league.scrimmages.forms import ScrimmageForm
from league.scrimmages.models import Scrimmage

PAGE = 25
LARGEST_ID = 2**63 - 1
LONGEST_NAME = 150


@require_safe
@never_cache
@login_required
def mine(request: HttpRequest) -> HttpResponse:
    """What the user asked for, the newest first, and bots to play against; htmx asks for the first alone."""
    user = cast(User, request.user)
    before = whole_number(request, "before", 0, 1, LARGEST_ID)
    asked = list(listing.asked_by(user, before)[: PAGE + 1])
    rows = [listing.row(each) for each in asked[:PAGE]]
    context: dict[str, Any] = {
        "rows": rows,
        "live": any(row.unfinished for row in rows),
        "before": before,
        "older": asked[PAGE - 1].pk if len(asked) > PAGE else None,
    }
    if is_fragment(request):
        return render(request, "scrimmages/rows.html", context)
    search = short_text(request, "q", LONGEST_NAME)
    context |= {
        "search": search,
        "found": listing.opponents(search) if search else [],
        "may_ask": services.may_ask(user),
        "quota": services.left(user),
        "most_waiting": settings.SCRIMMAGES_WAITING,
        "most_a_day": settings.SCRIMMAGES_A_DAY,
    }
    return render(request, "scrimmages/mine.html", context)


@never_cache
@login_required
def against(request: HttpRequest, pk: int) -> HttpResponse:
    """The form that asks for a match against that bot."""
    user = cast(User, request.user)
    playing = Bot.objects.filter(pk__in=services.playable().values("bot"))
    opponent = get_object_or_404(playing.select_related("owner"), pk=pk)
    form = ScrimmageForm(user, opponent, request.POST if request.method == "POST" else None)
    if request.method == "POST" and form.is_valid() and form.ask():
        return redirect("scrimmages:mine")
    context = {"opponent": opponent, "form": form, "may_ask": services.may_ask(user)}
    return render(request, "scrimmages/against.html", context, status=400 if form.errors else 200)


@action("matches:match")
def cancel(request: HttpRequest, pk: int) -> HttpResponse:
    """Take back what the user asked for and is not played yet."""
    asked = get_object_or_404(Scrimmage.objects.select_related("match"), pk=pk, requested_by=request.user)
    if not services.cancel(asked):
        messages.error(request, _("It can't be cancelled: it is being played, or is over."))
    return redirect("scrimmages:mine")
