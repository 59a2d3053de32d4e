"""Wants to be somebody else."""

import os

from attempts import Honest, attempt


class Bot(Honest):
    def __init__(self):
        for name in ("setuid", "setgid", "seteuid", "setegid"):
            for number in (0, 65534, 1000):
                attempt(f"{name} {number}", lambda name=name, number=number: getattr(os, name)(number))
        attempt("setresuid", lambda: os.setresuid(0, 0, 0))
        attempt("setgroups", lambda: os.setgroups([0]))
        attempt("nice", lambda: os.nice(-20))
        attempt("priority", lambda: os.setpriority(os.PRIO_PROCESS, 0, -20))
        attempt("real time", lambda: os.sched_setscheduler(0, os.SCHED_FIFO, os.sched_param(99)))
        attempt("cores", lambda: os.sched_setaffinity(0, {0}))
        attempt("host name", lambda: __import__("socket").sethostname("arena"))
        attempt("clock", lambda: __import__("time").clock_settime(0, 0))
