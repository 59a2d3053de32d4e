"""Lets the interpreter say more than was asked: when it collects, when it crashes, when it is signalled, when it ends."""

import atexit
import ctypes
import faulthandler
import gc
import os
import signal
import weakref

from attempts import Honest

WAY = "collector"
WORDS = b'{"cards":[],"id":99}\n'


class Bot(Honest):
    def __init__(self):
        atexit.register(os.write, 4, WORDS)
        weakref.finalize(self, os.write, 4, WORDS)
        gc.set_threshold(1)

    def play(self, observation):
        if WAY == "collector":
            gc.callbacks.append(lambda phase, info: os.write(4, WORDS))
            gc.collect()
        if WAY == "crash":
            faulthandler.enable(file=4, all_threads=True)
            ctypes.string_at(0)
        if WAY == "signal":
            faulthandler.register(signal.SIGUSR1, file=4)
            os.kill(os.getpid(), signal.SIGUSR1)
        return super().play(observation)

    def __del__(self):
        os.write(4, WORDS)
