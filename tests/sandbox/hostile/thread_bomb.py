"""Wants a thousand threads."""

import threading

from attempts import Honest, attempt


class Bot(Honest):
    def __init__(self):
        for _ in range(1_000):
            attempt("thread", threading.Thread(target=threading.Event().wait, daemon=True).start)
