"""A process confines itself, with the standard library alone and without being root.

`prepare` does once, before the first fork, what forks inherit; `seal` does the rest in each forked child, just before
it touches anything untrusted. After that there is no way back.
"""

from __future__ import annotations

import contextlib
import ctypes
import fcntl
import os
import platform
import resource
import signal
import struct
import sysconfig
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

from sandbox import landlock, seccomp

PR_SET_PDEATHSIG, PR_SET_DUMPABLE, PR_SET_NO_NEW_PRIVS = 1, 4, 38
PR_CAPBSET_DROP, PR_CAP_AMBIENT, CAP_AMBIENT_CLEAR_ALL = 24, 47, 4
CAPABILITY_VERSION_3 = 0x20080522
MIB = 1024 * 1024
DEVICES = ("/dev/null", "/dev/zero", "/dev/urandom")
THIRD_PARTY = {"site-packages", "dist-packages"}


class CannotConfine(Exception):  # noqa: N818 - a fact about the machine
    """This kernel lacks what it takes; the text says what."""


@dataclass(frozen=True, slots=True)
class Tier:
    """How a process is confined on this machine."""

    seccomp: bool
    landlock: int
    """Version of the ABI; 0 is none."""

    def __str__(self) -> str:
        filesystem = f"Landlock {self.landlock}" if self.landlock else "no Landlock, so that bots can open no file"
        return f"{'seccomp' if self.seccomp else 'no seccomp'}, {filesystem}"


def tier(use_landlock: bool = True) -> Tier:
    """What this kernel offers, with or without Landlock; asking changes nothing."""
    return Tier(seccomp.available(), landlock.version(ctypes.CDLL(None, use_errno=True)) if use_landlock else 0)


def library_paths() -> list[Path]:
    """The standard library's folders and files without the packages installed beside them."""
    folders = {Path(sysconfig.get_path(name)) for name in ("stdlib", "platstdlib")}
    return sorted(each for folder in folders for each in folder.iterdir() if each.name not in THIRD_PARTY)


class Confinement:
    """What the children of this process will be sealed with."""

    def __init__(
        self,
        readable: Iterable[Path],
        memory_mib: int,
        open_files: int,
        stack_mib: int,
        space_mib: int | None = None,
        use_landlock: bool = True,
    ) -> None:
        """Prepares this process, which gives up its own privileges as well.

        Args:
            space_mib: Of addresses, if not the same as of memory.
            use_landlock: Where the kernel has it.

        Raises:
            CannotConfine: no system call filter on this kernel or machine.
        """
        self._libc = ctypes.CDLL(None, use_errno=True)
        self.tier = tier(use_landlock)
        if not self.tier.seccomp:
            raise CannotConfine(f"no seccomp filter for {platform.machine()} on this kernel")
        self._memory_bytes = memory_mib * MIB
        self._space_bytes = (space_mib or memory_mib) * MIB
        self._open_files = open_files
        self._stack_bytes = stack_mib * MIB
        # Who may be the parent of who is sealed: this process if it forks, else this process's own.
        self._parents = (os.getpid(), os.getppid())
        self._prctl(PR_SET_NO_NEW_PRIVS, 1)
        self._prctl(PR_SET_DUMPABLE, 0)
        self._drop_capabilities()
        self._filters = {opens_files: seccomp.program(opens_files) for opens_files in (True, False)}
        self._rules: int | None = None
        if self.tier.landlock:
            paths = [*readable, *(Path(device) for device in DEVICES)]
            self._rules = landlock.ruleset(self._libc, (path for path in paths if path.exists()))

    def seal(self, *descriptors: int, cpu_s: float, opens_files: bool = True) -> None:
        """Confines this freshly forked process; the given descriptors become 0, 1, 2 and so on, all others close.

        Args:
            descriptors: What the untrusted code gets.
            cpu_s: Where the kernel kills it, should nobody else be left to do so.
            opens_files: Where Landlock lets it; else none at all.
        """
        self._prctl(PR_SET_DUMPABLE, 1)
        self._die_first()
        self._prctl(PR_SET_DUMPABLE, 0)
        if self._rules is not None:
            landlock.restrict(self._libc, self._rules)
        _keep(descriptors)
        self._limit(cpu_s)
        self._prctl(PR_SET_PDEATHSIG, signal.SIGKILL)
        if os.getppid() not in self._parents:
            # It died before the kernel was told to watch it.
            os._exit(1)
        seccomp.install(self._libc, seccomp.of_process(os.getpid(), self._filters[opens_files]))

    def _limit(self, cpu_s: float) -> None:
        kill_s = int(cpu_s) + 2
        for kind, amount in (
            (resource.RLIMIT_AS, self._space_bytes),
            (resource.RLIMIT_DATA, self._memory_bytes),
            (resource.RLIMIT_STACK, self._stack_bytes),
            (resource.RLIMIT_NOFILE, self._open_files),
            (resource.RLIMIT_CPU, kill_s),
            (resource.RLIMIT_NPROC, 0),
            (resource.RLIMIT_FSIZE, 0),
            (resource.RLIMIT_CORE, 0),
            (resource.RLIMIT_MEMLOCK, 0),
            (resource.RLIMIT_MSGQUEUE, 0),
        ):
            now, most = resource.getrlimit(kind)
            if most != resource.RLIM_INFINITY:
                amount = min(amount, most)
            if (now, most) != (amount, amount):  # gVisor lets nobody set those that it does not enforce
                resource.setrlimit(kind, (amount, amount))

    @staticmethod
    def _die_first() -> None:
        """When memory runs out all the same, the kernel should take the bot and not its guard.

        The file belongs to the process's user only while the process is dumpable.
        """
        # gVisor counts the file's size, of which a container's process may have none.
        before = signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
        with contextlib.suppress(OSError):
            score = os.open("/proc/self/oom_score_adj", os.O_WRONLY)
            os.write(score, b"1000")
            os.close(score)
        signal.signal(signal.SIGXFSZ, before)

    def _drop_capabilities(self) -> None:
        self._libc.prctl(PR_CAP_AMBIENT, CAP_AMBIENT_CLEAR_ALL, 0, 0, 0)
        capability = 0
        while self._libc.prctl(PR_CAPBSET_DROP, capability, 0, 0, 0) == 0:
            capability += 1
        header = struct.pack("=Ii", CAPABILITY_VERSION_3, 0)
        if self._libc.capset(header, bytes(24)):
            raise OSError(ctypes.get_errno(), "capabilities can't be dropped")

    def _prctl(self, option: int, value: int) -> None:
        if self._libc.prctl(option, value, 0, 0, 0):
            raise OSError(ctypes.get_errno(), f"prctl {option} refused")


def _keep(descriptors: Iterable[int]) -> None:
    """Renumbers the descriptors from 0 on, and closes all others."""
    # First away from the low numbers, so that none is overwritten before it has been copied.
    moved = [fcntl.fcntl(each, fcntl.F_DUPFD, 16) for each in descriptors]
    for number, each in enumerate(moved):
        os.dup2(each, number)
    os.closerange(len(moved), os.sysconf("SC_OPEN_MAX"))
