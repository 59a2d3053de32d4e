"""Asks for far more memory than there is, without touching it."""

import mmap

from attempts import Honest, attempt


class Bot(Honest):
    def __init__(self):
        attempt("a terabyte of map", lambda: mmap.mmap(-1, 1 << 40))
        attempt("a terabyte of bytes", lambda: bytearray(1 << 40))
        attempt("a petabyte of list", lambda: [None] * (1 << 47))
        attempt("a huge number", lambda: 1 << (1 << 40))
