"""Opens files until there are no more numbers, and keeps them."""

import os

from attempts import Honest, attempt


def open_all():
    held = []
    while True:
        held.append(os.open("/dev/null", os.O_RDONLY))


class Bot(Honest):
    def __init__(self):
        attempt("files", open_all)
        attempt("duplicates", lambda: [os.dup(0) for _ in range(1_000)])
        attempt("a large number", lambda: os.dup2(0, 5_000))
