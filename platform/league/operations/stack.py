"""All processes of the site on this machine, with one life: they start together, and none outlives the others."""

import fcntl
import multiprocessing
import os
import shlex
import signal
import socket
import subprocess
import sys
from collections.abc import Iterator, Mapping
from contextlib import closing, contextmanager, suppress
from functools import partial
from pathlib import Path
from typing import Any

from honcho.environ import parse_procfile
from honcho.manager import Manager
from honcho.process import Popen, Process

from league.processes import die_with_parent


class CannotStart(Exception):  # noqa: N818
    """Something is in the way; the text says what, and what to do."""


def run(
    commands: Mapping[str, str],
    environment: Mapping[str, str],
    broker: subprocess.Popen[bytes] | None = None,
) -> int:
    """Run these shell commands until one of them ends, and then end the others; the exit code of that one.

    They end with the broker too, where that ends by itself.
    """
    if broker is not None:
        signal.signal(signal.SIGCHLD, partial(_end_with, broker, os.getpid()))
    multiprocessing.set_start_method("fork", force=True)  # honcho's processes can't be pickled
    manager = _Manager()
    manager._process_ctor = _Tied
    for name, command in commands.items():
        manager.add_process(name, f"exec {command}", env=dict(environment))
    manager.loop()
    return int(manager.returncode or 0)


def commands(procfile: Path, left_out: frozenset[str] = frozenset()) -> dict[str, str]:
    """The commands of that Procfile by name."""
    found = parse_procfile(procfile.read_text()).processes
    return {name: command for name, command in found.items() if name not in left_out}


def environment() -> dict[str, str]:
    """That of this process, with the programs of its own Python first on the path, and output line by line."""
    programs = str(Path(sys.executable).parent)
    path = os.pathsep.join([programs, os.environ.get("PATH", os.defpath)])
    return {**os.environ, "PATH": path, "PYTHONUNBUFFERED": "1", "DJANGO_SETTINGS_MODULE": "league.settings"}


@contextmanager
def alone(home: Path) -> Iterator[None]:
    """Keep that folder to one stack at a time.

    Raises:
        CannotStart: another one has it.
    """
    path = home / "stack.lock"
    with path.open("a+") as file:
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            file.seek(0)
            raise CannotStart(
                f"the site is running already with the data in {home} (process {file.read().strip() or '?'}): "
                "stop that one, or set ARENA_HOME to another folder and ARENA_BIND to another port"
            ) from None
        file.truncate(0)
        file.write(str(os.getpid()))
        file.flush()
        yield


def demand_free(bind: str) -> None:
    """Make sure that nobody listens on that host:port.

    Raises:
        CannotStart: somebody does, or it is no address.
    """
    host, _, port = bind.rpartition(":")
    try:
        address = socket.getaddrinfo(host.strip("[]") or None, int(port), type=socket.SOCK_STREAM)[0]
        with closing(socket.socket(address[0], address[1])) as probe:
            probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            probe.bind(address[4])
    except (ValueError, OSError) as error:
        raise CannotStart(
            f"can't listen on {bind}: {error}; stop what uses it, or choose another address, such as "
            f"ARENA_BIND={shlex.quote('127.0.0.1:8001')}"
        ) from None


def _end_with(broker: subprocess.Popen[bytes], stack: int, *_: Any) -> None:
    if os.getpid() == stack and broker.poll() is not None:
        signal.signal(signal.SIGCHLD, signal.SIG_DFL)
        print("the broker ended by itself: so does the rest", file=sys.stderr, flush=True)
        os.kill(stack, signal.SIGTERM)


class _Manager(Manager):  # type: ignore[misc]
    def _system_print(self, data: str) -> None:
        """Signals are told of as they come, which may be while something is printed: then nothing is said of them."""
        with suppress(RuntimeError):
            super()._system_print(data)


class _Tied(Process):  # type: ignore[misc]
    """A process that ends with the manager, also where the manager is killed."""

    def __init__(self, *arguments: Any, **options: Any) -> None:
        super().__init__(*arguments, **options)
        self._tie = die_with_parent(signal.SIGKILL)

    def run(self, *arguments: Any, **options: Any) -> None:
        self._tie()
        self._child_ctor = partial(Popen, preexec_fn=die_with_parent(signal.SIGKILL))
        super().run(*arguments, **options)
