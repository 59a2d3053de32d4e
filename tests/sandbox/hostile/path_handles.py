"""Holds files that it may not read by their place alone, and tries to read them by other ways."""

import ctypes
import os

from attempts import Honest, attempt, syscall

EXECVEAT, FCHDIR, EMPTY_PATH = 322, 81, 0x1000
PLACES = ("/etc/passwd", "/etc", "/", "/proc/self/mem", "/proc/1/environ", "/dev")


def hold(place):
    try:
        return os.open(place, os.O_PATH)
    except OSError:
        return -1


class Bot(Honest):
    def __init__(self):
        for place in PLACES:
            held = hold(place)
            attempt(f"read {place}", lambda held=held: os.read(held, 1))
            attempt(f"list {place}", lambda held=held: os.listdir(held))
            attempt(f"reopen {place}", lambda held=held: os.open(f"/proc/self/fd/{held}", os.O_RDONLY))
            attempt(f"beneath {place}", lambda held=held: os.open("passwd", os.O_RDONLY, dir_fd=held))
            attempt(f"above {place}", lambda held=held: os.open("../etc/passwd", os.O_RDONLY, dir_fd=held))
            attempt(f"go to {place}", lambda held=held: syscall(FCHDIR, held))
            attempt(f"run {place}", lambda held=held: syscall(EXECVEAT, held, b"", None, None, EMPTY_PATH))
