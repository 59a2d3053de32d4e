"""Wants a world of its own, in which it would be root."""

import ctypes
import os

from attempts import Honest, attempt, libc, syscall

UNSHARE, SETNS, CLONE, CLONE3 = 272, 308, 56, 435
KINDS = {"user": 0x10000000, "mount": 0x20000, "pid": 0x20000000, "net": 0x40000000, "ipc": 0x8000000, "uts": 0x4000000,
         "cgroup": 0x2000000, "time": 0x80}  # fmt: skip


def prctl(option, value):
    if libc.prctl(option, value, 0, 0, 0):
        raise OSError(ctypes.get_errno(), "prctl")


class Bot(Honest):
    def __init__(self):
        for name, flag in KINDS.items():
            attempt(f"unshare {name}", lambda flag=flag: syscall(UNSHARE, flag))
            attempt(f"clone {name}", lambda flag=flag: syscall(CLONE, flag | 17, 0, 0, 0, 0))
            attempt(f"enter {name}", lambda name=name: syscall(SETNS, os.open(f"/proc/1/ns/{name}", 0), 0))
        attempt("uid map", lambda: open("/proc/self/uid_map", "w").write("0 0 1"))
        attempt("capabilities", lambda: syscall(126, bytes(8), bytes(24)))
        attempt("keep capabilities", lambda: prctl(8, 1))
        attempt("dumpable", lambda: prctl(4, 1))
