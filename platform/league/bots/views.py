import shlex
from typing import Any, cast

from django.conf import settings
from django.contrib.auth.decorators import login_required
from django.contrib.auth.views import redirect_to_login
from django.core.exceptions import PermissionDenied
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.template.loader import render_to_string
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe
from django_htmx.http import HttpResponseClientRefresh

from arena.qualification import GAMES, OPPONENT
from arena.ruleset import TimeControl
from league import throttle
from league.accounts.models import User
from league.actions import action
from league.bots import changes, editor, findings, moments, services, uploads, usage
from league.bots.access import sees_private
from league.bots.forms import SubmitForm, TrialForm
from league.bots.models import Bot, Found, Source, Trial, Version
from league.parameters import is_fragment, whole_number
from sandbox.limits import Limits

LARGEST_ID = 2**63 - 1
EDITED_MOST_BYTES = 100_000


@never_cache
def submit(request: HttpRequest) -> HttpResponse:
    """The form for an upload; who isn't logged in reads what is expected."""
    user = request.user if isinstance(request.user, User) else None
    if request.method == "POST":
        if user is None:
            return redirect_to_login(request.path)
        form = SubmitForm(user, request.POST, request.FILES)
        if form.is_valid() and (version := form.submit(request)):
            return redirect("bots:version", version.pk)
    else:
        form = SubmitForm(user or User(), initial=_offered(request, user))
    context = {
        "form": form,
        "bots_left": services.bots_left(user) if user else settings.BOTS_PER_USER,
        "py_bytes": settings.UPLOAD_MAX_BYTES,
        "zip_bytes": settings.ZIP_MAX_BYTES,
        "time_control": TimeControl(),
        "limits": Limits(),
        "games": GAMES,
        "opponent": OPPONENT,
        "phrases": editor.phrases(),
    }
    return throttle.answer(render(request, "bots/submit.html", context, status=400 if form.errors else 200), form)


@action("bots:submit")
@never_cache
def ask(request: HttpRequest) -> HttpResponse:
    """Have a bot checked without submitting it; htmx gets the state of the trial, or what is wrong with the upload."""
    form, user = TrialForm(request.POST, request.FILES), cast(User, request.user)
    asked = form.ask(request, user) if form.is_valid() else None
    if asked is None:
        context = {"errors": [error for errors in form.errors.values() for error in errors]}
        template = "bots/trial_refused.html" if is_fragment(request) else "bots/trial.html"
        return throttle.answer(render(request, template, context, status=400), form)
    if is_fragment(request):
        return render(request, "bots/trial_state.html", _trial_context(asked))
    return redirect("bots:trial", asked.pk)


@require_safe
@never_cache
@login_required
def trial(request: HttpRequest, pk: int) -> HttpResponse:
    """A trial and what came of it, for who asked for it and staff."""
    shown = get_object_or_404(Trial.objects.defer("content"), pk=pk)
    if not (request.user.is_staff or shown.owner_id == request.user.pk):
        raise PermissionDenied(_("Only its author may see a trial."))
    template = "bots/trial_state.html" if is_fragment(request) else "bots/trial.html"
    return render(request, template, _trial_context(shown))


@require_safe
@never_cache
def version(request: HttpRequest, pk: int) -> HttpResponse:
    """A version and the state of its check; reason, traceback and output for its owner and staff alone."""
    shown = get_object_or_404(Version.objects.select_related("bot__owner", "report"), pk=pk)
    checking = shown.status == Version.Status.CHECKING
    if is_fragment(request) and not checking:
        return HttpResponseClientRefresh()
    private = sees_private(request.user, shown.bot)
    report = getattr(shown, "report", None) if private else None
    context = {
        "version": shown,
        "games": GAMES,
        "private": private,
        "previous": _previous(shown) if private else None,
        "playing": _playing(shown.bot) if not checking else None,
        "may_return": private and services.may_return(shown),
        **_found_context(report, shown.filename),
        **(services.wait(shown)._asdict() if checking else {}),
    }
    return render(request, "bots/version_state.html" if is_fragment(request) else "bots/version.html", context)


@never_cache
@require_safe
@login_required
def version_changes(request: HttpRequest, pk: int) -> HttpResponse:
    """What a version changed against the one before it, or that of `?since=`, for its owner and staff."""
    shown = get_object_or_404(Version.objects.select_related("bot__owner"), pk=pk)
    if not sees_private(request.user, shown.bot):
        raise PermissionDenied(_("Only its owner may read a bot."))
    others = shown.bot.versions.exclude(pk=shown.pk).order_by("-number")
    number = whole_number(request, "since", 0, 1, LARGEST_ID)
    since = get_object_or_404(others, number=number) if number else _previous(shown)
    if since is None:
        raise Http404(_("This is the first version."))
    context = {"version": shown, "since": since, "others": list(others.values_list("number", flat=True)[:50])}
    return render(request, "bots/changes.html", {**context, **_compared(since, shown)})


@never_cache
@require_safe
@login_required
def source(request: HttpRequest, pk: int) -> HttpResponse:
    """The upload as it came, for its owner and staff."""
    shown = get_object_or_404(Source.objects.select_related("version__bot"), pk=pk)
    if not sees_private(request.user, shown.version.bot):
        raise PermissionDenied(_("Only its owner may download a bot."))
    response = HttpResponse(bytes(shown.content), content_type="application/octet-stream")
    suffix = "zip" if uploads.is_zip(shown.version.filename) else "py"
    response["Content-Disposition"] = f'attachment; filename="bot-{pk}.{suffix}"'
    return response


def _offered(request: HttpRequest, user: User | None) -> dict[str, Any]:
    """What the form holds at first: the newest source of the bot of `?bot=`, else the example."""
    code = None
    chosen = whole_number(request, "bot", 0, 1, LARGEST_ID)
    if chosen and user:
        stored = Source.objects.filter(version__bot=chosen, version__bot__owner=user).select_related("version")
        newest = stored.order_by("-version__number").first()
        if newest and not uploads.is_zip(newest.version.filename) and newest.version.size <= EDITED_MOST_BYTES:
            code = uploads.read(bytes(newest.content))
    return {"bot": chosen or None, "how": "file", "code": code or render_to_string("bots/example_bot.txt")}


def _trial_context(shown: Trial) -> dict[str, Any]:
    checking = shown.status == Trial.Status.CHECKING
    return {"trial": shown, "games": GAMES, **({} if checking else _found_context(shown, shown.filename))}


def _found_context(found: Found | None, filename: str) -> dict[str, Any]:
    """What a check came to, as `bots/found.html` shows it."""
    record = findings.record(found) if found else None
    return {
        "found": found,
        "used": usage.usage(found) if found else None,
        "limits": Limits(),
        "score": record.points if record and not record.outcome.forfeits else None,
        "moment": moments.moment(record),
        "command": f"arena check {shlex.quote(filename)}",
    }


def _compared(since: Version, shown: Version) -> dict[str, Any]:
    if uploads.is_zip(since.filename) or uploads.is_zip(shown.filename):
        return {"refusal": "zip"}
    sources = Source.objects.in_bulk([since.pk, shown.pk])
    if len(sources) < 2:
        return {"refusal": "gone"}
    before, after = (uploads.read(bytes(sources[each.pk].content)) for each in (since, shown))
    try:
        return {"changes": changes.between(before, after)}
    except changes.TooLong:
        return {"refusal": "long"}


def _previous(version: Version) -> Version | None:
    return version.bot.versions.filter(number__lt=version.number).order_by("-number").first()


def _playing(bot: Bot) -> Version | None:
    return bot.versions.filter(status=Version.Status.ACTIVE).first()
