"""Starts workers that need no broker (`worker_alone`), and tells what they leave behind."""

from __future__ import annotations

import contextlib
import os
import signal
import subprocess
import sys
from pathlib import Path

import docker
from django.db import connection


def database_url() -> str:
    found = connection.settings_dict
    if connection.vendor == "sqlite":
        return f"sqlite:///{found['NAME']}"
    host = found["HOST"] or "localhost"
    place = f"/{host}" if host.startswith("/") else f"{host}:{found['PORT'] or 5432}"
    return f"postgres://{found['USER']}:{found['PASSWORD']}@{place}/{found['NAME']}"


class WorkerAlone:
    """One such process."""

    def __init__(self, launcher: str, folder: Path) -> None:
        self._launcher = launcher
        self._folder = folder
        self._process = subprocess.Popen(
            [sys.executable, str(Path(__file__).with_name("worker_alone.py")), launcher, str(folder)],
            env={**os.environ, "DATABASE_URL": database_url(), "DJANGO_SETTINGS_MODULE": "league.settings"},
            stdout=subprocess.PIPE,
            text=True,
        )
        self.pid = self._process.pid
        self._owner = self.hear()

    def hear(self) -> str:
        """The next line that it says; empty once it has ended."""
        assert self._process.stdout is not None
        return self._process.stdout.readline().strip()

    def signal(self, number: signal.Signals, its_bots_too: bool = False) -> None:
        for pid in [self.pid, *(self.bots() if its_bots_too else ())]:
            with contextlib.suppress(ProcessLookupError):  # a bot whose match has just ended
                os.kill(pid, number)

    def end(self) -> None:
        """However far it is."""
        if self._process.poll() is None:
            self._process.kill()
            self._process.communicate()

    def rest(self) -> tuple[list[str], int]:
        """All that it still says, and its exit status."""
        said, _ = self._process.communicate()
        return said.splitlines(), self._process.returncode

    def left(self) -> list[str]:
        """Its containers, or the processes of its bots."""
        if self._launcher == "process":
            return [str(pid) for pid in self.bots()]
        client = docker.from_env()
        try:
            label = {"label": f"arena.owner={self._owner}"}
            return [each["Id"] for each in client.api.containers(all=True, filters=label)]
        finally:
            client.close()

    def bots(self) -> list[int]:
        """The processes of its bots, zygotes among them."""
        if self._launcher == "process":
            return [int(path.parent.name) for path in Path("/proc").glob("[0-9]*/cmdline") if self._is_bot(path)]
        client = docker.from_env()
        try:
            tops = [client.api.top(container) for container in self.left()]
            return [int(row[top["Titles"].index("PID")]) for top in tops for row in top["Processes"]]
        finally:
            client.close()

    def _is_bot(self, command: Path) -> bool:
        """A zygote is told its bot's folder, and those that it forks have its command line."""
        try:
            words = command.read_text(errors="replace")
        except OSError:
            return False
        return "sandbox.runner" in words and str(self._folder) in words
