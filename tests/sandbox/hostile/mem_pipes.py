"""Wants to hold the kernel's memory in pipes and socket pairs, full ones."""

import os
import socket

from attempts import Honest, attempt


def fill():
    held = []
    while True:
        reader, writer = os.pipe()
        os.set_blocking(writer, False)
        held.append((reader, writer))
        try:
            while True:
                os.write(writer, bytes(65_536))
        except BlockingIOError:
            pass


def pairs():
    held = []
    while True:
        held.append(socket.socketpair())


class Bot(Honest):
    def __init__(self):
        attempt("pipes", fill)
        attempt("pairs", pairs)
