"""Plays on, and hangs when it is to end: in finalizers, in exit handlers, at the last message."""

import atexit
import weakref

from attempts import Honest


def hang(*_):
    while True:
        pass


atexit.register(hang)


class Bot(Honest):
    def __init__(self):
        weakref.finalize(self, hang)

    def __del__(self):
        hang()
