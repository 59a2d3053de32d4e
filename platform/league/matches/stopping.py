"""A worker process that is told to stop leaves the match it plays, so that it can be given back at once."""

import os
import signal
from collections.abc import Iterator
from contextlib import contextmanager
from types import FrameType


class Stopped(BaseException):
    """The process was told to stop. Not an `Exception`: it must not pass for a fault of the match."""


_plays = False
_stopped = False


def install() -> None:
    """Heed SIGTERM from now on: in a match it raises `Stopped`, else it ends the process as ever."""
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
    if _plays:
        _plays, _stopped = False, True
        raise Stopped
    if not _stopped:  # else it is on its way out already
        signal.signal(number, signal.SIG_DFL)
        os.kill(os.getpid(), number)
