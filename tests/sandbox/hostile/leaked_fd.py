"""Walks over the descriptors that it was left, and tries to get at what is behind them."""

import os
import socket
import stat

from attempts import Honest, attempt, syscall

PIDFD_OPEN, PIDFD_GETFD = 434, 438


def kind(descriptor):
    mode = os.fstat(descriptor).st_mode
    return next(name for name in ("S_ISCHR", "S_ISFIFO", "S_ISSOCK", "S_ISREG", "S_ISDIR") if getattr(stat, name)(mode))


class Bot(Honest):
    def __init__(self):
        found = {}
        for descriptor in range(4_096):
            try:
                found[descriptor] = kind(descriptor)
            except OSError:
                continue
        print("descriptors:", found)
        for descriptor in found:
            attempt(f"reopen {descriptor}", lambda d=descriptor: os.open(f"/proc/self/fd/{d}", os.O_RDWR))
            attempt(f"folder at {descriptor}", lambda d=descriptor: os.open("etc/shadow", os.O_RDONLY, dir_fd=d))
        attempt("descriptor of the parent", lambda: syscall(PIDFD_OPEN, os.getppid(), 0))
        attempt("descriptor of another", lambda: syscall(PIDFD_GETFD, 0, 0, 0))
        attempt("peer's credentials", lambda: socket.socket(fileno=os.dup(4)).getsockopt(1, 17))
