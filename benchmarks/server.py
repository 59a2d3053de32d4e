"""A seeded scratch database, and the site on it."""

import json
import os
import shutil
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from hashlib import sha256
from pathlib import Path
from typing import Any

from benchmarks.servers import free_port
from league.operations import stack
from league.processes import die_with_parent

ROOT = Path(__file__).resolve().parents[1]
SEEDED_BY = ("platform/league/operations/seeding/*.py", "platform/league/operations/management/commands/seed_league.py")
PROBE = "import django; django.setup(); from benchmarks import {module}; {module}.main()"
START_S = 60.0


class Server:
    def __init__(self, home: Path, numbers: Mapping[str, int], database: str = "") -> None:
        """The site with its data in that folder, or that (empty) database, seeded with those numbers."""
        self._home = home
        self._numbers = numbers
        self._environment = {
            **stack.environment(),
            "ARENA_HOME": str(home),
            "ARENA_LOG_LEVEL": "ERROR",
            "ARENA_PAGES_KEPT_S": "0",  # each is made
            "DATABASE_URL": database or f"sqlite:///{home / 'arena.sqlite3'}",
            "PYTHONPATH": f"{ROOT}{os.pathsep}{ROOT / 'platform'}",
        }

    def prepare(self) -> None:
        """Bring its tables up to date, and fill them unless that was done with these numbers by this code."""
        mark = self._home / "seeded.json"
        wanted = {**self._numbers, "code": seeding_code()}
        fits = mark.exists() and json.loads(mark.read_text()) == wanted
        if not fits:
            shutil.rmtree(self._home, ignore_errors=True)
            self._home.mkdir(parents=True)
        self._manage("collectstatic", "--verbosity", "0", "--no-input")
        self._manage("migrate", "--verbosity", "0")
        if not fits:
            self._manage("seed_league", *(f"--{name}={value}" for name, value in self._numbers.items()))
            mark.write_text(json.dumps(wanted))

    def probe(self, module: str = "probe") -> dict[str, Any]:
        """What that module of `benchmarks` says of it."""
        done = self._run("-c", PROBE.format(module=module), stdout=subprocess.PIPE)
        found: dict[str, Any] = json.loads(done.stdout)
        return found

    @contextmanager
    def running(self) -> Iterator["Site"]:
        """The web server that the Procfile names, and no worker."""
        port = free_port()
        server = subprocess.Popen(  # noqa: S603 - the project's own Procfile
            ["/bin/sh", "-c", f"exec {stack.commands(ROOT / 'Procfile')['site']}"],
            cwd=ROOT,
            env={
                **self._environment,
                "ARENA_BIND": f"127.0.0.1:{port}",
                "GUNICORN_CMD_ARGS": "--log-level warning",
            },
            preexec_fn=die_with_parent(signal.SIGTERM),
        )
        try:
            await_answer(port, server)
            yield Site(port, server.pid)
        finally:
            server.terminate()
            server.wait(20)

    def _manage(self, *arguments: str) -> None:
        self._run("manage.py", *arguments)

    def _run(self, *arguments: str, **options: Any) -> subprocess.CompletedProcess[bytes]:
        command = [sys.executable, *arguments]
        return subprocess.run(command, cwd=ROOT, env=self._environment, check=True, **options)  # noqa: S603


class Site:
    """A web server that answers."""

    def __init__(self, port: int, process: int) -> None:
        self.port = port
        self._process = process

    def cpu_s(self) -> float:
        """CPU time that its processes have used so far."""
        children = Path(f"/proc/{self._process}/task/{self._process}/children").read_text().split()
        threads = [path for child in children for path in Path(f"/proc/{child}/task").glob("*/schedstat")]
        return sum(int(path.read_text().split()[0]) for path in threads) / 1e9


def seeding_code() -> str:
    """A hash of the code that decides what is seeded."""
    digest = sha256()
    for pattern in SEEDED_BY:
        for path in sorted(ROOT.glob(pattern)):
            digest.update(path.read_bytes())
    return digest.hexdigest()


def await_answer(port: int, server: subprocess.Popen[bytes]) -> None:
    """Return once it answers there; end this process where it does not come up."""
    ends = time.monotonic() + START_S
    while time.monotonic() < ends:
        if server.poll() is not None:
            sys.exit(f"the site ended by itself, exit code {server.returncode}")
        try:
            socket.create_connection(("127.0.0.1", port), 1).close()
        except OSError:
            time.sleep(0.1)
        else:
            return
    sys.exit(f"the site does not answer within {START_S:.0f} s")
