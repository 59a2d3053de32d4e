"""Wants to think in the opponent's time, in a thread."""

import _thread
import threading
from concurrent.futures import ThreadPoolExecutor

from attempts import Honest, attempt


def ponder():
    while True:
        pass


class Bot(Honest):
    def __init__(self):
        attempt("thread", threading.Thread(target=ponder, daemon=True).start)
        attempt("low-level thread", lambda: _thread.start_new_thread(ponder, ()))
        attempt("pool", lambda: ThreadPoolExecutor(1).submit(ponder))
