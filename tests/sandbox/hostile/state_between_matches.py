"""Counts its matches in every place that it can think of."""

import builtins
import json
import mmap
import os
import sys

import attempts
from attempts import Honest, attempt, syscall

SHMGET, MSGGET, SEMGET, ADD_KEY, KEYCTL = 29, 68, 64, 248, 250
KEY, CREATE = 0x4152454E, 0o1666
SHARED = mmap.mmap(-1, 4096)


class Bot(Honest):
    def __init__(self):
        seen = [
            getattr(builtins, "matches", 0),
            getattr(json, "matches", 0),
            getattr(attempts, "matches", 0),
            getattr(sys, "matches", 0),
            int.from_bytes(SHARED[:4], "little"),
            len([name for name in os.environ if name == "MATCHES"]),
        ]
        print("seen before:", seen)
        for place in (builtins, json, attempts, sys):
            place.matches = 1
        SHARED[:4] = (1).to_bytes(4, "little")
        os.environ["MATCHES"] = "1"
        attempt("shared memory", lambda: syscall(SHMGET, KEY, 4096, CREATE))
        attempt("message queue", lambda: syscall(MSGGET, KEY, CREATE))
        attempt("semaphores", lambda: syscall(SEMGET, KEY, 1, CREATE))
        attempt("key", lambda: syscall(ADD_KEY, b"user", b"arena", b"1", 1, -3))
        attempt("key ring", lambda: syscall(KEYCTL, 0, -3, 1))
