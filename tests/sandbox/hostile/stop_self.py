"""Stops itself, as Ctrl-Z does, and waits for somebody to wake it."""

import os
import signal


class Bot:
    def play(self, observation):
        os.kill(os.getpid(), signal.SIGSTOP)
        return []
