"""The worker's end of a zygote's control socket; `sandbox.runner` says what is spoken on it."""

from __future__ import annotations

import json
import select
import socket
import struct
from collections.abc import Sequence
from typing import Any

from sandbox.errors import SandboxFault

PACKET_BYTES = 65_536
ANSWER_S = 30.0
CREDENTIALS = struct.Struct("3i")
"""The kernel's word on who sent a packet: pid, uid, gid."""


class Control:
    """A conversation with one zygote. Every failure is the platform's fault: no bot can reach this socket."""

    def __init__(self, connection: socket.socket) -> None:
        self._connection = connection
        self._connection.settimeout(ANSWER_S)
        self._connection.setsockopt(socket.SOL_SOCKET, socket.SO_PASSCRED, 1)

    def greet(self, within_s: float) -> dict[str, Any]:
        """The zygote's first words: how it is confined."""
        self._connection.settimeout(within_s)
        try:
            return self.hear()
        finally:
            self._connection.settimeout(ANSWER_S)

    def say(self, descriptors: Sequence[int] = (), **message: Any) -> None:
        try:
            data = json.dumps(message).encode()
            if descriptors:
                socket.send_fds(self._connection, [data], descriptors)
            else:
                self._connection.send(data)
        except OSError as error:
            raise SandboxFault(f"the box is gone: {error}") from error

    def hear(self) -> dict[str, Any]:
        """What it says next; `sender` is the number of the process that said it, as seen from here, or 0."""
        try:
            data, credentials, _, _ = self._connection.recvmsg(PACKET_BYTES, socket.CMSG_SPACE(CREDENTIALS.size))
        except OSError as error:
            raise SandboxFault(f"the box does not answer: {error}") from error
        if not data:
            raise SandboxFault("the box is gone")
        message: dict[str, Any] = json.loads(data)
        if fault := message.get("fault"):
            raise SandboxFault(fault)
        message["sender"], _, _ = CREDENTIALS.unpack(credentials[0][2])
        return message

    def ask(self, **message: Any) -> dict[str, Any]:
        self.say(**message)
        return self.hear()

    def gone(self) -> bool:
        """If the other end has closed; only between two matches."""
        poll = select.poll()
        poll.register(self._connection, select.POLLIN)
        return bool(poll.poll(0))

    def close(self) -> None:
        self._connection.close()
