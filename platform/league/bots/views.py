from django.conf import settings
from django.contrib.auth.decorators import login_required
from django.contrib.auth.views import redirect_to_login
from django.core.exceptions import PermissionDenied
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe
from django_htmx.http import HttpResponseClientRefresh

from arena.ruleset import TimeControl
from league.accounts.models import User
from league.bots import services
from league.bots.access import sees_private
from league.bots.forms import SubmitForm
from league.bots.models import Bot, Source, Version
from league.parameters import is_fragment
from sandbox.limits import Limits


@never_cache
def submit(request: HttpRequest) -> HttpResponse:
    """The form for an upload; who isn't logged in reads what is expected."""
    user = request.user if isinstance(request.user, User) else None
    if request.method == "POST":
        if user is None:
            return redirect_to_login(request.path)
        form = SubmitForm(user, request.POST, request.FILES)
        if form.is_valid() and (version := form.submit()):
            return redirect("bots:version", version.pk)
    else:
        form = SubmitForm(user or User(), initial={"bot": request.GET.get("bot")})
    context = {
        "form": form,
        "bots_left": services.bots_left(user) if user else settings.BOTS_PER_USER,
        "py_bytes": settings.UPLOAD_MAX_BYTES,
        "zip_bytes": settings.ZIP_MAX_BYTES,
        "time_control": TimeControl(),
        "limits": Limits(),
    }
    return render(request, "bots/submit.html", context, status=400 if form.errors else 200)


@require_safe
@never_cache
def version(request: HttpRequest, pk: int) -> HttpResponse:
    """A version and the state of its check; reason, traceback and output for its owner and staff alone."""
    shown = get_object_or_404(Version.objects.select_related("bot__owner", "report"), pk=pk)
    checking = shown.status == Version.Status.CHECKING
    if is_fragment(request) and not checking:
        return HttpResponseClientRefresh()
    private = sees_private(request.user, shown.bot)
    context = {
        "version": shown,
        "private": private,
        "report": getattr(shown, "report", None) if private else None,
        "ahead": _ahead(shown) if checking else 0,
        "playing": _playing(shown.bot) if not checking else None,
    }
    return render(request, "bots/version_state.html" if is_fragment(request) else "bots/version.html", context)


@never_cache
@require_safe
@login_required
def source(request: HttpRequest, pk: int) -> HttpResponse:
    """The upload as it came, for its owner and staff."""
    shown = get_object_or_404(Source.objects.select_related("version__bot"), pk=pk)
    if not sees_private(request.user, shown.version.bot):
        raise PermissionDenied(_("Only its owner may download a bot."))
    response = HttpResponse(bytes(shown.content), content_type="application/octet-stream")
    suffix = "zip" if shown.version.filename.lower().endswith(".zip") else "py"
    response["Content-Disposition"] = f'attachment; filename="bot-{pk}.{suffix}"'
    return response


def _ahead(version: Version) -> int:
    """Versions whose check comes first."""
    return Version.objects.filter(status=Version.Status.CHECKING, pk__lt=version.pk).count()


def _playing(bot: Bot) -> Version | None:
    return bot.versions.filter(status=Version.Status.ACTIVE).first()
