"""Does to the pipes of the match what can be done to pipes: other ends, other sizes, other owners, moved pages."""

import contextlib
import ctypes
import fcntl
import os

from attempts import Honest, attempt, syscall

SPLICE, TEE, VMSPLICE = 275, 276, 278
F_SETOWN_EX = 15


class Bot(Honest):
    def __init__(self):
        for number in (1, 3, 4):
            for mode in (os.O_WRONLY, os.O_RDWR):
                attempt(f"end {number}", lambda n=number, m=mode: os.open(f"/proc/self/fd/{n}", m | os.O_NONBLOCK))
            with contextlib.suppress(OSError):
                # Landlock does not look at pipes. It can read its own answers; then the worker can't.
                os.open(f"/proc/self/fd/{number}", os.O_RDONLY | os.O_NONBLOCK)
            attempt(f"more room {number}", lambda n=number: fcntl.fcntl(n, fcntl.F_SETPIPE_SZ, 1 << 20))
            attempt(f"less room {number}", lambda n=number: fcntl.fcntl(n, fcntl.F_SETPIPE_SZ, 4096))
            attempt(f"owner {number}", lambda n=number: fcntl.fcntl(n, fcntl.F_SETOWN, os.getppid()))
            attempt(f"owner by kind {number}", lambda n=number: fcntl.fcntl(n, F_SETOWN_EX, b"\2\0\0\0\1\0\0\0"))
            attempt(f"its signal {number}", lambda n=number: fcntl.fcntl(n, fcntl.F_SETSIG, 9))
            attempt(f"lease {number}", lambda n=number: fcntl.fcntl(n, fcntl.F_SETLEASE, fcntl.F_WRLCK))
            attempt(f"note {number}", lambda n=number: fcntl.fcntl(n, fcntl.F_NOTIFY, 1))
        attempt("read answers", lambda: os.read(4, 1))
        attempt("write questions", lambda: os.write(3, b"x"))
        attempt("splice", lambda: syscall(SPLICE, 3, None, 4, None, 1, 0))
        attempt("tee", lambda: syscall(TEE, 3, 4, 1, 0))
        page = ctypes.create_string_buffer(4096)
        vector = (ctypes.c_size_t * 2)(ctypes.addressof(page), 4096)
        attempt("gift of a page", lambda: syscall(VMSPLICE, 4, vector, 1, 8))
        attempt("place", lambda: os.lseek(4, 0, 0))
        attempt("length", lambda: os.ftruncate(4, 0))
        with contextlib.suppress(OSError):
            # Of no use: the flags are of its own end.
            fcntl.fcntl(4, fcntl.F_SETFL, fcntl.fcntl(4, fcntl.F_GETFL) | os.O_DIRECT | os.O_ASYNC)
