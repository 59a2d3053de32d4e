"""Errors of a bot as its author may see them: his own frames, no path of the machine, bounded."""

from __future__ import annotations

import sysconfig
import traceback
from pathlib import Path

from arena.wire import MESSAGE_CHARS, TRACEBACK_CHARS

LIBRARY = sysconfig.get_path("stdlib")


def describe(error: BaseException) -> str:
    """The error's type and text in one line."""
    try:
        words = " ".join(str(error).split())
    except BaseException:
        words = "(its text can't be had)"
    name = type(error).__name__
    return shorten(f"{name}: {words}" if words else name, MESSAGE_CHARS)


def report(error: BaseException, folder: Path | None) -> str:
    """The traceback from the first frame in the bot's folder on, with paths relative to it."""
    try:
        summary = traceback.TracebackException.from_exception(error, limit=-60)
        _own_frames(summary, str(folder) if folder else None)
        written = "".join(summary.format())
    except BaseException as second:
        written = f"{describe(error)}\n(the traceback can't be shown: {describe(second)})\n"
    return shorten(written, TRACEBACK_CHARS)


def _own_frames(summary: traceback.TracebackException, folder: str | None) -> None:
    frames = list(summary.stack)
    if folder is not None:
        own = [i for i, frame in enumerate(frames) if frame.filename.startswith(folder)]
        frames = frames[own[0] :] if own else []
        for frame in frames:
            frame.filename = _short_path(frame.filename, folder)
    summary.stack = traceback.StackSummary.from_list(frames)
    if isinstance(getattr(summary, "filename", None), str) and folder is not None:
        summary.filename = _short_path(str(summary.filename), folder)
    for linked in (summary.__cause__, summary.__context__):
        if linked is not None:
            _own_frames(linked, folder)


def _short_path(path: str, folder: str) -> str:
    for root, name in ((folder, ""), (LIBRARY, "<python>")):
        if path.startswith(root):
            return name + path[len(root) :] if name else path[len(root) :].lstrip("/")
    return "<elsewhere>/" + Path(path).name


def shorten(words: str, most: int) -> str:
    """The text, or where it is longer its first and last parts around a mark of what was left out."""
    if len(words) <= most:
        return words
    mark = f"\n... {len(words) - most} characters left out ...\n"
    head = (most - len(mark)) // 2
    return words[:head] + mark + words[len(words) - (most - len(mark) - head) :]
