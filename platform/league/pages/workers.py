"""The page of the workers."""

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

from league.matches import access, slowness
from league.matches import workers as matches
from league.matches.models import Match
from league.parameters import is_fragment


@require_safe
@never_cache
def workers(request: HttpRequest) -> HttpResponse:
    """What each worker is, plays and has done; to staff also what went wrong, and where to pause it."""
    seen = matches.seen()
    heard = [each for each in seen if not each.worker.is_lost]
    part = is_fragment(request)
    context = {
        "seen": seen,
        "slow": slowness.slow() if request.user.is_staff and not part else [],
        "shown": set(access.visible(Match.objects.running(), request.user).values_list("pk", flat=True)),
        "working": sum(not each.worker.pause for each in heard),
        "paused": sum(bool(each.worker.pause) for each in heard),
        "lost": len(seen) - len(heard),
        "plays": sum(len(each.plays) for each in heard),
    }
    return render(request, "pages/workers_state.html" if part else "pages/workers.html", context)
