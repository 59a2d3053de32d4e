"""What stands out in a game, as marks over the bar that scrubs through it: A's sequences up, B's down."""

from collections.abc import Sequence
from math import sqrt
from typing import NamedTuple

from django.utils.translation import gettext as _

from arena.outcome import SEATS
from league.matches.viewer import Frame

WIDTH = 1000
AXIS = 20
REACH = 5
BIG_POINTS = 16
"""From here on a sequence is a big one: four of a kind, or a run of four with a court card or two."""


class Mark(NamedTuple):
    """One mark, in a box of `WIDTH` by twice `AXIS`."""

    move: int
    kind: str
    """`a` or `b`, who took a sequence; `fault`."""
    is_big: bool
    title: str
    x: float
    y: float
    height: float

    @property
    def left(self) -> float:
        """Where the part of it begins that can be pointed at, `REACH` to both sides."""
        return round(self.x - REACH, 1)


def marks(frames: Sequence[Frame]) -> list[Mark]:
    """The marks of a game in the order of its moves."""
    most = max((frame.points for frame in frames), default=0) or 1
    # by the root: most sequences are small beside the largest, and are to be seen as well
    scale = WIDTH / max(1, len(frames) - 1)
    return [
        _mark(frame, round(frame.number * scale, 1), (AXIS - 3) * sqrt(frame.points / most))
        for frame in frames
        if frame.what in ("take", "fault")
    ]


def _mark(frame: Frame, x: float, height: float) -> Mark:
    is_big = frame.points >= BIG_POINTS
    title = _("Move %(move)s: %(what)s") % {"move": frame.number, "what": _what(frame, is_big)}
    if frame.what == "fault":
        return Mark(frame.number, "fault", False, title, x, 2, 2 * AXIS - 4)
    height = round(height + 3, 1)
    up = frame.holder == 0
    return Mark(frame.number, "a" if up else "b", is_big, title, x, AXIS - height if up else AXIS, height)


def _what(frame: Frame, is_big: bool) -> str:
    seat = "" if frame.holder is None else SEATS[frame.holder]
    if frame.what == "fault":
        loser = "" if frame.seat is None else SEATS[frame.seat]
        return _("%(seat)s forfeits: %(reason)s") % {"seat": loser, "reason": frame.fault}
    said = _("%(seat)s takes a big sequence: %(cards)s for %(points)s") if is_big else None
    said = said or _("%(seat)s takes %(cards)s for %(points)s")
    return said % {"seat": seat, "cards": frame.cards, "points": frame.points}
