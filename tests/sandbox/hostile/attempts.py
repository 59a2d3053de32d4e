"""What bots that attack have in common: they say what each attempt came to, and go on. No bot itself."""

import ctypes
import os

REFUSALS = (OSError, ValueError, RuntimeError, MemoryError, ImportError, EOFError)
libc = ctypes.CDLL(None, use_errno=True)


def attempt(name, call):
    """WORKED in what it prints means that the attack got through."""
    try:
        found = call()
    except REFUSALS as error:
        print(name, "refused:", type(error).__name__)
    else:
        print(name, "WORKED", repr(found)[:80])


def syscall(number, *arguments):
    """A call of the kernel by its number on x86_64."""
    found = libc.syscall(number, *arguments)
    if found == -1:
        raise OSError(ctypes.get_errno(), os.strerror(ctypes.get_errno()))
    return found


class Honest:
    """Plays by the rules."""

    def play(self, observation):
        return observation.hand[:1] if not observation.lobby else []
