"""How long pages took, counted by all processes of the site together: in one file that each of them maps.

Of several processes one answers at random, and by itself it could tell its own part alone. The file outlives them, so
that what is counted goes up and never down; where views come or go, a new one begins.
"""

import fcntl
import os
import threading
from bisect import bisect_left
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from functools import lru_cache
from hashlib import sha256
from itertools import accumulate
from mmap import mmap
from pathlib import Path
from typing import NamedTuple

BOUNDS = (0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0)
"""Seconds: the upper ends of the histogram's buckets, but for the last one, which has none."""
COLUMNS = len(BOUNDS) + 3
"""Of a view: the buckets, the seconds of all its answers, the answers that were the site's own failure."""
WORD = 8


class Times(NamedTuple):
    view: str
    within: list[int]
    """Answers that took at most each of `BOUNDS`, and of any length."""
    seconds: float
    failed: int


class PageTimes:
    """The counts of these views in the file of that name; its folder must be there."""

    def __init__(self, path: Path, views: Sequence[str]) -> None:
        self._views = views
        self._rows = {view: number * COLUMNS for number, view in enumerate(views)}
        layout = sha256(repr((views, BOUNDS)).encode()).hexdigest()[:12]
        size = max(1, len(views)) * COLUMNS * WORD
        flags = os.O_RDWR | os.O_CREAT | os.O_NOFOLLOW | os.O_CLOEXEC
        self._file = os.open(path.with_name(f"{path.name}-{layout}"), flags, 0o600)
        os.ftruncate(self._file, size)
        self._words = memoryview(mmap(self._file, size)).cast("d")
        self._lock = threading.Lock()

    def add(self, view: str, seconds: float, *, failed: bool) -> None:
        """Count an answer of one of the views."""
        row = self._rows[view]
        with self._held():
            self._words[row + bisect_left(BOUNDS, seconds)] += 1
            self._words[row + COLUMNS - 2] += seconds
            self._words[row + COLUMNS - 1] += failed

    def read(self) -> list[Times]:
        """Those of the views that were answered."""
        with self._held():
            words = self._words.tolist()
        rows = [(view, words[start : start + COLUMNS]) for view, start in self._rows.items()]
        return [
            Times(view, [int(count) for count in accumulate(row[:-2])], row[-2], int(row[-1]))
            for view, row in rows
            if any(row[:-2])
        ]

    @contextmanager
    def _held(self) -> Iterator[None]:
        """Keeps out the other threads, and the other processes: a lock of a file is held by a whole process."""
        with self._lock:
            fcntl.lockf(self._file, fcntl.LOCK_EX)
            try:
                yield
            finally:
                fcntl.lockf(self._file, fcntl.LOCK_UN)


@lru_cache(maxsize=8)
def opened(path: Path, views: tuple[str, ...]) -> PageTimes:
    """The one of this process: a second one, when it is closed, would let go of the lock of the first.

    Raises:
        OSError: the file can't be made or written.
    """
    return PageTimes(path, views)
