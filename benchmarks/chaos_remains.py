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
from docker.errors import NotFound

SERVERS = ("dockerd", "containerd", "containerd-shim", "postgres", "redis-server")
"""The servers' own; an engine that was killed may leave a shim, which is Docker's, and counts by what runs in it."""
AT_MOST_S = 15.0
"""For the engine to remove the containers of workers that have just ended."""


def of_workers(folders: tuple[Path, ...], temporary: Path, engine: str) -> dict[str, list[str]]:
    """What the workers left, which have ended: each kind with those that are there."""
    return {
        "containers left": _patiently(lambda: _containers(engine)),
        "processes left": _patiently(lambda: _left(folders)),
        "temporary files left": [path.name for path in temporary.iterdir() if path.suffix != ".lock"],
    }


def clear_away(folder: Path) -> None:
    """End all that has that folder in its arguments, as an engine's that did not come up, and remove it."""
    for process in _processes(folder):
        with suppress(ProcessLookupError):
            os.kill(process, signal.SIGKILL)
    mounts = [line.split()[1] for line in Path("/proc/self/mounts").read_text().splitlines()]
    for mount in sorted((each for each in mounts if each.startswith(f"{folder}/")), reverse=True):
        subprocess.run(["umount", "--lazy", mount], check=False)  # noqa: S603, S607 - our own folder
    shutil.rmtree(folder, ignore_errors=True)


def children(process: int) -> list[int]:
    """The processes that it started, and those that they started."""
    found = []
    with suppress(OSError):  # it has ended
        for each in Path(f"/proc/{process}/task/{process}/children").read_text().split():
            found += [int(each), *children(int(each))]
    return found


def _patiently(look: Callable[[], list[str]]) -> list[str]:
    """What is still there after a while, if anything is."""
    ends = time.monotonic() + AT_MOST_S
    while (found := look()) and time.monotonic() < ends:
        time.sleep(0.2)
    return found


def _containers(engine: str) -> list[str]:
    """Those that the engine has; where it was killed while it removed one, it lists that and has it not."""
    found = []
    client = docker.DockerClient(engine)
    try:
        for each in client.api.containers(all=True):
            with suppress(NotFound):
                found.append(f"{each['Id'][:12]}, {client.api.inspect_container(each['Id'])['State']['Status']}")
    finally:
        client.close()
    return found


def _left(folders: tuple[Path, ...]) -> list[str]:
    """The processes of these folders that are not the servers' own, and all that runs in containers."""
    found = {process: name for each in folders for process, name in _processes(each).items()}
    inside = {each for process, name in found.items() if name == "containerd-shim" for each in children(process)}
    return [f"process {process}, in a container" for process in inside] + [
        f"process {process}, {name}" for process, name in found.items() if name not in SERVERS
    ]


def _processes(folder: Path) -> dict[int, str]:
    """The names of those with that folder in their arguments or their environment, by process id."""
    found = {}
    for process in Path("/proc").glob("[0-9]*"):
        with suppress(OSError):  # it has ended
            if os.fsencode(folder) in (process / "cmdline").read_bytes() + (process / "environ").read_bytes():
                found[int(process.name)] = (process / "comm").read_text().strip()
    return found
