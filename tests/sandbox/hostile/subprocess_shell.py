"""Wants to run other programs."""

import os
import subprocess
import sys

from attempts import Honest, attempt


def failing(command):
    status = os.system(command)
    if status:
        raise OSError(f"status {status}")


class Bot(Honest):
    def __init__(self):
        attempt("system", lambda: failing("true"))
        attempt("popen", lambda: os.popen("id").read() or failing("false"))
        attempt("shell", lambda: subprocess.run("id", shell=True, check=True))
        attempt("python", lambda: subprocess.run([sys.executable, "-c", ""], check=True))
        attempt("spawn", lambda: os.posix_spawn("/bin/sh", ["sh", "-c", "true"], {}))
