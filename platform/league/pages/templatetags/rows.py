"""What a page has by the dozen or by the hundred: a template would take for it most of the time of the page."""

from collections.abc import Collection, Mapping, Sequence
from functools import lru_cache
from typing import Any

from django import template
from django.template.loader import render_to_string
from django.urls import reverse
from django.utils.html import escape, format_html, format_html_join
from django.utils.safestring import SafeString, mark_safe
from django.utils.translation import get_language, pgettext
from django.utils.translation import gettext as _

from league.matches.marks import Mark
from league.matches.models import Match
from league.matches.viewer import Frame
from league.pages.templatetags.league import milliseconds, seat, signed
from league.standings.crosstable import Pair

register = template.Library()

BAR_HEIGHT = 100
BAR = (
    '<svg class="gamebar" viewBox="0 0 10 202" preserveAspectRatio="none" aria-hidden="true">'
    '<rect class="a{}" x="2" y="{}" width="6" height="{}"/><rect class="axis" y="100" width="10" height="2"/>'
    '<rect class="b{}" x="2" y="102" width="6" height="{}"/></svg>'
)
AT_IT_GAME = ' aria-current="page"'
GAME_ROW = (
    '<tr><th scope="row">{}</th><td class="number{}">{}</td><td class="number{}">{}</td>'
    '<td class="number">{}{}</td><td class="number fold">{}</td><td class="number fold">{}</td>'
    '<td class="number fold muted">{}</td><td class="number fold muted">{}</td></tr>'
)
AT_IT = ' aria-current="step"'
NOBODY_MET = '<td class="self"></td>'
DIFFERS = "<sup>*</sup>"
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
def games(
    match: Any, current: int | None = None, small: bool = False, query: str = "", linked: bool = True
) -> SafeString:
    """The games of a played match as bars, each a link to its replay, with that query, if it is to be one."""
    rows: Sequence[Sequence[int]] = match.games
    top = max((points for _dealer, *both, _rounds in rows for points in both), default=0) or 1
    links = _links(match) if linked else [""] * len(rows)
    bars = [
        _game(number, (a, b), top, f"{link}{escape(query)}" if link else "", small, number == current)
        for number, (link, (_dealer, a, b, _rounds)) in enumerate(zip(links, rows, strict=True), 1)
    ]
    return mark_safe(f'<ol class="games{" games-small" * bool(small)}">\n{"".join(bars)}</ol>')  # noqa: S308 - made here


def _links(match: Any) -> list[str]:
    """The addresses of its games; asking for each of them would take as long as all the rest."""
    before = reverse("matches:game", args=(match.pk, 1)).removesuffix("1/")
    return [f"{before}{number}/" for number in range(1, len(match.games) + 1)]


def _game(number: int, points: tuple[int, int], top: int, link: str, small: bool, is_current: bool) -> str:
    a, b = points
    a_won, b_won = a > b, b > a
    height_a, height_b = (round(BAR_HEIGHT * each / top) for each in points)
    bar = BAR.format(" lost" * b_won, BAR_HEIGHT - height_a, height_a, " lost" * a_won, height_b)
    if small:
        told = _("Game %(number)s, %(a)s to %(b)s") % {"number": number, "a": a, "b": b}
        shown = f'{bar}<span class="visually-hidden">{told}</span>'
    else:
        shown = (
            f'<span class="points points-a{" won" * a_won}">{a}</span>{bar}'
            f'<span class="points points-b{" won" * b_won}">{b}</span>'
            f'<span class="visually-hidden">{_("Game")}</span> {number}'
        )
    if not link:
        return f'<li><span class="game">{shown}</span></li>\n'
    return f'<li><a href="{link}"{AT_IT_GAME * is_current}>{shown}</a></li>\n'


@register.simple_tag
def game_rows(games: Sequence[Mapping[str, Any]], match: Any, recorded: bool) -> SafeString:
    """The rows of a table of the match's games (`matches.views`), with links to those that are `recorded`."""
    links = _links(match) if recorded else [""] * len(games)
    return format_html_join("\n", GAME_ROW, (_cells(game, link) for game, link in zip(games, links, strict=True)))


def _cells(game: Mapping[str, Any], link: str) -> tuple[object, ...]:
    (a, b), lead = game["points"], game["lead"]
    name = _("Game %(number)s") % {"number": game["number"]}
    return (
        format_html('<a href="{}">{}</a>', link, name) if link else name,
        " is-winner" * (a > b), a,
        " is-winner" * (b > a), b,
        SEATS[lead < 0] if lead else "", abs(lead),
        seat(game["dealer"]), game["rounds"], *map(milliseconds, game["cpu_s"]),
    )  # fmt: skip


@register.simple_tag
def moves(frames: Sequence[Frame], see: str, current: int, printing: Collection[int]) -> SafeString:
    """The moves of a game in the list beside its replay, each a link to it.

    `see` ends the links, `current` is the move that is shown, `printing` those at which a bot printed something.
    """
    see = escape(see)
    return mark_safe("\n".join([_move(frame, see, current, printing) for frame in frames]))  # noqa: S308 - made here


def _move(frame: Frame, see: str, current: int, printing: Collection[int]) -> str:
    at_it = AT_IT if frame.number == current else ""
    opens = _opens(frame) if frame.opens_round else ""
    seat = "" if frame.seat is None else SEATS[frame.seat]
    prints = _prints() if frame.number in printing else ""
    times = _times(frame) if frame.time or frame.wall else ""
    return (
        f'<li class="move-{frame.what}">{opens}<a href="?move={frame.number}{see}"{at_it}>'
        f"{seat}{escape(frame.words)}{prints}{times}</a></li>"
    )


@register.simple_tag
def taken_marks(marks: Sequence[Mark], see: str) -> SafeString:
    """The marks over the bar of a replay, each a link to its move, which `see` ends."""
    see = escape(see)
    return mark_safe("".join([_mark(mark, see) for mark in marks]))  # noqa: S308 - made here


def _mark(mark: Mark, see: str) -> str:
    title = escape(mark.title)
    return (
        f'<a href="?move={mark.move}{see}" tabindex="-1" class="mark-{mark.kind}{" is-big" * mark.is_big}"'
        f' aria-label="{title}"><title>{title}</title><rect class="hit" x="{mark.left}" width="10" height="40"/>'
        f'<path d="M{mark.x} {mark.y}v{mark.height}"/></a>'
    )


def _opens(frame: Frame) -> str:
    said = _("Round %(round)s") % {"round": frame.round}
    return f'<span class="round">{escape(said)}</span>'


def _prints() -> SafeString:
    return format_html(' <b class="prints" title="{}">¶</b>', _("It printed something here."))


def _times(frame: Frame) -> str:
    wall = f" · <span data-wall>{escape(frame.wall)}</span>" if frame.wall else ""
    return f"<small>{escape(frame.time)}{wall}</small>"


@register.simple_tag
def met(pairs: Sequence[Pair | None]) -> SafeString:
    """A bot's pairs in the crosstable: the difference of each match, a link to it; for None, the bot and itself."""
    letter = pgettext("forfeit", "F")
    forfeit = f"<i>{letter}</i>"
    return mark_safe("".join(_met(pair, forfeit) for pair in pairs))  # noqa: S308 - numbers, and links made here


def _met(pair: Pair | None, forfeit: str) -> str:
    if pair is None:
        return NOBODY_MET
    cells = [
        f'<a class="cell {cell.result}" href="{cell.link}" title="{cell.points} : {cell.against}">'
        f"{signed(cell.difference)}{forfeit * cell.forfeited}</a>"
        for cell in pair.cells
    ]
    return f"<td>{DIFFERS * pair.differs}{''.join(cells)}</td>"
