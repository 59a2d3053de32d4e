"""Tries to leave something behind: files, messages, changed modules. Then plays on."""

import json
import os
import sys
from pathlib import Path

HERE = Path(__file__).parent
PLACES = [
    "/", "/tmp", "/var/tmp", "/dev/shm", "/dev/mqueue", "/run", "/run/arena", "/etc", "/root", "/home", "/proc/self",
    str(HERE), os.path.dirname(json.__file__), os.path.dirname(os.__file__), *sys.path,
]  # fmt: skip
FILES = [
    __file__, os.__file__, json.__file__, "/etc/passwd", "/proc/self/mem", "/proc/self/oom_score_adj",
    "/proc/self/comm", "/proc/sys/kernel/core_pattern", "/dev/null", "/dev/zero", "/run/arena/socket",
]  # fmt: skip


def attempt(name, call):
    try:
        call()
    except (OSError, ValueError) as error:
        print(name, "refused:", type(error).__name__)
    else:
        print(name, "WORKED")


class Bot:
    def __init__(self):
        print("left by an earlier match:", [name for name in sys.modules if name == "left_behind"])
        sys.modules["left_behind"] = os
        for place in PLACES:
            attempt(f"create in {place}", lambda place=place: open(f"{place}/arena-canary", "w"))
            attempt(f"mkdir in {place}", lambda place=place: os.mkdir(f"{place}/arena-canary-folder"))
            attempt(f"link in {place}", lambda place=place: os.symlink("/etc/passwd", f"{place}/arena-canary-link"))
        for file in FILES:
            attempt(f"open {file}", lambda file=file: open(file, "r+b"))
            attempt(f"truncate {file}", lambda file=file: os.truncate(file, 0))
            attempt(f"unlink {file}", lambda file=file: os.unlink(file))
            attempt(f"chmod {file}", lambda file=file: os.chmod(file, 0o777))
            attempt(f"rename {file}", lambda file=file: os.rename(file, f"{file}.moved"))
        attempt("memfd", lambda: os.memfd_create("canary"))

    def play(self, observation):
        return observation.hand[:1] if not observation.lobby else []
