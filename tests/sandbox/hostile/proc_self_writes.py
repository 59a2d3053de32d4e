"""Writes to its own entry under /proc, by each of its names."""

import os

from attempts import Honest, attempt

NAMES = ("comm", "coredump_filter", "oom_adj", "oom_score_adj", "timerslack_ns", "attr/current", "attr/exec",
         "attr/fscreate", "uid_map", "gid_map", "projid_map", "setgroups", "autogroup", "loginuid", "sched",
         "timens_offsets", "make-it-fail", "fail-nth", "latency", "clear_refs", "mem", "seccomp", "cgroup")  # fmt: skip


def write(path):
    descriptor = os.open(path, os.O_WRONLY)
    os.write(descriptor, b"0")


class Bot(Honest):
    def __init__(self):
        own = os.getpid()
        for name in NAMES:
            for place in ("self", "thread-self", f"self/task/{own}"):
                attempt(f"{place}/{name}", lambda place=place, name=name: write(f"/proc/{place}/{name}"))
