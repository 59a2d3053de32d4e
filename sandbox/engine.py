"""The Docker engine that the environment names."""

from __future__ import annotations

import os
import socket

import docker
from docker.errors import DockerException

from sandbox.errors import NoSandbox

DEFAULT_SOCKET = "/var/run/docker.sock"
UNIX = "unix://"
TIMEOUT_S = 30
NO_ANSWER = (DockerException, OSError)
"""What a call of the engine raises where it refuses, or is gone, or hangs: the client lets through what sockets say."""


def connect() -> docker.DockerClient:
    """A client of the engine, which has just answered.

    Raises:
        NoSandbox: none answers.
    """
    try:
        knock()
        return docker.from_env(timeout=TIMEOUT_S)
    except NO_ANSWER as error:
        raise NoSandbox(f"no Docker engine answers ({error}); start it, or set ARENA_SANDBOX=process") from error


def knock() -> None:
    """Fails at once where nobody listens any more; the client would leave its socket open.

    Raises:
        OSError: says where.
    """
    host = os.environ.get("DOCKER_HOST") or UNIX + DEFAULT_SOCKET
    if host.startswith(UNIX):
        with socket.socket(socket.AF_UNIX) as visitor:
            visitor.settimeout(TIMEOUT_S)
            try:
                visitor.connect(host.removeprefix(UNIX))
            except OSError as error:
                raise OSError(f"nobody listens at the engine's socket {host.removeprefix(UNIX)}: {error}") from error
