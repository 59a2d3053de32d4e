"""Wants to fill the disk, or the memory that files are kept in."""

import os
import tempfile
from pathlib import Path

from attempts import Honest, attempt, syscall

MEMFD_CREATE, MEMFD_SECRET, FALLOCATE = 319, 447, 285


def fill(path):
    with open(path, "wb") as file:
        for _ in range(64):
            file.write(bytes(1 << 20))


class Bot(Honest):
    def __init__(self):
        for folder in ("/tmp", "/dev/shm", "/var/tmp", "/run", "/", str(Path(__file__).parent)):
            attempt(folder, lambda folder=folder: fill(f"{folder}/arena-canary"))
        attempt("temporary file", tempfile.TemporaryFile)
        attempt("nameless file", lambda: os.open("/tmp", os.O_TMPFILE | os.O_RDWR))
        attempt("file in memory", lambda: syscall(MEMFD_CREATE, b"canary", 0))
        attempt("secret memory", lambda: syscall(MEMFD_SECRET, 0))
        attempt("space for the output", lambda: syscall(FALLOCATE, 1, 0, 0, 1 << 30))
