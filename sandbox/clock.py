"""Reads the CPU time and the scheduling of a bot's process, from outside of it."""

from __future__ import annotations

import time
from pathlib import Path
from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    from sandbox.control import Control

CPUCLOCK_SCHED = 2
"""From the kernel's include/linux/posix-timers_types.h: the clock of a whole process is (~pid << 3) | 2."""


def thread_group_cpu_ns(pid: int) -> int:
    """CPU time that the process has used, in user and system mode.

    Raises:
        OSError: there is no such process, or it can't be seen from here.
    """
    return time.clock_gettime_ns((~pid << 3) | CPUCLOCK_SCHED)


def waited_ns(pid: int | str) -> int | None:
    """How long the process's main thread was ready to run but had no core; none where the kernel does not count it."""
    try:
        return int(Path(f"/proc/{pid}/schedstat").read_bytes().split()[1])
    except (OSError, ValueError, IndexError):
        return None


def is_asleep(pid: int) -> bool:
    """If the process waits for something else than a core. What it waits for a core *now* is in no figure yet."""
    try:
        state = Path(f"/proc/{pid}/stat").read_bytes().rpartition(b")")[2].split()[0]
    except (OSError, IndexError):
        return True
    return state != b"R"


class Clock(Protocol):
    """The CPU time of one child."""

    cheap: bool
    """Read at every decision; else only at those that take long."""

    def cpu_ns(self) -> int: ...

    def waited_ns(self) -> int | None: ...

    def is_asleep(self) -> bool: ...


class ProcessClock:
    """For a child that this process can see; a read takes about a microsecond."""

    cheap = True

    def __init__(self, pid: int) -> None:
        self._pid = pid
        self._id = (~pid << 3) | CPUCLOCK_SCHED
        self._last = 0

    def cpu_ns(self) -> int:
        try:  # noqa: SIM105 - quicker than a context, once a decision
            self._last = time.clock_gettime_ns(self._id)
        except OSError:  # without a process there is no clock; the closed socket will say that it has died
            pass
        return self._last

    def waited_ns(self) -> int | None:
        return waited_ns(self._pid)

    def is_asleep(self) -> bool:
        return is_asleep(self._pid)


class ZygoteClock:
    """For a child in a PID namespace that can't be seen from here: its zygote reads the clock and tells."""

    cheap = False

    def __init__(self, control: Control) -> None:
        self._control = control

    def cpu_ns(self) -> int:
        return int(self._control.ask(op="clock")["cpu_ns"])

    def waited_ns(self) -> int | None:
        waited = self._control.ask(op="clock")["waited_ns"]
        return None if waited is None else int(waited)

    def is_asleep(self) -> bool:
        return bool(self._control.ask(op="clock")["asleep"])


def clock_of(pid: int, told: int) -> ProcessClock | None:
    """The clock of the process that the kernel named as the sender; none if it can't be seen from here.

    Args:
        told: Its number in its own PID namespace, by its zygote. Where another kernel runs in between, such as
            gVisor's, the sender is that kernel, and its clock is not the bot's.
    """
    try:
        status = Path(f"/proc/{pid}/status").read_text()
    except OSError:
        return None
    inside = status.partition("\nNSpid:")[2].partition("\n")[0].split()
    return ProcessClock(pid) if inside and int(inside[-1]) == told else None
