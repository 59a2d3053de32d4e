"""Paths that are read by one part as something else than by another."""

import os
from pathlib import Path

from attempts import Honest, attempt, syscall

OPENAT2, OPEN, CREAT, NAME_TO_HANDLE_AT, OPEN_BY_HANDLE_AT = 437, 2, 85, 303, 304
HERE = Path(__file__).parent
SHADOW = b"/etc/shadow"


class Bot(Honest):
    def __init__(self):
        for path in ("\0", "bot.py\0/etc/shadow", "a" * 5_000, "../" * 1_000 + "etc/shadow", "/" * 4_000 + "etc/shadow",
                     f"{HERE}/../../../../../../../../../../etc/shadow", "/proc/self/root/etc/shadow",
                     "/proc/self/cwd/etc/shadow", "/proc/thread-self/root/etc/shadow", "/dev/fd/../root/etc/shadow",
                     "//etc//shadow", "/etc/./shadow", b"/etc/\xff/../shadow", "/proc/self/map_files"):  # fmt: skip
            attempt(repr(path)[:40], lambda path=path: open(path, "rb").read(1))
        attempt("open, the old call", lambda: syscall(OPEN, SHADOW, 0))
        attempt("creat", lambda: syscall(CREAT, b"/tmp/arena-canary", 0o600))
        attempt("openat2", lambda: syscall(OPENAT2, -100, SHADOW, bytes(24), 24))
        attempt("handle of a file", lambda: syscall(NAME_TO_HANDLE_AT, -100, SHADOW, bytes(136), bytes(8), 0))
        attempt("file of a handle", lambda: syscall(OPEN_BY_HANDLE_AT, -100, bytes(136), 0))
        attempt("root", lambda: os.chroot("/"))
        attempt("working folder", lambda: os.chdir("/proc/self/root"))
