"""Wants to change limits, its own and those of the processes around it."""

import os
import resource

from attempts import Honest, attempt

WHO = (0, 1, os.getppid(), os.getpid())


class Bot(Honest):
    def __init__(self):
        for pid in WHO:
            for kind in ("RLIMIT_AS", "RLIMIT_CPU", "RLIMIT_NOFILE", "RLIMIT_NPROC"):
                number = getattr(resource, kind)
                attempt(f"{kind} of {pid}", lambda pid=pid, n=number: resource.prlimit(pid, n, (1, 1)))
        attempt("own memory", lambda: resource.setrlimit(resource.RLIMIT_AS, (-1, -1)))
        attempt("own stack", lambda: resource.setrlimit(resource.RLIMIT_STACK, (1, 1)))
        attempt("out of memory last", lambda: open("/proc/self/oom_score_adj", "w").write("-1000"))
