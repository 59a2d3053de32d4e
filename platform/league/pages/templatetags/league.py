"""Marks and figures that pages draw: seats, times, cards, bars.

Sizes are attributes of SVG shapes, since the content security policy blocks inline styles.
"""

from collections.abc import Sequence
from datetime import datetime
from typing import Any

from django import template
from django.utils import timezone
from django.utils.html import format_html
from django.utils.safestring import SafeString
from django.utils.timesince import timesince
from django.utils.translation import gettext as _

from league import texts
from league.matches import viewer
from league.matches.viewer import GLYPHS, RANKS

register = template.Library()

BAR_HEIGHT = 100


@register.simple_tag
def seat(letter: str) -> SafeString:
    """The disc of seat A or the diamond of seat B."""
    mark = '<i class="seat seat-{}" role="img" aria-label="{}"></i>'
    return format_html(mark, letter.lower(), letter)


@register.simple_tag
def when(moment: datetime | None) -> SafeString | str:
    """A time as people say it, with the exact one on hover and for machines."""
    if moment is None:
        return "–"
    moment = moment.astimezone(timezone.get_default_timezone())
    age = timezone.now() - moment
    recent = age.total_seconds() < 60
    said = _("just now") if recent else _("%(age)s ago") % {"age": timesince(moment, depth=1)}
    return format_html(
        '<time datetime="{}" title="{}">{}</time>', moment.isoformat(timespec="seconds"), exact(moment), said
    )


def exact(moment: datetime) -> str:
    return f"{moment:%Y-%m-%d %H:%M:%S %Z}"


@register.inclusion_tag("parts/card.html")
def card(text: str, seat: int | None = None) -> dict[str, Any]:
    """A playing card such as `9S`, or the back of one such as `?S`; with a mark of the seat that laid it."""
    rank, suit = text[0], text[1]
    if rank == "?":
        return {"suit": suit, "label": _("hidden card, %(suit)s") % {"suit": viewer.suit_name(suit)}}
    rank = RANKS.get(rank, rank)
    laid_by = "" if seat is None else "ab"[seat]
    return {"rank": rank, "suit": suit, "label": rank + GLYPHS[suit], "laid_by": laid_by}


@register.inclusion_tag("parts/balance.html")
def balance(points_a: int, points_b: int) -> dict[str, Any]:
    """Shares of the points as one bar with a mark in the middle."""
    total = points_a + points_b
    share = round(1000 * points_a / total) if total else 500
    return {"share_a": share, "share_b": 1000 - share, "points_a": points_a, "points_b": points_b}


@register.inclusion_tag("parts/games.html")
def games(match: Any, current: int | None = None, small: bool = False) -> dict[str, Any]:
    """The games of a played match as bars, each a link to its replay."""
    rows: Sequence[Sequence[int]] = match.games
    top = max((points for _dealer, *both, _rounds in rows for points in both), default=0) or 1
    bars = [
        {
            "number": number,
            "a": a,
            "b": b,
            "height_a": round(BAR_HEIGHT * a / top),
            "top_a": BAR_HEIGHT - round(BAR_HEIGHT * a / top),
            "height_b": round(BAR_HEIGHT * b / top),
            "winner": "A" if a > b else "B" if b > a else "",
        }
        for number, (_dealer, a, b, _rounds) in enumerate(rows, 1)
    ]
    return {"match": match, "bars": bars, "current": current, "small": small}


@register.inclusion_tag("parts/strip.html")
def strip(won: int, drawn: int, lost: int) -> dict[str, Any]:
    """Won, drawn and lost as a strip."""
    total = won + drawn + lost or 1
    first, second = round(1000 * won / total), round(1000 * drawn / total)
    return {
        "won": won,
        "drawn": drawn,
        "lost": lost,
        "won_width": first,
        "drawn_width": second,
        "lost_from": first + second,
        "lost_width": 1000 - first - second if won + drawn + lost else 0,
    }


@register.filter
def per_game(points: int, matches: int) -> str:
    """Points of some matches for each match."""
    return f"{points / matches:.0f}" if matches else "–"


@register.filter
def suit_name(suit: str) -> str:
    """`C` as clubs, and so on."""
    return viewer.suit_name(suit)


@register.filter
def binary_size(count: int) -> str:
    """Bytes in the largest unit that gives a whole number: `64 KiB`."""
    for unit, size in (("MiB", 1024**2), ("KiB", 1024)):
        if count and count % size == 0:
            return f"{count // size} {unit}"
    return _("%(count)s bytes") % {"count": count}


@register.filter
def visible(text: str) -> str:
    """Text of a bot or a user with control characters and marks of direction made visible."""
    return texts.visible(text)


@register.filter
def last_line(text: str) -> str:
    """The last line of a traceback: what went wrong, without where."""
    lines = text.strip().splitlines()
    return lines[-1][:200] if lines else ""


@register.filter
def at(items: Sequence[Any], index: int) -> Any:
    """The item at that index."""
    return items[index]
