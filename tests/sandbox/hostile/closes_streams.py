"""Does to its streams what the runner does not expect, and plays on."""

import contextlib
import os
import sys

from attempts import Honest

WAY = "close"


class Odd:
    def __getattr__(self, name):
        raise SystemExit(f"no {name}")


class Bot(Honest):
    def play(self, observation):
        if WAY == "close":
            sys.stdout.close()
            sys.stderr.close()
        if WAY == "detach":
            with contextlib.suppress(ValueError):  # it is detached already
                sys.stdout.detach()
        if WAY == "replace":
            sys.stdout = sys.stderr = sys.__stdout__ = sys.__stderr__ = Odd()
        if WAY == "none":
            sys.stdout = sys.stderr = None
        if WAY == "never blocks":
            os.set_blocking(1, False)
            os.write(1, b"x" * 60_000)
        return super().play(observation)
