from django.core.paginator import EmptyPage, Paginator
from django.db.models import Sum
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_safe
from django.views.decorators.vary import vary_on_headers

from league.parameters import is_fragment, whole_number
from league.standings import listing
from league.standings.models import Standing, Table
from league.tournaments import services as tournaments
from league.tournaments.models import Tournament

PAGE = 100
UNRANKED = 50
MOST_PAGES = 100_000
BUSY_S = 3
QUIET_S = 15


@require_safe
@vary_on_headers("HX-Request")
def leaderboard(request: HttpRequest) -> HttpResponse:
    """The open ladder's table; htmx asks for it alone, and more often while results are on their way."""
    ladder = tournaments.ladder()
    paginator = Paginator(listing.ranked(ladder), PAGE)
    try:
        page = paginator.page(whole_number(request, "page", 1, 1, MOST_PAGES))
    except EmptyPage:
        raise Http404(_("The table has no such page.")) from None
    table = Table.objects.filter(tournament=ladder).select_related("tournament").first()
    pairs = _pairs(ladder)
    context = {
        "ladder": ladder,
        "page": page,
        "unranked": listing.unranked(ladder)[:UNRANKED] if not page.has_next() else [],
        "table": table,
        **pairs,
        "refresh_s": QUIET_S if table and not table.stale and not pairs["pairs_left"] else BUSY_S,
    }
    template = "standings/table.html" if is_fragment(request) else "standings/leaderboard.html"
    return render(request, template, context)


def _pairs(ladder: Tournament) -> dict[str, int]:
    """Pairs played and possible, and the share of them in whole percent, full only when it is."""
    sums = Standing.objects.filter(tournament=ladder).aggregate(played=Sum("played"), possible=Sum("possible"))
    played, possible = (sums["played"] or 0) // 2, (sums["possible"] or 0) // 2
    return {
        "pairs_played": played,
        "pairs_possible": possible,
        "pairs_left": possible - played,
        "pairs_percent": 100 * played // possible if possible else 0,
    }
