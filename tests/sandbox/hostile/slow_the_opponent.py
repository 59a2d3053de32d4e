"""Wants more of the machine than is its share, or that the others have less."""

import os

from attempts import Honest, attempt, syscall

IOPRIO_SET, SCHED_SETPARAM, SCHED_SETATTR, SCHED_RR_GET_INTERVAL, SETPRIORITY = 251, 142, 314, 148, 141


class Bot(Honest):
    def __init__(self):
        for pid in (0, 1, os.getppid()):
            attempt(f"cores of {pid}", lambda pid=pid: os.sched_setaffinity(pid, {0}))
            attempt(f"idle {pid}", lambda pid=pid: os.sched_setscheduler(pid, os.SCHED_IDLE, os.sched_param(0)))
            attempt(f"batch {pid}", lambda pid=pid: os.sched_setscheduler(pid, os.SCHED_BATCH, os.sched_param(0)))
            attempt(f"parameter of {pid}", lambda pid=pid: syscall(SCHED_SETPARAM, pid, bytes(4)))
            attempt(f"attributes of {pid}", lambda pid=pid: syscall(SCHED_SETATTR, pid, bytes(48), 0))
            attempt(f"disk of {pid}", lambda pid=pid: syscall(IOPRIO_SET, 1, pid, 0x2000))
            attempt(f"nice {pid}", lambda pid=pid: syscall(SETPRIORITY, 0, pid, 19))
        attempt("nice to its user", lambda: syscall(SETPRIORITY, 2, 0, 19))
        attempt("nice to its group", lambda: syscall(SETPRIORITY, 1, 0, 19))
        attempt("a turn of others", lambda: syscall(SCHED_RR_GET_INTERVAL, 1, bytes(16)))
