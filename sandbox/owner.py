"""Who a container belongs to: a process, told apart from later ones that get the same number."""

from __future__ import annotations

import os
from pathlib import Path


def owner() -> str:
    """This process, as a label: the machine's boot, PID namespace, pid, start time."""
    pid = os.getpid()
    return f"{_place()}/{pid}/{_start_time(pid)}"


def is_gone(label: str) -> bool:
    """If that owner certainly lives no more; of other machines and namespaces nothing is certain."""
    place, _, process = label.rpartition("/")[0].rpartition("/")
    if place != _place() or not process.isdecimal():
        return False
    return _start_time(int(process)) != label.rpartition("/")[2]


def _place() -> str:
    boot = Path("/proc/sys/kernel/random/boot_id").read_text().strip()
    return f"{boot}/{Path('/proc/self/ns/pid').readlink()}"


def _start_time(pid: int) -> str | None:
    """In clock ticks since the machine started; none if there is no such process, or only its remains."""
    try:
        words = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    except OSError:
        return None
    return None if words[0] == "Z" else words[19]
