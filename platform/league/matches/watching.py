"""A check whose upload gave way to a newer one is left at once, even while the bot hangs."""

import contextlib
import signal
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from types import FrameType

from django.db import DatabaseError, connection

LOOK_EVERY_S = 0.5
SIGNAL = signal.SIGUSR2


class GivenUp(BaseException):
    """What is being done is wanted no more. Not an `Exception`: it must not pass for a fault of the match."""


_watched = False


@contextmanager
def given_up_when(unwanted: Callable[[], bool]) -> Iterator[None]:
    """Raise `GivenUp` from whatever the main thread does inside as soon as a look from beside says so.

    In another thread, as of a pool of threads, which gets no signals, it looks at nothing.
    """
    global _watched
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    signal.signal(SIGNAL, _give_up)
    done = threading.Event()
    watch = threading.Thread(target=_look, args=(unwanted, done, threading.get_ident()), daemon=True)
    watch.start()
    _watched = True
    try:
        yield
    finally:
        _watched = False
        done.set()
        watch.join()


def _look(unwanted: Callable[[], bool], done: threading.Event, watched: int) -> None:
    try:
        while not done.wait(LOOK_EVERY_S):
            with contextlib.suppress(DatabaseError):  # it is looked at again soon
                if unwanted():
                    signal.pthread_kill(watched, SIGNAL)
                    return
    finally:
        connection.close()


def _give_up(number: int, frame: FrameType | None) -> None:
    global _watched
    if _watched:
        _watched = False
        raise GivenUp
