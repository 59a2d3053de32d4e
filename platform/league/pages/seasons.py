"""Seasons as everybody sees them, and where authors register their bots."""

from typing import Any

from django.core.exceptions import PermissionDenied
from django.db.models import Count, Q
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

from arena.ruleset import Ruleset, TimeControl
from league.actions import action, told
from league.bots.access import sees_private
from league.bots.models import Bot, Version
from league.matches.models import Match
from league.pages import texts
from league.standings import listing
from league.tournaments import registration
from league.tournaments.models import Registration, Season, Tournament

MOST = 100
REGISTERED = 500
TOP = 10
HOLES = 100


@require_safe
@never_cache
def seasons(request: HttpRequest) -> HttpResponse:
    """All seasons, the latest first, and the ladders beside them."""
    latest = Season.objects.select_related("tournament").order_by("-deadline_at", "-pk")
    counted = latest.annotate(
        bots=Count("tournament__registrations", filter=Q(tournament__registrations__bot__deleted_at=None))
    )
    context = {
        "seasons": [(season, season.phase) for season in counted[:MOST]],
        "ladders": list(Tournament.objects.open_ladders()),
        "phases": Season.Phase,
    }
    return render(request, "pages/seasons.html", context)


@require_safe
@never_cache
def season(request: HttpRequest, slug: str) -> HttpResponse:
    """When it plays, by which rules, who is registered, how it stands; for authors the way to register."""
    shown = _season(slug)
    tournament = shown.tournament
    phase = shown.phase_at(timezone.now())
    registered = list(_registered(tournament)[: REGISTERED + 1])
    ruleset = Ruleset.from_dict(tournament.ruleset)
    context = {
        "season": shown,
        "tournament": tournament,
        "phase": phase,
        "phases": Season.Phase,
        "registered": registered[:REGISTERED],
        "registered_more": len(registered) > REGISTERED,
        "ruleset": ruleset,
        "options": texts.options(ruleset),
        "time_control": TimeControl.from_dict(tournament.time_control),
        "own": _own(request, shown) if phase in (Season.Phase.REGISTRATION, Season.Phase.FROZEN) else [],
        "in_check": registration.in_check(shown).count() if phase == Season.Phase.FROZEN else 0,
        "too_few": phase == Season.Phase.FROZEN and registration.ready(shown).count() < 2,
        **(_standing(shown) if shown.started_at else {}),
    }
    return render(request, "pages/season.html", context)


@action("pages:season")
def register(request: HttpRequest, slug: str) -> HttpResponse:
    """Let one of the visitor's bots play."""
    bot = _own_bot(request)
    with told(request, _("%(name)s is registered.") % {"name": bot.name}):
        registration.register(_season(slug), bot)
    return redirect("pages:season", slug)


@action("pages:season")
def withdraw(request: HttpRequest, slug: str) -> HttpResponse:
    """Take a registration back."""
    bot = _own_bot(request)
    with told(request, _("%(name)s is registered no more.") % {"name": bot.name}):
        registration.withdraw(_season(slug), bot)
    return redirect("pages:season", slug)


def _season(slug: str) -> Season:
    return get_object_or_404(Season.objects.select_related("tournament"), tournament__slug=slug)


def _own_bot(request: HttpRequest) -> Bot:
    """The bot that the form names, if the visitor may look after it."""
    number = request.POST.get("bot", "")
    pk = int(number) if number.isascii() and number.isdigit() and len(number) < 19 else 0
    bot = get_object_or_404(Bot.objects.kept(), pk=pk)
    if not sees_private(request.user, bot):
        raise PermissionDenied(_("Only its owner may register a bot."))
    return bot


def _registered(tournament: Tournament) -> Any:
    rows = tournament.registrations.filter(bot__deleted_at=None).select_related("bot__owner", "version")
    return rows.order_by("bot__name")


def _own(request: HttpRequest, season: Season) -> list[tuple[Bot, Registration | None, Version | None, bool]]:
    """The visitor's bots, each with its registration, the version that is being checked, and whether it could play."""
    if not request.user.is_authenticated:
        return []
    own = list(Bot.objects.kept().filter(owner=request.user).order_by("name"))
    found = {row.bot_id: row for row in season.tournament.registrations.filter(bot__in=own).select_related("version")}
    may_play = Version.objects.filter(bot__in=own, status__in=[Version.Status.ACTIVE, Version.Status.CHECKING])
    versions = {(version.bot_id, version.status): version for version in may_play}
    fit = {bot for bot, _status in versions}
    return [
        (bot, found.get(bot.pk), versions.get((bot.pk, Version.Status.CHECKING)), bot.pk in fit)
        for bot in own
        if bot.retired_at is None or bot.pk in found
    ]


def _standing(season: Season) -> dict[str, Any]:
    tournament = season.tournament
    unplayed = season.holes[:HOLES]
    named = Version.objects.select_related("bot").in_bulk({pk for row in unplayed for pk in row[:2]})
    barred = tournament.disqualifications.filter(lifted_at=None).select_related("bot")
    return {
        "top": list(listing.ranked(tournament)[:TOP]),
        "pairs": listing.pairs(tournament),
        "waiting": Match.objects.unfinished().filter(tournament=tournament).exists(),
        "holes": [(named[a], named[b], leg) for a, b, leg in unplayed if a in named and b in named],
        "holes_more": len(season.holes) > HOLES,
        "disqualified": list(barred.order_by("bot__name")),
        "withdrawn": list(
            Bot.objects.filter(registrations__tournament=tournament, deleted_at__isnull=False).order_by("name")
        ),
    }
