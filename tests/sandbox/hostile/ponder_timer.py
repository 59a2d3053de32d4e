"""Wants to be woken in the opponent's time, by a timer."""

import signal

from attempts import Honest, attempt, syscall

ALARM, TIMER_CREATE, TIMERFD_CREATE = 37, 222, 283


class Bot(Honest):
    def __init__(self):
        attempt("alarm", lambda: syscall(ALARM, 1))  # Python's own does not tell whether it was refused
        for kind in (signal.ITIMER_REAL, signal.ITIMER_VIRTUAL, signal.ITIMER_PROF):
            attempt(f"timer {kind}", lambda kind=kind: signal.setitimer(kind, 0.01, 0.01))
        attempt("posix timer", lambda: syscall(TIMER_CREATE, 1, None, bytes(8)))
        attempt("timer descriptor", lambda: syscall(TIMERFD_CREATE, 1, 0))
