"""Marks and figures that pages draw: seats, times, cards, bars.

Sizes are attributes of SVG shapes, since the content security policy blocks inline styles.
"""

from collections.abc import Sequence
from datetime import UTC, datetime
from functools import lru_cache
from typing import Any

from django import template
from django.contrib.humanize.templatetags.humanize import NaturalTimeFormatter
from django.utils import timezone
from django.utils.formats import number_format
from django.utils.html import format_html
from django.utils.safestring import SafeString
from django.utils.timesince import timesince
from django.utils.translation import get_language, ngettext
from django.utils.translation import gettext as _

from arena.rating import NORMAL, Difference
from league import texts
from league.matches import words
from league.matches.words import GLYPHS, rank_name

register = template.Library()

LEAD_HEIGHT = 100
FACE = (
    '<span class="card card-{}{}" role="img" aria-label="{}"><b>{}</b>'
    '<svg aria-hidden="true"><use href="#suit-{}"/></svg></span>'
)
BACK = (
    '<span class="card card-back" role="img" aria-label="{}">'
    '<svg aria-hidden="true"><use href="#suit-{}"/></svg></span>'
)
STRIP = (
    '<svg class="strip" viewBox="0 0 1000 10" preserveAspectRatio="none" role="img" aria-label="{}">'
    '<rect class="won" width="{}" height="10"/><rect class="drawn" x="{}" width="{}" height="10"/>'
    '<rect class="lost" x="{}" width="{}" height="10"/></svg>'
)


@register.simple_tag
@lru_cache(maxsize=2)
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
    age_words = timesince(moment, depth=1, time_strings=NaturalTimeFormatter.past_substrings)
    said = _("just now") if recent else _("%(age)s ago") % {"age": age_words}
    return format_html(
        '<time datetime="{}" title="{}">{}</time>', moment.isoformat(timespec="seconds"), exact(moment), said
    )


@register.simple_tag
def moment(moment: datetime) -> SafeString:
    """An exact time, which the page's script puts into the reader's own zone; always with the zone's name."""
    moment = moment.astimezone(timezone.get_default_timezone())
    return format_html('<time datetime="{}" data-exact>{}</time>', moment.isoformat(timespec="seconds"), exact(moment))


@register.simple_tag
def deadline(moment: datetime) -> SafeString:
    """An exact time in UTC, and behind it, once the page's script has run, the same in the reader's own zone."""
    moment = moment.astimezone(UTC)
    iso = moment.isoformat(timespec="seconds")
    own = '<span class="own-zone" hidden>{} <time datetime="{}" data-exact></time></span>'
    return format_html('<time datetime="{}">{}</time>' + own, iso, exact(moment), _("for you"), iso)


def exact(moment: datetime) -> str:
    return f"{moment:%Y-%m-%d %H:%M:%S %Z}"


@register.simple_tag
def card(text: str, seat: int | None = None) -> SafeString:
    """A playing card such as `9S`, or the back of one such as `?S`; with a mark of the seat that laid it."""
    return _card(get_language(), text, seat)


@lru_cache(maxsize=1_024)
def _card(language: str | None, text: str, seat: int | None) -> SafeString:
    rank, suit = text[0], text[1]
    if rank == "?":
        return format_html(BACK, _("hidden card, %(suit)s") % {"suit": words.suit_name(suit)}, suit)
    rank = rank_name(rank)
    laid_by = "" if seat is None else f" laid-{'ab'[seat]}"
    return format_html(FACE, suit, laid_by, rank + GLYPHS[suit], rank, suit)


@register.inclusion_tag("parts/balance.html")
def balance(points_a: int, points_b: int) -> dict[str, Any]:
    """Shares of the points as one bar with a mark in the middle."""
    total = points_a + points_b
    share = round(1000 * points_a / total) if total else 500
    return {"share_a": share, "share_b": 1000 - share, "points_a": points_a, "points_b": points_b}


@register.inclusion_tag("parts/lead.html")
def lead_chart(games: Sequence[Any]) -> dict[str, Any]:
    """How far who was ahead after each game: A above the line, B below."""
    leads = [game["lead"] for game in games]
    above, below = max([0, *leads]), -min([0, *leads])
    unit = LEAD_HEIGHT / ((above + below) or 1)
    middle = round(above * unit)
    steps = []
    for index, lead in enumerate(leads):
        height = round(abs(lead) * unit)
        edge = middle - height if lead > 0 else middle + height
        steps.append({"lead": lead, "x": 10 * index, "y": edge, "top": min(edge, middle), "height": height})
    line = " ".join(f"{step['x']},{step['y']} {step['x'] + 10},{step['y']}" for step in steps)
    return {"steps": steps, "line": line, "width": 10 * len(steps), "middle": middle, "height": LEAD_HEIGHT}


@register.inclusion_tag("parts/histogram.html")
def histogram(counts: Any) -> dict[str, Any]:
    """Counts of points (`league.pages.histogram`): own ones as bars, those against as a line over them."""
    top = counts.most
    bars = [
        {
            "low": bar.low,
            "high": bar.high,
            "own": bar.own,
            "x": 10 * index + 1,
            "own_height": round(100 * bar.own / top),
            "own_top": 100 - round(100 * bar.own / top),
            "other_top": 100 - round(100 * bar.other / top),
        }
        for index, bar in enumerate(counts.bars)
    ]
    line = " ".join(f"{bar['x'] - 1},{bar['other_top']} {bar['x'] + 9},{bar['other_top']}" for bar in bars)
    return {
        "bars": bars,
        "line": line,
        "width": 10 * len(bars),
        "own_mean": number_format(counts.own_mean, 1),
        "other_mean": number_format(counts.other_mean, 1),
    }


@register.inclusion_tag("parts/share.html")
def share_bar(part: float, whole: float, seat: str) -> dict[str, Any]:
    """A part of a whole as a bar in a seat's colour."""
    return {"width": round(1000 * min(1, part / whole)) if whole else 0, "seat": seat.lower()}


@register.simple_tag
def strip(won: int, drawn: int, lost: int) -> SafeString:
    """Won, drawn and lost as a strip."""
    total = won + drawn + lost
    first, second = (round(1000 * part / (total or 1)) for part in (won, drawn))
    third = 1000 - first - second if total else 0
    said = _("%(won)s won, %(drawn)s drawn, %(lost)s lost") % {"won": won, "drawn": drawn, "lost": lost}
    return format_html(STRIP, said, first, first, second, first + second, third)


@register.simple_tag
def a_game(points: int, matches: int, games: int) -> str:
    """Points of so many matches, of so many games each, for each game."""
    return number_format(points / (matches * games), 1) if matches else "–"


@register.simple_tag
def rating(elo: float | None, error: float | None) -> SafeString | str:
    """A rating with how far its 95 % interval reaches to each side: `153 ± 41`; a dash where there is none."""
    if elo is None or error is None:
        return "–"
    return format_html('{} <span class="margin">± {}</span>', points(elo), points(NORMAL * error))


@register.simple_tag
def interval(difference: Difference) -> str:
    """The 95 % interval of a difference of ratings."""
    low, high = difference.interval
    return _("from %(low)s to %(high)s") % {"low": points(low), "high": points(high)}


@register.filter
def p_value(chance: float) -> str:
    """A p-value with as many digits as tell something: `0.085`, `< 0.001`."""
    return f"< {number_format(0.001, 3)}" if chance < 0.001 else number_format(round(chance, 3), 3)


@register.filter
def points(elo: float) -> str:
    """Points of a rating as a whole number: `153`, `−82`."""
    return str(round(elo)).replace("-", "−")


@register.filter
def signed(number: int) -> str:
    """A difference with its sign: `+9`, `−9`, `0`."""
    return f"{number:+d}".replace("-", "−") if number else "0"


@register.filter
def distance(number: int) -> int:
    """A number without its sign."""
    return abs(number)


@register.filter
def seconds(duration_s: float | None) -> str:
    """Seconds with as many digits as tell something: `0.004`, `1.25`, `28.4`."""
    if duration_s is None:
        return "–"
    digits = 3 if duration_s < 0.1 else 2 if duration_s < 10 else 1
    return number_format(duration_s, digits)


@register.filter
def milliseconds(duration_s: float | None) -> str:
    """Seconds as milliseconds: `0.4`, `28`, `1,250`."""
    if duration_s is None:
        return "–"
    digits = 1 if duration_s < 0.01 else 0
    return number_format(round(1_000 * duration_s, digits), digits, force_grouping=True)


@register.filter
def duration(duration_s: float) -> str:
    """Seconds with the unit that suits them, as in a replay: `0.3 ms`, `1.25 s`."""
    return words.duration(duration_s)


@register.filter
def as_seconds(figure: str) -> str:
    """A figure with the unit of seconds."""
    return _("%(count)s s") % {"count": figure}


@register.filter
def as_mebibytes(count: int) -> str:
    """A number with the unit of mebibytes."""
    return _("%(count)s MiB") % {"count": count}


@register.filter
def mebibytes(count_kib: int) -> str:
    """Kibibytes as mebibytes, without the unit."""
    return number_format(round(count_kib / 1024), 0)


@register.filter
def about(duration_s: float | None) -> str:
    """A wait as people say it."""
    if duration_s is None:
        return "–"
    if duration_s < 60:
        return _("under a minute")
    minutes = round(duration_s / 60)
    if minutes < 90:
        return ngettext("%(count)s min", "%(count)s min", minutes) % {"count": minutes}
    hours = round(minutes / 60)
    return ngettext("%(count)s hour", "%(count)s hours", hours) % {"count": hours}


@register.filter
def suit_name(suit: str) -> str:
    """`C` as clubs, and so on."""
    return words.suit_name(suit)


@register.filter
def binary_size(count: int) -> str:
    """Bytes in the largest unit that gives a whole number: `64 KiB`."""
    if count and count % 1024**2 == 0:
        return as_mebibytes(count // 1024**2)
    if count and count % 1024 == 0:
        return _("%(count)s KiB") % {"count": count // 1024}
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
