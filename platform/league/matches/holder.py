"""Who holds a match: a worker process, named so that its host can tell whether it still runs."""

import os
import socket
from pathlib import Path

_worker = 0


def name() -> str:
    """This process: host, process id, and the moment it started (in clock ticks since boot)."""
    return of(os.getpid())


def worker() -> str:
    """The worker that this process plays for: the one that forked it for its pool, else the process itself."""
    return of(_worker or os.getpid())


def join(worker: int) -> None:
    """This process plays for the worker of that process id, which forked it."""
    global _worker
    _worker = worker


def of(process: int) -> str:
    """The name of a process of this host."""
    return f"{_host()}/{process}/{_started(process)}"


def is_gone(holder: str) -> bool:
    """Whether that process is known to have ended; False for one on another host."""
    host, _, process = holder.rpartition("/")[0].rpartition("/")
    if host != _host() or not process.isdecimal():
        return False
    return _started(int(process)) != holder.rpartition("/")[2]


def _host() -> str:
    return socket.gethostname()[:50]


def _started(process: int) -> str:
    """The start time in /proc/PID/stat, which tells processes of one number apart; empty if there is none."""
    try:
        state = Path(f"/proc/{process}/stat").read_text(errors="replace")
    except OSError:
        return ""
    fields = state.rpartition(")")[2].split()
    return "" if fields[0] in "ZX" else fields[19]
