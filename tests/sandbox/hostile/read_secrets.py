"""Looks for what it should not see: files of the machine, of the worker and of the other bot. Then plays on."""

import glob
import json
import os
from pathlib import Path

HERE = Path(__file__).parent
PATHS = [
    "/etc/shadow", "/etc/passwd", "/etc/hostname", "/root/.ssh", "/root/.bashrc", "/proc/1/environ", "/proc/1/cmdline",
    "/proc/1/maps", "/proc/self/environ", "/proc/self/maps", "/proc/self/mountinfo", "/proc/self/fd", "/proc/net/tcp",
    "/proc/meminfo", "/proc/uptime", "/sys/class/net", "/var/run/docker.sock", "/run/arena", "/tmp", "/home", "/root",
    f"/proc/{os.getppid()}/environ", f"/proc/{os.getppid()}/mem", "../..", "/", "/dev",
    str(HERE / ".."), str(HERE / "way_out"), "/proc/self/root/etc/passwd", "/proc/self/cwd", "a" * 5_000,
]  # fmt: skip


def attempt(path):
    try:
        if os.path.isdir(path):
            found = os.listdir(path)
        else:
            found = Path(path).open("rb").read(1)
    except (OSError, ValueError) as error:
        print(path[:80], "refused:", type(error).__name__)
    else:
        # What a container masks can be opened and is empty.
        print(path[:80], "WORKED" if found else "is empty")


class Bot:
    def __init__(self):
        for path in [*PATHS, *json.loads((HERE / "canary.json").read_text())["paths"]]:
            attempt(path)
        print("environment:", sorted(set(os.environ) - {"LC_CTYPE", "HOME", "PATH", "HOSTNAME"}))
        print("descriptors:", [fd for fd in range(1024) if is_open(fd)])
        print("processes:", [path for path in glob.glob("/proc/[0-9]*/environ") if readable(path)])

    def play(self, observation):
        return observation.hand[:1] if not observation.lobby else []


def is_open(descriptor):
    try:
        os.fstat(descriptor)
    except OSError:
        return False
    return True


def readable(path):
    try:
        return Path(path).read_bytes() is not None
    except OSError:
        return False
