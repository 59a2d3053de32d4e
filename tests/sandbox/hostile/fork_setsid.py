"""Wants to leave its session and its parent, so that nobody would find what it leaves."""

import os

from attempts import Honest, attempt, syscall

CLONE, VFORK, CLONE3, UNSHARE = 56, 58, 435, 272
CLONE_PARENT, CLONE_NEWPID = 0x8000, 0x20000000


def double_fork():
    if os.fork() == 0:
        os.setsid()
        if os.fork() == 0:
            os._exit(0)
        os._exit(0)


class Bot(Honest):
    def __init__(self):
        attempt("double fork", double_fork)
        attempt("setsid", os.setsid)
        attempt("setpgid", lambda: os.setpgid(0, 0))
        attempt("sibling", lambda: syscall(CLONE, CLONE_PARENT | 17, 0, 0, 0, 0))
        attempt("vfork", lambda: syscall(VFORK))
        attempt("clone3", lambda: syscall(CLONE3, bytes(88), 88))
        attempt("new pid namespace", lambda: syscall(UNSHARE, CLONE_NEWPID))
