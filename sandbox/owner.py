"""Who a container or a folder belongs to: a process, told apart from later ones that get the same number."""

from __future__ import annotations

import contextlib
import os
import shutil
import tempfile
from pathlib import Path

FILE = "owner"
"""In a folder, with the owner's label."""


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


def make_folder(prefix: str, place: Path) -> Path:
    """A new folder of this process in that place; those of the same prefix whose owners were killed are removed."""
    for old in place.glob(f"{prefix}*/{FILE}"):
        with contextlib.suppress(OSError):
            if is_gone(old.read_text()):
                shutil.rmtree(old.parent, ignore_errors=True)
    folder = Path(tempfile.mkdtemp(prefix=prefix, dir=place))
    (folder / FILE).write_text(owner())
    return folder


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
