"""A game's frames as the page's script takes them: a column for each part of the table.

Most parts stay as they are from one frame to the next; an entry that equals the one before is a 0.
"""

from collections.abc import Callable, Sequence
from itertools import pairwise
from typing import Any

from arena.cards import SUITS
from league.matches.viewer import Frame

SEAT = {None: "", 0: "A", 1: "B"}
COLUMNS: dict[str, Callable[[Frame], Any]] = {
    "what": lambda frame: frame.what,
    "seat": lambda frame: SEAT[frame.seat],
    "handA": lambda frame: " ".join(frame.hands[0]),
    "handB": lambda frame: " ".join(frame.hands[1]),
    "piles": lambda frame: "/".join(str(frame.piles[suit]) for suit in SUITS),
    "lobby": lambda frame: " ".join(laid.card for laid in frame.lobby),
    "by": lambda frame: "".join(SEAT[laid.seat] or "-" for laid in frame.lobby),
    "worth": lambda frame: frame.worth,
    "holder": lambda frame: SEAT[frame.holder],
    "saysA": lambda frame: frame.says[0],
    "saysB": lambda frame: frame.says[1],
    "pointsA": lambda frame: frame.scores[0],
    "pointsB": lambda frame: frame.scores[1],
    "round": lambda frame: frame.round,
    "toMove": lambda frame: SEAT[frame.to_move],
    "thoughtA": lambda frame: frame.thought[0],
    "thoughtB": lambda frame: frame.thought[1],
    "bankA": lambda frame: frame.banks[0],
    "bankB": lambda frame: frame.banks[1],
    "fault": lambda frame: frame.fault,
}
SAME = 0


def columns(frames: Sequence[Frame]) -> dict[str, list[Any]]:
    """The columns by name, each with as many entries as there are frames."""
    return {name: _without_repeats([read(frame) for frame in frames]) for name, read in COLUMNS.items()}


def _without_repeats(values: list[Any]) -> list[Any]:
    rest = [SAME if value == before else value for before, value in pairwise(values)]
    return [*values[:1], *rest]
