"""Wants another view of the file system, or another one altogether."""

import os

from attempts import Honest, attempt, syscall

CALLS = {
    "mount proc": (165, b"proc", b"/tmp", b"proc", 0, None),
    "mount tmpfs": (165, b"tmpfs", b"/tmp", b"tmpfs", 0, None),
    "mount cgroup": (165, b"cgroup", b"/tmp", b"cgroup", 0, b"memory"),
    "bind": (165, b"/", b"/tmp", None, 4096, None),
    "umount": (166, b"/proc", 2),
    "pivot_root": (155, b"/tmp", b"/tmp"),
    "chroot": (161, b"/"),
    "open_tree": (428, -100, b"/", 1),
    "move_mount": (429, -100, b"/", -100, b"/tmp", 0),
    "fsopen": (430, b"tmpfs", 0),
    "fspick": (433, -100, b"/", 0),
    "mount_setattr": (442, -100, b"/", 0, None, 0),
    "mknod": (133, b"/tmp/arena-canary", 0o60666, 0x800),
}


class Bot(Honest):
    def __init__(self):
        for name, (number, *arguments) in CALLS.items():
            attempt(name, lambda number=number, arguments=arguments: syscall(number, *arguments))
        attempt("fchdir", lambda: os.fchdir(os.open("/", os.O_RDONLY)))
        for path in ("/proc/sys/kernel/core_pattern", "/sys/kernel/uevent_helper", "/proc/sysrq-trigger",
                     "/sys/fs/cgroup/release_agent", "/proc/self/exe"):  # fmt: skip
            attempt(path, lambda path=path: open(path, "wb"))
