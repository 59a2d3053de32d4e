"""What an upload changed against another: lines to be read, not a patch."""

import time
from collections.abc import Iterator, Sequence
from difflib import SequenceMatcher
from typing import Any, NamedTuple

MOST_LINES = 5_000
MOST_ROWS = 2_000
MOST_CHARS = 400
CONTEXT = 3
BUDGET_S = 0.5


class Line(NamedTuple):
    kind: str
    """`same`, `gone`, `new`, or `gap` for lines that are left out."""
    before: int | None
    """Its number in the earlier file."""
    after: int | None
    text: str


class Changes(NamedTuple):
    lines: list[Line]
    gone: int
    new: int
    cut: bool
    """Whether there are more lines than are shown."""


class TooLong(Exception):  # noqa: N818 - the files are, for a page
    """The files take too long to be compared."""


def between(before: str, after: str) -> Changes:
    """The lines that differ, with a few around them.

    Raises:
        TooLong: the files are too long, or compare too slowly.
    """
    old, new = before.splitlines(), after.splitlines()
    if len(old) > MOST_LINES or len(new) > MOST_LINES:
        raise TooLong
    matcher = _Matcher(old, new)
    lines: list[Line] = []
    for group in matcher.get_grouped_opcodes(CONTEXT):
        if lines:
            lines.append(Line("gap", None, None, ""))
        lines += [line for code in group for line in _lines(old, new, *code)]
    changed = [line.kind for line in lines]
    return Changes(lines[:MOST_ROWS], changed.count("gone"), changed.count("new"), len(lines) > MOST_ROWS)


class _Matcher(SequenceMatcher[str]):
    """Gives up in time: on files made for it the comparison takes minutes."""

    def __init__(self, old: Sequence[str], new: Sequence[str]) -> None:
        self._ends = time.monotonic() + BUDGET_S
        super().__init__(None, old, new)

    def find_longest_match(self, *bounds: Any) -> Any:
        if time.monotonic() > self._ends:
            raise TooLong
        return super().find_longest_match(*bounds)


def _lines(
    old: Sequence[str], new: Sequence[str], tag: str, old_from: int, old_to: int, new_from: int, new_to: int
) -> Iterator[Line]:
    if tag == "equal":
        for offset, text in enumerate(old[old_from:old_to]):
            yield Line("same", old_from + offset + 1, new_from + offset + 1, _shown(text))
        return
    for offset, text in enumerate(old[old_from:old_to]):
        yield Line("gone", old_from + offset + 1, None, _shown(text))
    for offset, text in enumerate(new[new_from:new_to]):
        yield Line("new", None, new_from + offset + 1, _shown(text))


def _shown(text: str) -> str:
    return text if len(text) <= MOST_CHARS else f"{text[:MOST_CHARS]}…"
