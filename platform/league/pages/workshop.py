"""Where an author looks after his bots. Staff may do the same with any bot."""

from typing import Any, cast

from django.conf import settings
from django.contrib import messages
from django.contrib.auth import logout
from django.contrib.auth.decorators import login_required
from django.core.exceptions import PermissionDenied
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

from league.accounts.forms import PasswordForm
from league.accounts.models import User
from league.actions import action, told
from league.bots import listing
from league.bots import services as bots
from league.bots.access import sees_private
from league.bots.forms import RenameForm
from league.bots.models import Bot, Version
from league.matches import roster
from league.standings.models import Standing
from league.tournaments import services as tournaments

VERSIONS = 100


@login_required
@require_safe
@never_cache
def mine(request: HttpRequest) -> HttpResponse:
    """A user's own bots: which version plays, how it stands, what the newest upload came to."""
    user = cast(User, request.user)
    rows: list[dict[str, Any]] = [own._asdict() for own in listing.own(user)]
    active = [row["active"].pk for row in rows if row["active"]]
    found = Standing.objects.filter(tournament=tournaments.ladder(), version__in=active)
    places = {standing.version_id: standing for standing in found}
    for row in rows:
        row["place"] = places.get(row["active"].pk) if row["active"] else None
    return render(request, "pages/mine.html", {"rows": rows, "bots_left": bots.bots_left(user)})


@never_cache
@login_required
def manage(request: HttpRequest, pk: int) -> HttpResponse:
    """A bot as its owner sees it: its versions, its name, whether it plays. The form renames it."""
    bot = _own(request, pk)
    form = RenameForm(request.POST or None, initial={"name": bot.name})
    if request.method == "POST" and form.is_valid() and form.rename(bot):
        messages.success(request, _("Its name is %(name)s now.") % {"name": bot.name})
        return redirect("pages:manage", pk)
    bot = _own(request, pk)  # a refused name is not its name
    versions = list(bot.versions.select_related("bot").defer("bot__created_at").order_by("-number")[:VERSIONS])
    context = {
        "bot": bot,
        "form": form,
        "versions": [(version, bots.may_return(version)) for version in versions],
        "active": next((version for version in versions if version.status == Version.Status.ACTIVE), None),
        "failed": bots.failed_since(versions),
    }
    return render(request, "pages/manage.html", context, status=400 if form.errors else 200)


@action("bots:version")
def roll_back(request: HttpRequest, pk: int) -> HttpResponse:
    """Let an earlier version play again."""
    version = get_object_or_404(Version.objects.select_related("bot"), pk=pk)
    _own(request, version.bot_id)
    with told(request, _("Version %(number)s plays again.") % {"number": version.number}):
        roster.roll_back(version)
    return redirect("bots:version", pk)


@action("pages:manage")
def retire(request: HttpRequest, pk: int) -> HttpResponse:
    """Take a bot from the table."""
    bot = _own(request, pk)
    roster.retire(bot)
    messages.success(request, _("%(name)s is retired.") % {"name": bot.name})
    return redirect("pages:manage", pk)


@action("pages:manage")
def come_back(request: HttpRequest, pk: int) -> HttpResponse:
    """Let a retired bot play again."""
    bot = _own(request, pk)
    roster.come_back(bot)
    messages.success(request, _("%(name)s is back.") % {"name": bot.name})
    return redirect("pages:manage", pk)


@never_cache
@login_required
def delete(request: HttpRequest, pk: int) -> HttpResponse:
    """Ask whether a bot shall be deleted, and do it."""
    bot = _own(request, pk)
    if request.method == "POST":
        roster.delete(bot)
        messages.success(request, _("%(name)s is deleted.") % {"name": bot.name})
        return redirect("pages:mine")
    return render(request, "pages/delete.html", {"bot": bot, "versions": bot.versions.count()})


@never_cache
@login_required
def close_account(request: HttpRequest) -> HttpResponse:
    """Ask for the password, and delete the visitor's account with all bots."""
    user = cast(User, request.user)
    if user.username == settings.HOUSE_USER:
        raise PermissionDenied(_("The house bots' account stays."))
    form = PasswordForm(user, request.POST or None)
    if request.method == "POST" and form.is_valid():
        roster.close_account(user)
        logout(request)
        messages.success(request, _("Your account is deleted."))
        return redirect("pages:home")
    context = {"form": form, "bots": user.bots.kept().count()}
    return render(request, "pages/close_account.html", context, status=400 if form.errors else 200)


def _own(request: HttpRequest, pk: int) -> Bot:
    """That bot, if the visitor may look after it."""
    bot = get_object_or_404(Bot.objects.select_related("owner"), pk=pk)
    if not sees_private(request.user, bot):
        raise PermissionDenied(_("Only its owner may look after a bot."))
    if bot.deleted_at:
        raise Http404(_("This bot was deleted."))
    return bot
