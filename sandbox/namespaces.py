"""Namespaces for a process without a container: a network of its own, without interfaces, and no memory of others."""

from __future__ import annotations

import ctypes
import sys

CLONE_NEWIPC, CLONE_NEWUSER, CLONE_NEWNET = 0x08000000, 0x10000000, 0x40000000


def enter() -> bool:
    """Puts this process, which must have a single thread, into new ones; false where the kernel does not allow it."""
    return bool(ctypes.CDLL(None).unshare(CLONE_NEWUSER | CLONE_NEWNET | CLONE_NEWIPC) == 0)


def main() -> None:
    """Tries it in this process; the exit status says if it works."""
    sys.exit(0 if enter() else 1)
