"""PostgreSQL and Redis of our own in a scratch folder, each of which may be stopped and started again."""

import os
import shutil
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Mapping
from pathlib import Path
from secrets import token_hex

from league.processes import die_with_parent

UP_S = 30.0
LOOPBACK = "127.0.0.1"
INSTALL = "apt-get update && apt-get install -y"


class Server:
    """A program that listens on a port, and keeps its data in a folder from one start to the next."""

    def __init__(self, folder: Path, host: str, command: list[str], user: str | None = None) -> None:
        self.host = host
        self.port = free_port()
        self.password = token_hex(16)
        self._log = folder / "log"
        self._command = command
        self._user = user
        self._process: subprocess.Popen[bytes] | None = None

    @property
    def pid(self) -> int:
        """Raises RuntimeError where it does not run."""
        if self._process is None:
            raise RuntimeError("the server does not run: start it first")
        return self._process.pid

    def start(self) -> None:
        """Return once it takes connections."""
        with self._log.open("ab") as log:
            self._process = subprocess.Popen(  # noqa: S603 - a program of the machine's own
                [*self._command, *self._options()],
                stdin=subprocess.DEVNULL,
                stdout=log,
                stderr=log,
                user=self._user,
                group=self._user,
                extra_groups=[] if self._user else None,
                start_new_session=True,
                preexec_fn=die_with_parent(signal.SIGTERM),
            )
        ends = time.monotonic() + UP_S
        while not self._answers():
            if self._process.poll() is not None or time.monotonic() > ends:
                sys.exit(f"{self._command[0]} does not come up: {self._log.read_text(errors='replace')[-2_000:]}")
            time.sleep(0.05)

    def stop(self, how: signal.Signals = signal.SIGINT) -> None:
        """Return once it is gone; by default it ends in order, but waits for no client."""
        if self._process:
            self._process.send_signal(how)
            self._process.wait(60)
            self._process = None

    def _options(self) -> list[str]:
        raise NotImplementedError

    def _answers(self) -> bool:
        try:
            socket.create_connection((self.host, self.port), 1).close()
        except OSError:
            return False
        return True


class PostgreSQL(Server):
    def __init__(self, folder: Path, host: str = LOOPBACK, networks: tuple[str, ...] = ()) -> None:
        """A new cluster with an empty database, as safe as Debian's: nothing is committed before it is on the disk.

        `networks`, beside this machine's loopback, may log in by the password.
        """
        folder.mkdir(parents=True)
        self._programs = postgresql_programs()
        self._data = folder / "data"
        super().__init__(folder, host, [str(self._programs / "postgres")], "postgres" if os.geteuid() == 0 else None)
        self._sockets = folder
        password = folder / "password"
        password.write_text(self.password)
        if self._user:  # it refuses to run as root
            for path in (folder, password):
                shutil.chown(path, self._user, self._user)
            folder.chmod(0o711)
        self._run(
            "initdb", "--pgdata", str(self._data), "--username", "arena", "--pwfile", str(password),
            "--auth-host", "scram-sha-256", "--auth-local", "trust", "--encoding", "UTF8", "--locale", "C.UTF-8",
        )  # fmt: skip
        with (self._data / "pg_hba.conf").open("a") as rules:
            rules.writelines(f"host all all {network} scram-sha-256\n" for network in networks)

    def create_database(self) -> None:
        self._run(
            "psql", "--host", str(self._sockets), "--port", str(self.port), "--username", "arena",
            "--command", "CREATE DATABASE arena", "postgres",
        )  # fmt: skip

    @property
    def url(self) -> str:
        return f"postgres://arena:{self.password}@{self.host}:{self.port}/arena"

    def _answers(self) -> bool:
        """It listens some time before it takes connections, above all after a crash."""
        asked = [str(self._programs / "pg_isready"), "--quiet", "--host", self.host, "--port", str(self.port)]
        return subprocess.run(asked, check=False).returncode == 0  # noqa: S603

    def _options(self) -> list[str]:
        listen = ",".join(dict.fromkeys((LOOPBACK, self.host)))
        return ["-D", str(self._data), "-k", str(self._sockets), "-h", listen, "-p", str(self.port)]

    def _run(self, program: str, *arguments: str) -> None:
        subprocess.run(  # noqa: S603
            [str(self._programs / program), *arguments],
            check=True,
            stdout=subprocess.DEVNULL,
            user=self._user,
            group=self._user,
            extra_groups=[] if self._user else None,
            cwd="/",
        )


class Redis(Server):
    def __init__(self, folder: Path, host: str = LOOPBACK) -> None:
        """An empty server with a password that keeps what it has on the disk, as the one of docker-compose.yml does."""
        folder.mkdir(parents=True)
        demand({"redis-server": "redis-server"})
        super().__init__(folder, host, [shutil.which("redis-server") or ""])
        self._folder = folder

    @property
    def url(self) -> str:
        return f"redis://:{self.password}@{self.host}:{self.port}/0"

    def flush(self) -> None:
        """Empty it, as if it had been lost."""
        with socket.create_connection((self.host, self.port), 5) as client:
            client.sendall(f"AUTH {self.password}\r\nFLUSHALL\r\n".encode())
            said = b""
            while said.count(b"\r\n") < 2:
                said += client.recv(1_024)
        if said != b"+OK\r\n+OK\r\n":
            sys.exit(f"redis does not empty itself: {said!r}")

    def _options(self) -> list[str]:
        options: Mapping[str, str] = {
            "bind": self.host,
            "port": str(self.port),
            "requirepass": self.password,
            "dir": str(self._folder),
            "appendonly": "yes",
            "save": "",
            "maxmemory-policy": "noeviction",
        }
        return [word for name, value in options.items() for word in (f"--{name}", value)]


def demand(programs: Mapping[str, str]) -> None:
    """End with code 2 and the command that mends it, unless all those programs (name -> Debian's package) are there."""
    missing = {package for program, package in programs.items() if not shutil.which(program)}
    if missing:
        print(f"missing programs; as root: {INSTALL} {' '.join(sorted(missing))}", file=sys.stderr)
        sys.exit(2)


def postgresql_programs() -> Path:
    """Where the newest PostgreSQL's programs are; Debian keeps them off the path."""
    found = sorted(Path("/usr/lib/postgresql").glob("*/bin/initdb"), key=lambda path: int(path.parts[-3]))
    if not found:
        print(f"no PostgreSQL on this machine; as root: {INSTALL} postgresql", file=sys.stderr)
        sys.exit(2)
    return found[-1].parent


def free_port() -> int:
    with socket.create_server((LOOPBACK, 0)) as probe:
        port: int = probe.getsockname()[1]
        return port
