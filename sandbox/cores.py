"""Keeps a match on one core.

In a match one side always waits for the other. On one core a question costs a switch of processes; across two it wakes
an idle core each way, which takes several times as long (`make bench-sandbox`).
"""

from __future__ import annotations

import contextlib
import ctypes
import os
from collections.abc import Iterator


@contextlib.contextmanager
def one_core() -> Iterator[None]:
    """This thread, and the bots of the matches that it begins meanwhile, stay on the core on which it runs now.

    For one match, no longer: between matches the kernel may move it to a core that has less to do.
    """
    before = os.sched_getaffinity(0)
    os.sched_setaffinity(0, {ctypes.CDLL(None).sched_getcpu()})
    try:
        yield
    finally:
        os.sched_setaffinity(0, before)


def follow(pid: int) -> None:
    """That process stays on the cores of this thread, where this process may say so."""
    with contextlib.suppress(OSError):
        os.sched_setaffinity(pid, os.sched_getaffinity(0))
