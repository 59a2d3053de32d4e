"""Where organisers take bots and matches out of the tables, and put them back."""

from django.contrib import messages
from django.core.exceptions import ValidationError
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils.translation import gettext as _

from league.actions import action, told
from league.bots.models import Bot
from league.matches.models import Match
from league.organisers import services
from league.organisers.access import organiser, refuse_others, staff_only
from league.organisers.forms import AnnulForm, DisqualifyForm
from league.tournaments.models import Disqualification, Tournament


@staff_only
def disqualify(request: HttpRequest, pk: int) -> HttpResponse:
    """Take a bot out of a tournament; below, where that was done before."""
    bot = get_object_or_404(Bot.objects.select_related("owner"), pk=pk)
    form = DisqualifyForm(request.POST or None)
    if request.method == "POST" and form.is_valid() and form.disqualify(organiser(request), bot):
        messages.success(request, _("%(name)s is disqualified.") % {"name": bot.name})
        return redirect("organisers:disqualify", pk)
    earlier = bot.disqualifications.select_related("tournament").order_by("-pk")
    context = {"bot": bot, "form": form, "earlier": list(earlier)}
    return render(request, "organisers/disqualify.html", context, status=400 if form.errors else 200)


@staff_only
def reinstate(request: HttpRequest, pk: int) -> HttpResponse:
    """Let a disqualified bot play again; whoever comes without the form is led to it."""
    disqualified = get_object_or_404(Disqualification.objects.select_related("tournament", "bot"), pk=pk)
    if request.method == "POST":
        _reinstate(request, disqualified)
    return redirect("organisers:disqualify", disqualified.bot_id)


def _reinstate(request: HttpRequest, disqualified: Disqualification) -> None:
    try:
        version = services.reinstate(organiser(request), disqualified)
    except ValidationError as refused:
        messages.error(request, " ".join(refused.messages))
    else:
        said = _("%(name)s plays again.") if version else _("%(name)s may play again; now it has nothing to play with.")
        messages.success(request, said % {"name": disqualified.bot.name})


@staff_only
def annul(request: HttpRequest, pk: int) -> HttpResponse:
    """Let a match count for nobody."""
    match = _match(pk)
    form = AnnulForm(request.POST or None)
    if request.method == "POST" and form.is_valid() and form.annul(organiser(request), match):
        messages.success(request, _("The match is annulled."))
        return redirect("matches:match", pk)
    return render(request, "organisers/annul.html", {"match": match, "form": form}, status=400 if form.errors else 200)


@action("matches:match")
def restore(request: HttpRequest, pk: int) -> HttpResponse:
    """Let an annulled match count again."""
    refuse_others(request)
    with told(request, _("The match counts again.")):
        services.restore(organiser(request), _match(pk))
    return redirect("matches:match", pk)


def _match(pk: int) -> Match:
    """That match, if it is anybody's to see: those of rejudgings count for nobody anyway."""
    match = get_object_or_404(Match.objects.select_related("tournament", "version_a__bot", "version_b__bot"), pk=pk)
    if match.tournament.kind == Tournament.Kind.REJUDGING:
        raise Http404(_("There is no such match."))
    return match
