"""What the commands print: tables, colours where a terminal shows them, and nothing that could drive it."""

from __future__ import annotations

import contextlib
import json
from collections.abc import Callable, Iterator, Sequence
from typing import Any

from rich.box import SIMPLE_HEAD
from rich.console import Console
from rich.table import Table
from rich.text import Text

WIDE = 200
"""Columns where the output is no terminal: lines must not break."""


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


def show_table(head: Sequence[str], rows: Sequence[Sequence[object]], foot: Sequence[object]) -> None:
    """Prints a table of figures: the first column is left, the others right, the last row sums up."""
    console = _console()
    table = Table(box=SIMPLE_HEAD if console.is_terminal else None, show_footer=True, pad_edge=False)
    for i, (title, last) in enumerate(zip(head, foot, strict=True)):
        table.add_column(Text(title), footer=Text(str(last)), justify="right" if i else "left", no_wrap=True)
    for row in rows:
        table.add_row(*[Text(str(cell)) for cell in row])
    console.print(table)


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


def printable(words: str) -> str:
    """The text without what could drive a terminal; a bot may print anything."""
    return "".join(char if char.isprintable() or char in "\n\t" else f"\\x{ord(char):02x}" for char in words)
