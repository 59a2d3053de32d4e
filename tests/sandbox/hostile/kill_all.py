"""Tries to signal everybody. The signals are harmless ones: what counts is whether the kernel lets them through."""

import ctypes
import json
import os
import signal
from pathlib import Path

WORKER = json.loads((Path(__file__).parent / "canary.json").read_text())["worker"]


def attempt(name, call):
    try:
        call()
    except OSError as error:
        print(name, "refused:", type(error).__name__)
    else:
        print(name, "WORKED")


def trace(pid):
    if ctypes.CDLL(None, use_errno=True).ptrace(16, pid, 0, 0) == -1:
        raise OSError(ctypes.get_errno(), "ptrace")


class Bot:
    def __init__(self):
        for pid in (-1, 0, 1, -os.getpgrp(), os.getppid(), WORKER):
            attempt(f"continue {pid}", lambda pid=pid: os.kill(pid, signal.SIGCONT))
            attempt(f"probe {pid}", lambda pid=pid: os.kill(pid, 0))
        for pid in (1, os.getppid(), WORKER):
            attempt(f"trace {pid}", lambda pid=pid: trace(pid))
            attempt(f"pidfd {pid}", lambda pid=pid: os.pidfd_open(pid))
        attempt("kill self", lambda: os.kill(os.getpid(), signal.SIGKILL))
        os.kill(os.getpid(), signal.SIGCONT)

    def play(self, observation):
        return observation.hand[:1] if not observation.lobby else []
