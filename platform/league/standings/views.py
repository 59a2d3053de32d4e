from functools import partial
from typing import Any

from django.core.paginator import EmptyPage, Page, Paginator
from django.db.models import QuerySet
from django.http import Http404, HttpRequest, HttpResponse, StreamingHttpResponse
from django.shortcuts import get_object_or_404, render
from django.template.loader import render_to_string
from django.utils.http import content_disposition_header
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe
from django.views.decorators.vary import vary_on_headers

from league import kept, live
from league.parameters import is_fragment, one_of, short_text, whole_number
from league.standings import comparing, listing
from league.standings import dump as dumps
from league.standings.crosstable import crosstable
from league.standings.models import Standing, Table
from league.standings.ties import ties
from league.tournaments import services as tournaments
from league.tournaments.models import Tournament

PAGE = 25  # as many as a crosstable has room for in the width of a page
UNRANKED = 50
DISQUALIFIED = 100
MOST_PAGES = 100_000
LONGEST_SEARCH = 150
BUSY_S = 3
QUIET_S = 15


@require_safe
@vary_on_headers("HX-Request")
@live.shared
def leaderboard(request: HttpRequest, slug: str = "") -> HttpResponse:
    """The table of that tournament, by default of the first ladder, and its crosstable.

    htmx asks for them alone, more often while results are on their way, and is answered 204 while nothing has changed.
    """
    ladders = tournaments.ladders()
    shown_ladder = next((ladder for ladder in ladders if slug in ("", ladder.slug)), None)
    tournament = shown_ladder or get_object_or_404(Tournament.objects.ranked(), slug=slug)
    table = Table.objects.filter(tournament=tournament).select_related("tournament").first()
    state = table.state if table else ""
    if live.is_seen(request, state):
        return HttpResponse(status=204)
    search = short_text(request, "q", LONGEST_SEARCH)
    order = one_of(request, "sort", listing.ORDERS)
    found = listing.named(tournament, search)
    page = _page(request, listing.ordered(listing.ranked(tournament).filter(found), order))
    shown = list(page.object_list)
    pairs = listing.pairs(tournament)
    context = {
        "tournament": tournament,
        "ladders": ladders,
        "is_season": tournament.kind == Tournament.Kind.SEASON,
        "games": tournament.ruleset["games"],
        "page": page,
        "rows": list(zip(shown, ties(tournament, shown), strict=True)),
        "search": search,
        "order": order,
        "unranked": _unranked(listing.unranked(tournament).filter(found)) if not page.has_next() else {},
        "disqualified": [] if page.has_next() else list(tournaments.disqualified(tournament)[:DISQUALIFIED]),
        "table": table,
        "state": state,
        "pairs": pairs,
        "refresh_s": QUIET_S if table and not table.stale and not pairs.left else BUSY_S,
    }
    context["standings"] = kept.part("standings", _shows(request, context), partial(_standings, request, context))
    template = "standings/table.html" if is_fragment(request) else "standings/leaderboard.html"
    return live.render(request, template, context)


def _standings(request: HttpRequest, context: dict[str, Any]) -> str:
    """The rows and the crosstable, which take most of the page's time."""
    table, order = context["table"], context["order"]
    shown = [row for row, _tie in context["rows"]]
    more = {
        "columns": [_head(column, order) for column in listing.COLUMNS],
        "crosstable": crosstable(table, shown) if table and table.computed_at else [],
    }
    return render_to_string("standings/standings.html", {**context, **more}, request)


def _shows(request: HttpRequest, context: dict[str, Any]) -> tuple[object, ...]:
    """All that they follow from: the table by its state, names as they are now, the address for the links."""
    tournament, rows, unranked = context["tournament"], context["rows"], context["unranked"]
    mine = any(row.version.bot.owner_id == request.user.pk for row, _tie in rows)
    return (
        (tournament.pk, tournament.slug, tournament.name, tournament.legs, context["games"], context["state"]),
        [(name, values) for name, values in request.GET.lists() if name != live.SEEN],
        context["page"].paginator.count,
        [(_named(row), _named(tie.level_with), tie.others, _named(tie.ahead_of)) for row, tie in rows],
        [_named(row) for row in unranked.get("rows", ())],
        [(each.bot_id, each.bot.name, each.reason) for each in context["disqualified"]],
        request.user.pk if mine else None,
    )


def _named(row: Standing | None) -> tuple[int, str, str] | None:
    return (row.pk, row.version.bot.name, row.version.bot.owner.username) if row else None


@require_safe
def compare(request: HttpRequest, slug: str) -> HttpResponse:
    """Whether two bots of that table really differ: the form that asks which, the answer, what ratings mean."""
    tournament = get_object_or_404(Tournament.objects.ranked(), slug=slug)
    a, b = short_text(request, "a", LONGEST_SEARCH), short_text(request, "b", LONGEST_SEARCH)
    known = comparing.names(tournament)
    answer = comparing.compare(tournament, known, a, b) if a and b else None
    refused = answer if isinstance(answer, comparing.Refused) else None
    context = {
        "tournament": tournament,
        "a": a,
        "b": b,
        "names": known,
        "refused": refused,
        "comparison": None if refused else answer,
    }
    return render(request, "standings/compare.html", context, status=refused.status if refused else 200)


@require_safe
@never_cache
def dump(request: HttpRequest, slug: str) -> StreamingHttpResponse:
    """The whole tournament as a file; what breaks off lacks its last line, and `arena table` refuses it."""
    tournament = get_object_or_404(Tournament.objects.ranked(), slug=slug)
    lines = dumps.lines(tournament) if request.method == "GET" else ()
    answer = StreamingHttpResponse(lines, content_type="application/x-ndjson")
    answer["Content-Disposition"] = content_disposition_header(True, dumps.filename(tournament)) or ""
    return answer


def _page(request: HttpRequest, rows: QuerySet[Standing]) -> Page[Standing]:
    try:
        page = Paginator(rows, PAGE).page(whole_number(request, "page", 1, 1, MOST_PAGES))
    except EmptyPage:
        raise Http404(_("The table has no such page.")) from None
    return page


def _unranked(rows: QuerySet[Standing]) -> dict[str, Any]:
    shown = list(rows[: UNRANKED + 1])
    return {"rows": shown[:UNRANKED], "more": len(shown) > UNRANKED}


def _head(column: listing.Column, order: str) -> dict[str, Any]:
    """How a column is sorted now, and what its link does."""
    first, second = column.orders
    directions = {column.name: "ascending", f"-{column.name}": "descending"}
    return {
        "name": column.name,
        "title": column.title,
        "css": column.css,
        "sorted": directions.get(order, ""),
        "next": second if order == first else first,
    }
