"""Wants to take back what its process was told about itself before it came."""

import ctypes

from attempts import Honest, attempt, libc, syscall

SECCOMP, PTRACE_TRACEME, SET_TID, CLONE = 317, 0, 218, 56
FILTER, NEW_LISTENER, TSYNC = 1, 8, 1
VM, FS, FILES, SIGHAND, THREAD, SYSVSEM = 0x100, 0x200, 0x400, 0x800, 0x10000, 0x40000
OPTIONS = {
    "no signal of the parent's death": (1, 0), "signal of the parent's death": (1, 10), "dumpable": (4, 1),
    "keep capabilities": (8, 1), "name": (15, b"arena"), "seccomp off": (22, 0), "securebits": (28, 0), "slack": (29, 1),
    "no errors counter": (31, 0), "reaper of others": (36, 1), "new privileges": (38, 0), "memory map": (35, 1),
    "huge pages": (41, 1), "who may trace": (0x59616D61, -1), "speculation": (53, 0), "io flusher": (57, 1),
    "dispatch of system calls": (59, 1), "core scheduling": (62, 1), "names of maps": (0x53564D41, 0),
    "write and execute": (65, 1), "merge all pages": (67, 1),
}  # fmt: skip


def prctl(option, value):
    if libc.prctl(option, ctypes.c_long(value) if isinstance(value, int) else value, 0, 0, 0):
        raise OSError(ctypes.get_errno(), "prctl")


class Bot(Honest):
    def __init__(self):
        for name, (option, value) in OPTIONS.items():
            attempt(name, lambda option=option, value=value: prctl(option, value))
        attempt("a filter of its own", lambda: syscall(SECCOMP, FILTER, 0, bytes(16)))
        attempt("a filter that asks it", lambda: syscall(SECCOMP, FILTER, NEW_LISTENER, bytes(16)))
        attempt("a filter for all threads", lambda: syscall(SECCOMP, FILTER, TSYNC, bytes(16)))
        attempt("thread", lambda: syscall(CLONE, VM | FS | FILES | SIGHAND | THREAD | SYSVSEM, 0, 0, 0, 0))
        attempt("process in the same memory", lambda: syscall(CLONE, VM | 17, 0, 0, 0, 0))
