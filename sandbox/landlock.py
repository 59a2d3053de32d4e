"""Landlock: a process gives up the file system for good, but for some paths that it may read."""

from __future__ import annotations

import ctypes
import os
import struct
from collections.abc import Iterable
from pathlib import Path

CREATE_RULESET, ADD_RULE, RESTRICT_SELF = 444, 445, 446  # the same on all machines
ASK_VERSION = 1
PATH_BENEATH = 1

READ_FILE, READ_DIR = 1 << 2, 1 << 3
FILE_RIGHTS = {1: 13, 2: 14, 3: 15, 4: 15, 5: 16}
"""How many rights to files each version of the ABI knows; later ones as 5."""
BIND_TCP, CONNECT_TCP = 1, 2
ABSTRACT_SOCKETS, SIGNALS = 1, 2


def version(libc: ctypes.CDLL) -> int:
    """The version of the kernel's Landlock ABI; 0 where it has none."""
    return max(0, _call(libc, CREATE_RULESET, None, 0, ASK_VERSION))


def ruleset(libc: ctypes.CDLL, readable: Iterable[Path]) -> int:
    """A descriptor of a ruleset that allows reading beneath these paths, and nothing else in the file system.

    It also denies TCP (from version 4) and signals and abstract sockets to processes outside (from 6).
    """
    abi = version(libc)
    files = (1 << FILE_RIGHTS[min(abi, 5)]) - 1
    attributes = struct.pack("=Q", files)
    if abi >= 4:
        attributes += struct.pack("=Q", BIND_TCP | CONNECT_TCP)
    if abi >= 6:
        attributes += struct.pack("=Q", ABSTRACT_SOCKETS | SIGNALS)
    rules = _call(libc, CREATE_RULESET, attributes, len(attributes), 0)
    if rules < 0:
        raise OSError(ctypes.get_errno(), "no Landlock ruleset")
    for path in readable:
        _allow(libc, rules, path)
    return rules


def _allow(libc: ctypes.CDLL, rules: int, path: Path) -> None:
    place = os.open(path, os.O_PATH | os.O_CLOEXEC)
    try:
        rights = READ_FILE | READ_DIR if path.is_dir() else READ_FILE
        if _call(libc, ADD_RULE, rules, PATH_BENEATH, struct.pack("=Qi", rights, place), 0) < 0:
            raise OSError(ctypes.get_errno(), f"no Landlock rule for {path}")
    finally:
        os.close(place)


def restrict(libc: ctypes.CDLL, rules: int) -> None:
    """Puts this process under the ruleset; needs no_new_privs."""
    if _call(libc, RESTRICT_SELF, rules, 0) < 0:
        raise OSError(ctypes.get_errno(), "Landlock refused")


def _call(libc: ctypes.CDLL, number: int, *arguments: int | bytes | None) -> int:
    plain = [ctypes.c_long(each) if isinstance(each, int) else each for each in arguments]
    return int(libc.syscall(ctypes.c_long(number), *plain))
