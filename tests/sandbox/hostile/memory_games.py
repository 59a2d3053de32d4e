"""Has the kernel treat its memory in ways that others would feel: locked, shared, poisoned, watched."""

import mmap
import os

from attempts import Honest, attempt, syscall

MLOCK, MLOCK2, MUNLOCKALL, MINCORE, SYNC, MEMFD = 149, 325, 152, 27, 162, 319
GET_MEMPOLICY, SET_MEMPOLICY, SWAPOFF, PROCESS_MRELEASE, MAP_SHADOW_STACK = 239, 238, 168, 448, 453
MAP_LOCKED, MAP_HUGETLB = 0x2000, 0x40000
ADVICE = {"remove": 9, "don't fork": 10, "merge": 12, "don't dump": 16, "wipe": 18, "cold": 20, "page out": 21,
          "populate": 23, "collapse": 25, "poison": 100, "offline": 101}  # fmt: skip
PAGES = mmap.mmap(-1, 1 << 20)


class Bot(Honest):
    def __init__(self):
        for name, number in ADVICE.items():
            attempt(name, lambda number=number: PAGES.madvise(number))
        PAGES.madvise(mmap.MADV_DONTNEED)
        attempt("lock", lambda: syscall(MLOCK, id(self), 4096))
        attempt("lock on fault", lambda: syscall(MLOCK2, id(self), 4096, 1))
        attempt("unlock", lambda: syscall(MUNLOCKALL))
        attempt("map locked", lambda: mmap.mmap(-1, 1 << 20, mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS | MAP_LOCKED))
        attempt("huge pages", lambda: mmap.mmap(-1, 2 << 20, mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS | MAP_HUGETLB))
        attempt("what is in memory", lambda: syscall(MINCORE, id(self) & ~4095, 4096, bytes(1)))
        attempt("policy", lambda: syscall(SET_MEMPOLICY, 0, None, 0))
        attempt("policy of others", lambda: syscall(GET_MEMPOLICY, None, None, 0, None, 0))
        attempt("shadow stack", lambda: syscall(MAP_SHADOW_STACK, 0, 4096, 0))
        attempt("memory of the dying", lambda: syscall(PROCESS_MRELEASE, 0, 0))
        attempt("write back", lambda: syscall(SYNC))
        attempt("device memory", lambda: os.open("/dev/mem", os.O_RDONLY))
