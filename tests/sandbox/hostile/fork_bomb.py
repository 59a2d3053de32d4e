"""Tries to multiply, a bounded number of times, in every way that Python offers; then plays on."""

import os
import subprocess
import sys
import threading


def attempt(name, call):
    try:
        call()
    except (OSError, RuntimeError) as error:
        print(name, "refused:", error)
    else:
        print(name, "WORKED")


def fork():
    if os.fork() == 0:
        os._exit(0)


class Bot:
    def __init__(self):
        for _ in range(20):
            attempt("fork", fork)
        attempt("thread", lambda: threading.Thread(target=print).start())
        attempt("shell", lambda: subprocess.run(["/bin/sh", "-c", "true"], check=False))
        attempt("python", lambda: subprocess.run([sys.executable, "-c", ""], check=False))
        attempt("exec", lambda: os.execv(sys.executable, [sys.executable, "-c", ""]))
        attempt("setsid", os.setsid)

    def play(self, observation):
        return observation.hand[:1] if not observation.lobby else []
