"""Looks for what the machine tells of others: how long it is up, what it does, who else is there."""

import os

from attempts import Honest, attempt, syscall

SYSINFO, SYSLOG, GETPRIORITY, SCHED_SETAFFINITY = 99, 103, 140, 203
FILES = [
    "/proc/uptime", "/proc/loadavg", "/proc/stat", "/proc/meminfo", "/proc/cpuinfo", "/proc/interrupts",
    "/proc/schedstat", "/proc/self/schedstat", "/proc/self/cgroup", "/proc/pressure/cpu", "/proc/sys/kernel/random/boot_id",
    "/proc/keys", "/proc/timer_list", "/proc/kallsyms", "/sys/fs/cgroup", "/sys/devices/system/cpu",
]  # fmt: skip


def read(path):
    if os.path.isdir(path):
        return os.listdir(path) or refuse(path)
    with open(path, "rb") as file:
        return file.read(64) or refuse(path)


def refuse(path):
    raise OSError(f"{path} is empty")


class Bot(Honest):
    def __init__(self):
        for path in FILES:
            attempt(path, lambda path=path: read(path))
        attempt("sysinfo", lambda: syscall(SYSINFO, bytes(128)))
        attempt("kernel log", lambda: syscall(SYSLOG, 3, bytes(64), 64))
        attempt("priority of another", lambda: syscall(GETPRIORITY, 0, 1))
        attempt("load", os.getloadavg)
