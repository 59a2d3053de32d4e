"""Who beat whom, as tables that fit a width."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from rich.text import Text

from arena.standings import Result, Row

CELL = 7
"""Columns of a cell with its gap: `-1234F`."""
NAME = 20
"""Columns of the longest name that is shown whole."""
STYLES = {"won": "green", "drawn": "yellow", "lost": "red"}


class Part(NamedTuple):
    """A table of each bot against some of them."""

    head: tuple[str, ...]
    rows: list[tuple[object, ...]]


def crosstable(results: Sequence[Result], rows: Sequence[Row], names: Sequence[str], width: int) -> Iterator[Part]:
    """The bots in the order of those rows, against all of them: as many at once as the width holds."""
    met = {(result.a, result.b): result for result in results}
    shown = [name if len(name) <= NAME else f"{name[: NAME - 1]}…" for name in names]
    most = max(1, (width - max(map(len, shown)) - CELL) // CELL)
    for first in range(0, len(rows), most):
        across = rows[first : first + most]
        head = ("", "bot", *[str(number) for number in range(first + 1, first + 1 + len(across))])
        yield Part(
            head,
            [
                (number, shown[row.entrant], *[_cell(met, row.entrant, other.entrant) for other in across])
                for number, row in enumerate(rows, 1)
            ],
        )


def _cell(met: dict[tuple[int, int], Result], one: int, other: int) -> Text:
    """The match of these two from the side of the first; a dot for itself."""
    if one == other:
        return Text("·", "dim")
    if (one, other) in met:
        result, seat = met[one, other], "A"
        difference = result.points_a - result.points_b
    else:
        result, seat = met[other, one], "B"
        difference = result.points_b - result.points_a
    how = "drawn" if result.outcome == "draw" else "won" if result.outcome == seat else "lost"
    return Text(f"{difference:+}{'F' if result.forfeits else ' '}", STYLES[how])
