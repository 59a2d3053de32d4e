"""Wants to read and write the memory of others through /proc, and what it was given at its start."""

import os

from attempts import Honest, attempt


def read(path):
    with open(path, "rb") as file:
        found = file.read(64)
    if not found:
        raise OSError("empty")
    return found


class Bot(Honest):
    def __init__(self):
        for who in ("1", str(os.getppid()), "self", "thread-self"):
            for name in ("mem", "maps", "environ", "auxv", "stack", "syscall", "pagemap", "cmdline", "status"):
                attempt(f"{who} {name}", lambda who=who, name=name: read(f"/proc/{who}/{name}"))
            attempt(f"write {who}", lambda who=who: open(f"/proc/{who}/mem", "r+b"))
            attempt(f"references of {who}", lambda who=who: open(f"/proc/{who}/clear_refs", "w"))
