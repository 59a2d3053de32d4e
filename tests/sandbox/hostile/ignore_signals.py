"""Ignores every signal that can be ignored, and goes on for ever."""

import contextlib
import signal

for each in signal.valid_signals():
    with contextlib.suppress(OSError, ValueError):
        signal.signal(each, signal.SIG_IGN)


class Bot:
    def play(self, observation):
        while True:
            pass
