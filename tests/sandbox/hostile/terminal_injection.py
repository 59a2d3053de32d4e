"""Types into the terminal of whoever runs it, and asks it who it is."""

import fcntl
import os
import pty
import termios

from attempts import Honest, attempt


class Bot(Honest):
    def __init__(self):
        for descriptor in range(4):
            attempt(f"type into {descriptor}", lambda d=descriptor: fcntl.ioctl(d, termios.TIOCSTI, b"x"))
            attempt(f"paste into {descriptor}", lambda d=descriptor: fcntl.ioctl(d, 0x541C, b"\x03"))
            attempt(f"control {descriptor}", lambda d=descriptor: fcntl.ioctl(d, termios.TIOCSCTTY, 1))
            attempt(f"owner of {descriptor}", lambda d=descriptor: fcntl.fcntl(d, fcntl.F_SETOWN, os.getppid()))
            attempt(f"pipe size of {descriptor}", lambda d=descriptor: fcntl.fcntl(d, 1031, 1 << 20))
            attempt(f"lock {descriptor}", lambda d=descriptor: fcntl.lockf(d, fcntl.LOCK_EX | fcntl.LOCK_NB))
        attempt("terminal", lambda: open("/dev/tty", "r+"))
        attempt("new terminal", pty.openpty)
