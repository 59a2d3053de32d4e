"""What a page has by the dozen or by the hundred: a template would take for it most of the time of the page."""

from collections.abc import Collection
from functools import lru_cache
from typing import Any

from django import template
from django.template.loader import render_to_string
from django.utils.html import format_html, format_html_join
from django.utils.safestring import SafeString, mark_safe
from django.utils.translation import get_language, pgettext
from django.utils.translation import gettext as _

from league.matches.models import Match
from league.matches.viewer import Frame
from league.pages.templatetags.league import seat, signed
from league.standings.crosstable import Cell, Pair

register = template.Library()

MOVE = '<li class="move-{}">{}<a href="?move={}{}"{}>{}{}{}{}</a></li>'
AT_IT = mark_safe(' aria-current="step"')
CELL = '<a class="cell {}" href="{}" title="{} : {}">{}{}</a>'
NOBODY_MET = mark_safe('<td class="self"></td>')
DIFFERS = mark_safe("<sup>*</sup>")
SEATS = tuple(format_html("{} ", seat(letter)) for letter in "AB")


@register.simple_tag
def match_row(match: Any, brief: bool = False) -> SafeString:
    """The cells of a finished match (`matches.listing.rows`) in a list, but for when it ended."""
    return _match_row(get_language(), match, bool(brief))


@lru_cache(maxsize=4_096)
def _match_row(language: str | None, match: Any, brief: bool) -> SafeString:
    """It follows from what it shows, and the latest matches are asked for again and again."""
    ended = Match.Termination(match.termination).label if match.termination else ""
    return render_to_string("matches/row.html", {"match": match, "brief": brief, "termination": ended})


@register.simple_tag
def move(frame: Frame, see: str, current: int, printing: Collection[int]) -> SafeString:
    """A move in the list beside a replay, a link to it.

    `see` ends the link, `current` is the move that is shown, `printing` those at which a bot printed something.
    """
    return format_html(
        MOVE,
        frame.what,
        _opens(frame) if frame.opens_round else "",
        frame.number,
        see,
        AT_IT if frame.number == current else "",
        "" if frame.seat is None else SEATS[frame.seat],
        frame.words,
        _prints() if frame.number in printing else "",
        _times(frame) if frame.time or frame.wall else "",
    )


def _opens(frame: Frame) -> SafeString:
    return format_html('<span class="round">{}</span>', _("Round %(round)s") % {"round": frame.round})


def _prints() -> SafeString:
    return format_html(' <b class="prints" title="{}">¶</b>', _("It printed something here."))


def _times(frame: Frame) -> SafeString:
    wall = format_html(" · <span data-wall>{}</span>", frame.wall) if frame.wall else ""
    return format_html("<small>{}{}</small>", frame.time, wall)


@register.simple_tag
def met(pair: Pair | None) -> SafeString:
    """A pair in the crosstable: the difference of each of its matches, a link to it; for None, a bot and itself."""
    if pair is None:
        return NOBODY_MET
    cells = (
        (cell.result, cell.link, cell.points, cell.against, signed(cell.difference), _forfeit(cell))
        for cell in pair.cells
    )
    return format_html("<td>{}{}</td>", DIFFERS if pair.differs else "", format_html_join("", CELL, cells))


def _forfeit(cell: Cell) -> SafeString | str:
    return format_html("<i>{}</i>", pgettext("forfeit", "F")) if cell.forfeited else ""
