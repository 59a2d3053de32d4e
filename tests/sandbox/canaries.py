from __future__ import annotations

import os
import socket
from contextlib import ExitStack
from pathlib import Path
from typing import Any


class Canaries:
    """Services on this machine that nobody should reach."""

    def __init__(self, folder: Path, stack: ExitStack) -> None:
        self.sockets: list[socket.socket] = []
        self.addresses: dict[str, Any] = {}
        name = f"arena-canary-{os.getpid()}"
        for key, family, kind, address in (
            ("tcp", socket.AF_INET, socket.SOCK_STREAM, ("127.0.0.1", 0)),
            ("udp", socket.AF_INET, socket.SOCK_DGRAM, ("127.0.0.1", 0)),
            ("unix", socket.AF_UNIX, socket.SOCK_STREAM, str(folder / "stream")),
            ("unix_datagram", socket.AF_UNIX, socket.SOCK_DGRAM, str(folder / "datagram")),
            ("abstract", socket.AF_UNIX, socket.SOCK_STREAM, f"\0{name}"),
        ):
            service = stack.enter_context(socket.socket(family, kind))
            service.bind(address)
            service.setblocking(False)
            if kind == socket.SOCK_STREAM:
                service.listen()
            self.sockets.append(service)
            bound = service.getsockname()
            self.addresses[key] = bound[1] if family == socket.AF_INET else str(address).lstrip("\0")

    def touched(self) -> list[str]:
        """The names of those that a connection or a message has reached."""
        found = []
        for name, service in zip(self.addresses, self.sockets, strict=True):
            try:
                service.accept() if service.type == socket.SOCK_STREAM else service.recv(100)
            except BlockingIOError:
                continue
            found.append(name)
        return found
