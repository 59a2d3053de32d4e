"""The bot's system call filter: an allow-list as a classic BPF program, without any library.

What is not allowed fails with EPERM inside the bot, which may play on. Calls of another ABI (i386, x32) kill it.
"""

from __future__ import annotations

import ctypes
import errno
import os
import platform
import struct
from collections.abc import Iterable

from sandbox.syscalls import AUDIT_X86_64, MACHINES

ALLOW = 0x7FFF0000
KILL_PROCESS = 0x80000000
REFUSE = 0x00050000 | errno.EPERM
ABSENT = 0x00050000 | errno.ENOSYS

LOAD, EQUAL, AT_LEAST, ANY_BIT, AND, RETURN = 0x20, 0x15, 0x35, 0x45, 0x54, 0x06
NUMBER, ABI, ARGUMENTS = 0, 4, 16
X32_BIT = 0x40000000

PR_SET_SECCOMP, MODE_FILTER = 22, 2

# Calls that need no look at their arguments, the frequent ones first.
_PLAIN = """
read write clock_gettime brk mmap munmap futex close fstat newfstatat lseek mprotect mremap
poll ppoll select pselect6 stat lstat statx access faccessat faccessat2 readlink readlinkat getcwd getdents64
readv writev pread64 pwrite64 preadv pwritev pipe pipe2 dup dup2 dup3 close_range eventfd2
epoll_create epoll_create1 epoll_ctl epoll_wait epoll_pwait
rt_sigaction rt_sigprocmask rt_sigreturn rt_sigpending rt_sigtimedwait sigaltstack restart_syscall
clock_getres gettimeofday time nanosleep clock_nanosleep times getrusage getrandom
getpid getppid gettid getuid geteuid getgid getegid getresuid getresgid getgroups getpgid getpgrp getsid
exit exit_group set_tid_address set_robust_list get_robust_list rseq arch_prctl
sched_yield sched_getaffinity sched_getparam sched_getscheduler getcpu getrlimit uname
shutdown getpeername getsockname
"""
PLAIN = tuple(_PLAIN.split())

WRITING = os.O_WRONLY | os.O_RDWR | os.O_CREAT | os.O_TRUNC | (os.O_TMPFILE & ~os.O_DIRECTORY)
# Not F_SETOWN and F_SETSIG, which aim signals; not F_SETPIPE_SZ, which takes kernel memory; not the locks.
FCNTL = (0, 1030, 1, 2, 3, 4)  # F_DUPFD, F_DUPFD_CLOEXEC, F_GETFD, F_SETFD, F_GETFL, F_SETFL
IOCTL = (0x5401, 0x5413, 0x541B, 0x5421, 0x5450, 0x5451)  # TCGETS TIOCGWINSZ FIONREAD FIONBIO FIONCLEX FIOCLEX
# NORMAL, RANDOM, SEQUENTIAL, WILLNEED, DONTNEED, FREE, HUGEPAGE, NOHUGEPAGE. Not MERGEABLE: by the time that a
# write takes, pages that the kernel shares with another process tell what that one holds.
MADVICE = (0, 1, 2, 3, 4, 8, 14, 15)
AF_UNIX, SOCK_STREAM, SOCK_TYPE_MASK = 1, 1, 0xF
# MSG_DONTWAIT and MSG_NOSIGNAL to send, also MSG_PEEK and MSG_WAITALL to receive. Not MSG_OOB: it wakes the reader, who
# then finds no data, and it has been a way into the kernel.
SEND_FLAGS = (0, 0x40, 0x4000, 0x4040)
RECEIVE_FLAGS = (0, 0x2, 0x40, 0x42, 0x100, 0x102)
SIGKILL = 9
SELF = 0x7FFFFFFF
"""No process has this id; it stands for the one that the filter is for."""

Instruction = tuple[int, int, int, int]
"""code, jump if true, jump if false, constant."""


def _low(argument: int) -> int:
    return ARGUMENTS + 8 * argument


def _load(offset: int) -> Instruction:
    return (LOAD, 0, 0, offset)


def _return(verdict: int) -> Instruction:
    return (RETURN, 0, 0, verdict)


def _one_of(argument: int, allowed: Iterable[int]) -> list[Instruction]:
    """Allows the call if the low half of the argument, which holds all of an int, is one of these."""
    code = [_load(_low(argument))]
    for value in allowed:
        code += [(EQUAL, 0, 1, value), _return(ALLOW)]
    return [*code, _return(REFUSE)]


def _to_self(pid: int, signal_argument: int) -> list[Instruction]:
    """Signals to the own process alone, and not SIGKILL: who died of that was killed from outside."""
    return [
        _load(_low(0)),
        (EQUAL, 1, 0, pid),
        _return(REFUSE),
        _load(_low(signal_argument)),
        (EQUAL, 0, 1, SIGKILL),
        _return(REFUSE),
        _return(ALLOW),
    ]


def _guarded(pid: int) -> dict[str, list[Instruction]]:
    """The calls that depend on their arguments; each block ends with a verdict."""
    return {
        "sendto": _one_of(3, SEND_FLAGS),
        "recvfrom": _one_of(3, RECEIVE_FLAGS),
        "madvise": _one_of(2, MADVICE),
        "openat": [_load(_low(2)), (ANY_BIT, 0, 1, WRITING), _return(REFUSE), _return(ALLOW)],
        "fcntl": _one_of(1, FCNTL),
        "ioctl": _one_of(1, IOCTL),
        "kill": _to_self(pid, 1),
        "tgkill": _to_self(pid, 2),
        # Reading the own limits. Setting one would let a bot have the kernel kill it, as if from outside.
        "prlimit64": [
            _load(_low(0)),
            (EQUAL, 1, 0, 0),
            _return(REFUSE),
            _load(_low(2)),
            (EQUAL, 1, 0, 0),
            _return(REFUSE),
            _load(_low(2) + 4),
            (EQUAL, 1, 0, 0),
            _return(REFUSE),
            _return(ALLOW),
        ],
        # Streams alone: a datagram socket of a pair can be sent to any path.
        "socketpair": [
            _load(_low(0)),
            (EQUAL, 1, 0, AF_UNIX),
            _return(REFUSE),
            _load(_low(1)),
            (AND, 0, 0, SOCK_TYPE_MASK),
            (EQUAL, 1, 0, SOCK_STREAM),
            _return(REFUSE),
            _return(ALLOW),
        ],
        "clone3": [_return(ABSENT)],
    }


def program(opens_files: bool = True) -> bytes:
    """The filter on this machine, for a process to be named by `of_process`.

    Args:
        opens_files: For reading; else not at all.

    Raises:
        KeyError: there is no table for this machine.
    """
    abi, numbers = MACHINES[platform.machine()]
    code: list[Instruction] = [_load(ABI), (EQUAL, 1, 0, abi), _return(KILL_PROCESS), _load(NUMBER)]
    if abi == AUDIT_X86_64:
        code += [(AT_LEAST, 0, 1, X32_BIT), _return(KILL_PROCESS)]
    for name in PLAIN:
        if name in numbers:
            code += [(EQUAL, 0, 1, numbers[name]), _return(ALLOW)]
    guarded = _guarded(SELF)
    if not opens_files:
        del guarded["openat"]
    for name, block in guarded.items():
        code += [(EQUAL, 0, len(block), numbers[name]), *block]
    code.append(_return(REFUSE))
    return b"".join(_packed(instruction) for instruction in code)


def of_process(pid: int, code: bytes) -> bytes:
    """The filter for the process of that id: to assemble it anew would take longer than to install it."""
    return code.replace(_packed((EQUAL, 1, 0, SELF)), _packed((EQUAL, 1, 0, pid)))


def _packed(instruction: Instruction) -> bytes:
    return struct.pack("=HBBI", *instruction)


class _Program(ctypes.Structure):
    _fields_ = [("length", ctypes.c_ushort), ("filter", ctypes.c_void_p)]


def install(libc: ctypes.CDLL, code: bytes) -> None:
    """Puts the filter in force, for good; needs no_new_privs."""
    buffer = ctypes.create_string_buffer(code, len(code))
    pointer = _Program(len(code) // 8, ctypes.cast(buffer, ctypes.c_void_p))
    if libc.prctl(PR_SET_SECCOMP, MODE_FILTER, ctypes.byref(pointer), 0, 0):
        raise OSError(ctypes.get_errno(), "seccomp filter refused")


def available() -> bool:
    """If this kernel filters system calls and there is a table for this machine."""
    libc = ctypes.CDLL(None, use_errno=True)
    # With no program at all the kernel answers EFAULT where it knows filters, EINVAL where it does not.
    libc.prctl(PR_SET_SECCOMP, MODE_FILTER, None, 0, 0)
    return platform.machine() in MACHINES and ctypes.get_errno() == errno.EFAULT
