"""Wants to become another program, which would be rid of the runner."""

import os
import sys

from attempts import Honest, attempt, syscall

EXECVE, EXECVEAT = 59, 322


class Bot(Honest):
    def __init__(self):
        for program in (sys.executable, "/proc/self/exe", "/bin/sh", "/lib64/ld-linux-x86-64.so.2", __file__):
            attempt(program, lambda program=program: os.execv(program, [program, "-c", ""]))
        attempt("execve", lambda: syscall(EXECVE, b"/proc/self/exe", None, None))
        attempt("execveat", lambda: syscall(EXECVEAT, -100, b"/proc/self/exe", None, None, 0))
