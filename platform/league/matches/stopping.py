"""A worker process that is told to stop leaves the match it plays, so that it can be given back at once."""

import signal
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from types import FrameType


class Stopped(BaseException):
    """The process was told to stop. Not an `Exception`: it must not pass for a fault of the match."""


_plays = False
_stopped = False


def install() -> None:
    """Heed SIGTERM from now on: no more work is taken, and in a match it raises `Stopped`.

    A task does this itself: what is set when the pool's process starts, the pool sets back. The process does not end
    by the signal, which would count as a lost worker, but by the pool, as soon as its task has returned.
    """
    if threading.current_thread() is threading.main_thread():  # a pool of threads has no signals
        signal.signal(signal.SIGTERM, _stop)


@contextmanager
def interruptible() -> Iterator[None]:
    """Here the process plays, and may be interrupted."""
    global _plays
    _plays = True
    try:
        yield
    finally:
        _plays = False


def stopped() -> bool:
    """Whether the process should take no more work."""
    return _stopped


def _stop(number: int, frame: FrameType | None) -> None:
    global _plays, _stopped
    _stopped = True
    if _plays:
        _plays = False
        raise Stopped
