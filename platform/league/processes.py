"""Processes that end with those that started them."""

import ctypes
import os
import signal
import sys
from collections.abc import Callable

PR_SET_PDEATHSIG = 1


def die_with_parent(with_signal: signal.Signals, parent: int | None = None) -> Callable[[], None]:
    """A function for a new process to call: it gets that signal when its parent (by default, this process) ends.

    On other systems than Linux it does nothing.
    """
    if sys.platform != "linux":
        return lambda: None
    libc = ctypes.CDLL(None, use_errno=True)  # loaded here: the function may run between fork and exec
    starter = parent or os.getpid()

    def tie() -> None:
        libc.prctl(PR_SET_PDEATHSIG, int(with_signal))
        if os.getppid() != starter:  # it ended before we asked
            os.kill(os.getpid(), with_signal)

    return tie
