"""What is left of `make chaos` on the machine: when its workers have ended nothing may be, at its end nothing is."""

import os
import shutil
import signal
import subprocess
import time
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

import docker

SERVERS = ("dockerd", "containerd", "postgres", "redis-server")
AT_MOST_S = 15.0
"""For the engine to remove the containers of workers that have just ended."""


def of_workers(folders: tuple[Path, ...], temporary: Path, engine: str) -> dict[str, list[str]]:
    """What the workers left, which have ended: each kind with those that are there."""
    return {
        "containers left": _patiently(lambda: _containers(engine)),
        "processes left": _patiently(lambda: [line for each in folders for line in _processes(each).values()]),
        "temporary files left": [path.name for path in temporary.iterdir() if path.suffix != ".lock"],
    }


def clear_away(folder: Path) -> None:
    """End all that has that folder in its arguments, as an engine's that did not come up, and remove it."""
    for process in _processes(folder, ()):
        with suppress(ProcessLookupError):
            os.kill(process, signal.SIGKILL)
    mounts = [line.split()[1] for line in Path("/proc/self/mounts").read_text().splitlines()]
    for mount in sorted((each for each in mounts if each.startswith(f"{folder}/")), reverse=True):
        subprocess.run(["umount", "--lazy", mount], check=False)  # noqa: S603, S607 - our own folder
    shutil.rmtree(folder, ignore_errors=True)


def _patiently(look: Callable[[], list[str]]) -> list[str]:
    """What is still there after a while, if anything is."""
    ends = time.monotonic() + AT_MOST_S
    while (found := look()) and time.monotonic() < ends:
        time.sleep(0.2)
    return found


def _containers(engine: str) -> list[str]:
    client = docker.DockerClient(engine)
    try:
        return [f"{each['Id'][:12]}, {each['State']}" for each in client.api.containers(all=True)]
    finally:
        client.close()


def _processes(folder: Path, but: tuple[str, ...] = SERVERS) -> dict[int, str]:
    """The command lines of those with that folder in their arguments or their environment, by process id."""
    found = {}
    for process in Path("/proc").glob("[0-9]*"):
        with suppress(OSError):  # it has ended
            arguments = (process / "cmdline").read_bytes()
            told = arguments + (process / "environ").read_bytes()
            if os.fsencode(folder) in told and (process / "comm").read_text().strip() not in but:
                found[int(process.name)] = f"{process.name} {arguments.decode(errors='replace').replace(chr(0), ' ')}"
    return found
