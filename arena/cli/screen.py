"""What the commands print: tables, colours where a terminal shows them, and nothing that could drive it."""

from __future__ import annotations

import contextlib
import json
from collections.abc import Callable, Container, Iterator, Sequence
from typing import Any

from rich.align import Align
from rich.box import SIMPLE_HEAD
from rich.console import Console, RenderableType
from rich.control import Control
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn
from rich.table import Table
from rich.text import Text

Drawing = Callable[[int], RenderableType]
"""Draws within so many columns."""
WIDE = 200
"""Columns where the output is no terminal: lines must not break."""
NARROW = 80
"""Columns that a table takes if it needs them, however narrow the terminal is: figures must not be cut."""


class _Console(Console):
    def on_broken_pipe(self) -> None:
        """Leaves it to `main`; rich's own way ends with the status that here means a failed bot."""
        raise BrokenPipeError


def _console(*, stderr: bool = False) -> Console:
    console = _Console(stderr=stderr, highlight=False, markup=False, emoji=False, soft_wrap=True)
    if not console.is_terminal:
        console.width = WIDE
    return console


def say(words: str, style: str = "") -> None:
    """Prints a line or more of text."""
    _console().print(Text(words, style=style))


def show(drawn: RenderableType) -> None:
    """Prints what rich can draw."""
    _console().print(drawn)


def show_table(
    head: Sequence[str], rows: Sequence[Sequence[object]], foot: Sequence[object] = (), left: Container[int] = (0,)
) -> None:
    """Prints a table: the columns of `left` hold words, the others figures; the foot, if there is one, sums up.

    Where a terminal is too narrow it is the words that are cut. A cell may be a `Text`, for its colours.
    """
    console = _console()
    console.width = max(console.width, NARROW)
    table = Table(box=SIMPLE_HEAD if console.is_terminal else None, show_footer=bool(foot), pad_edge=False)
    for i, title in enumerate(head):
        is_words = i in left
        table.add_column(
            Text(title),
            footer=Text(str(foot[i])) if foot else "",
            justify="left" if is_words else "right",
            no_wrap=not is_words,
            overflow="ellipsis",
        )
    for row in rows:
        table.add_row(*[cell if isinstance(cell, Text) else Text(str(cell)) for cell in row])
    console.print(table)


def width() -> int:
    """Columns of the output."""
    return _console().width


def show_json(value: Any) -> None:
    """Prints it in one line."""
    print(json.dumps(value))


@contextlib.contextmanager
def progress(games: int) -> Iterator[Callable[[int], None]]:
    """A line on stderr that counts the games; nothing where stderr is no terminal."""
    console = _console(stderr=True)
    if not console.is_terminal:
        yield lambda number: None
        return
    with console.status(f"game 1 of {games}") as status:
        yield lambda number: status.update(f"game {min(number + 1, games)} of {games}")


@contextlib.contextmanager
def counted(total: int, what: str) -> Iterator[Callable[[str], None]]:
    """A bar on stderr; each call takes it a step further and words it. Nothing where stderr is no terminal."""
    console = _console(stderr=True)
    if not console.is_terminal:
        yield lambda words: None
        return
    words = TextColumn("{task.description}", markup=False)
    columns = BarColumn(), MofNCompleteColumn(), TextColumn(what), TimeElapsedColumn(), words
    with Progress(*columns, console=console, transient=True) as bar:
        task = bar.add_task("", total=total)
        yield lambda words: bar.update(task, advance=1, description=words)


@contextlib.contextmanager
def whole() -> Iterator[Callable[[Drawing], None]]:
    """The whole screen, to draw on with each call; what it showed before comes back in the end."""
    console = _console()

    def draw(drawing: Drawing) -> None:
        console.control(Control.home())
        page.update(Align.center(drawing(console.width), vertical="middle"))

    with console.screen() as page:
        yield draw


def printable(words: str) -> str:
    """The text without what could drive a terminal; a bot may print anything."""
    return "".join(char if char.isprintable() or char in "\n\t" else f"\\x{ord(char):02x}" for char in words)
