"""Wants to be woken in the opponent's time, by a timer."""

import signal

from attempts import Honest, attempt, syscall

TIMER_CREATE, TIMERFD_CREATE = 222, 283


class Bot(Honest):
    def __init__(self):
        attempt("alarm", lambda: None if signal.alarm(1) == 0 and armed() else refused())
        for kind in (signal.ITIMER_REAL, signal.ITIMER_VIRTUAL, signal.ITIMER_PROF):
            attempt(f"timer {kind}", lambda kind=kind: signal.setitimer(kind, 0.01, 0.01))
        attempt("posix timer", lambda: syscall(TIMER_CREATE, 1, None, bytes(8)))
        attempt("timer descriptor", lambda: syscall(TIMERFD_CREATE, 1, 0))


def armed():
    return signal.getitimer(signal.ITIMER_REAL)[0] > 0


def refused():
    raise OSError("no alarm")
