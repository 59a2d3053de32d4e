"""What a bot left behind in a match, as a file for its owner and staff."""

import csv

from django.contrib.auth.decorators import login_required
from django.core.exceptions import PermissionDenied
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404
from django.utils.http import content_disposition_header
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

from league.bots import usage
from league.bots.access import sees_private
from league.matches.access import visible
from league.matches.models import Match, Seat

COLUMNS = ("game", "decision", "call", "cpu_ms", "wall_ms")


@require_safe
@never_cache
@login_required
def times(request: HttpRequest, pk: int, seat: str) -> HttpResponse:
    """The times of all calls of the bot in that seat, as CSV."""
    related = "version_a__bot", "version_b__bot"
    match = get_object_or_404(visible(Match.objects.select_related(*related), request.user), pk=pk)
    if seat not in Seat.values:
        raise Http404(_("A match has the seats A and B."))
    version = match.version_a if seat == Seat.A else match.version_b
    if not sees_private(request.user, version.bot):
        raise PermissionDenied(_("Only its owner may read what a bot left behind."))
    log = match.logs.filter(seat=seat).first()
    used = usage.usage(log) if log else None
    if used is None:
        raise Http404(_("The times of this bot were not kept."))
    answer = HttpResponse(content_type="text/csv; charset=utf-8")
    answer["Content-Disposition"] = content_disposition_header(True, f"match-{pk}-{seat}.csv") or ""
    rows = csv.writer(answer, lineterminator="\n")
    rows.writerow(COLUMNS)
    rows.writerows((*call[:3], _milliseconds(call.cpu_s), _milliseconds(call.wall_s)) for call in used.calls)
    return answer


def _milliseconds(seconds: float | None) -> str:
    return "" if seconds is None else f"{1_000 * seconds:.1f}"
