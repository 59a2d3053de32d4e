"""Keys of a terminal, one at a time and without Return."""

from __future__ import annotations

import contextlib
import os
import re
import signal
import sys
import termios
import tty
from collections.abc import Callable, Iterator

KEY = re.compile(r"\x1b[\[O][\d;]*[A-Za-z~]|.", re.DOTALL)
"""An arrow and its like come as several characters, a letter as one."""
NAMES = {"\x1b[C": "right", "\x1bOC": "right", "\x1b[D": "left", "\x1bOD": "left", " ": "right"}
MOST_BYTES = 1_024


def are_there() -> bool:
    """If somebody sits at a terminal, to read there and to press keys."""
    return sys.stdin.isatty() and sys.stdout.isatty()


def pressed() -> Iterator[str]:
    """Each key as it is pressed: a character, `right` or `left`; ends with the input."""
    while data := os.read(sys.stdin.fileno(), MOST_BYTES):
        for key in KEY.findall(data.decode(errors="replace")):
            yield NAMES.get(key, key)


@contextlib.contextmanager
def raw(on_resize: Callable[[], None]) -> Iterator[None]:
    """Has keys come at once and unseen, and calls that function when the window has changed its size."""
    descriptor = sys.stdin.fileno()
    before = termios.tcgetattr(descriptor)
    handler = signal.signal(signal.SIGWINCH, lambda number, frame: on_resize())
    try:
        tty.setcbreak(descriptor)
        yield
    finally:
        signal.signal(signal.SIGWINCH, handler)
        termios.tcsetattr(descriptor, termios.TCSADRAIN, before)
