"""The whole platform of our own: PostgreSQL, Redis, and the processes of the Procfile, in a scratch folder."""

import os
import shutil
import signal
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from benchmarks.servers import LOOPBACK, PostgreSQL, Redis
from league.operations import stack
from league.processes import die_with_parent

ROOT = Path(__file__).resolve().parents[1]
APPLICATION = "league.celery"
STOP_S = 60.0


class Stack:
    """`running` makes one. Its servers run; `start` starts the platform's own processes."""

    def __init__(self, folder: Path, postgresql: PostgreSQL, redis: Redis, settings: Mapping[str, str]) -> None:
        self.folder = folder
        self.postgresql = postgresql
        self.redis = redis
        self.environment = {
            **stack.environment(),
            "DATABASE_URL": postgresql.url,
            "REDIS_URL": redis.url,
            "ARENA_HOME": str(folder / "home"),
            "ARENA_LOG_LEVEL": "WARNING",
            "PYTHONPATH": f"{ROOT}{os.pathsep}{ROOT / 'platform'}",
            **settings,
        }
        self._processes: list[subprocess.Popen[bytes]] = []
        self._commands = stack.commands(ROOT / "Procfile")

    def manage(self, *arguments: str) -> None:
        self.run("manage.py", *arguments)

    def run(self, *arguments: str, **options: Any) -> subprocess.CompletedProcess[bytes]:
        """Python with those arguments, in the platform's environment.

        Raises:
            subprocess.CalledProcessError: its exit code is not 0.
        """
        command = [sys.executable, *arguments]
        return subprocess.run(command, cwd=ROOT, env=self.environment, check=True, **options)  # noqa: S603

    def start(
        self,
        role: str,
        name: str = "",
        *,
        prefix: tuple[str, ...] = (),
        settings: Mapping[str, str] | None = None,
        application: str = APPLICATION,
    ) -> subprocess.Popen[bytes]:
        """Start that process of the Procfile (`site`, `worker` or `upkeep`); it ends with this one.

        Its output goes to a file of its name (by default, the role's) in the folder. Of several workers each needs a
        name of its own. `prefix` is the beginning of the command (such as ip netns exec), `settings` more environment,
        `application` another Celery application in place of the platform's own.
        """
        command = self._commands[role].replace(f"{role}@%h", f"{name or role}@%h").replace(APPLICATION, application)
        with (self.folder / f"{name or role}.log").open("ab") as log:
            process = subprocess.Popen(  # noqa: S603 - the project's own Procfile
                [*prefix, "/bin/sh", "-c", f"exec {command}"],
                cwd=ROOT,
                env={**self.environment, **(settings or {})},
                stdin=subprocess.DEVNULL,
                stdout=log,
                stderr=log,
                start_new_session=True,
                preexec_fn=die_with_parent(signal.SIGTERM),
            )
        self._processes.append(process)
        return process

    def stop(self) -> None:
        """End all processes that `start` started, in order."""
        for process in self._processes:
            if process.poll() is None:
                process.terminate()
        for process in self._processes:
            try:
                process.wait(STOP_S)
            except subprocess.TimeoutExpired:
                process.kill()
                process.wait()
        self._processes.clear()


@contextmanager
def running(
    settings: Mapping[str, str] | None = None, *, host: str = LOOPBACK, networks: tuple[str, ...] = ()
) -> Iterator[Stack]:
    """Servers on that address with migrated, empty tables; all ends with the block, and nothing stays on the disk.

    `settings` are more of the platform's environment.
    """
    folder = Path(tempfile.mkdtemp(prefix="arena-stack-"))
    folder.chmod(0o711)  # PostgreSQL is another user
    try:
        postgresql = PostgreSQL(folder / "postgresql", host, networks)
        redis = Redis(folder / "redis", host)
        try:
            postgresql.start()
            redis.start()
            postgresql.create_database()
            platform = Stack(folder, postgresql, redis, settings or {})
            (folder / "home").mkdir()
            platform.manage("migrate", "--verbosity", "0")
            platform.manage("collectstatic", "--verbosity", "0", "--no-input")
            try:
                yield platform
            finally:
                platform.stop()
        finally:
            redis.stop(signal.SIGTERM)
            postgresql.stop()
    finally:
        shutil.rmtree(folder, ignore_errors=True)
