"""Keeps what a bot prints: the first and the last part of it, whatever comes in between."""

from __future__ import annotations

import os
from collections import deque

from sandbox.limits import KEPT_OUTPUT_BYTES

READ_BYTES = 65_536


class Output:
    """The reading end of a pipe, drained without ever blocking; uses bounded memory."""

    def __init__(self) -> None:
        self.reader, self.writer = os.pipe2(os.O_CLOEXEC | os.O_NONBLOCK)
        # The writer's end is the bot's: a print that finds the pipe full should wait, not fail.
        os.set_blocking(self.writer, True)
        self._head = b""
        self._tail: deque[bytes] = deque()
        self._tail_bytes = 0
        self._total = 0

    def drain(self, most: int = READ_BYTES) -> bool:
        """Takes what is there, up to so many bytes; false once nobody can write any more."""
        try:
            data = os.read(self.reader, most)
        except BlockingIOError:
            return True
        self._keep(data)
        return bool(data)

    def _keep(self, data: bytes) -> None:
        self._total += len(data)
        free = KEPT_OUTPUT_BYTES - len(self._head)
        if free:
            self._head += data[:free]
            data = data[free:]
        if data:
            self._tail.append(data)
            self._tail_bytes += len(data)
            while self._tail_bytes - len(self._tail[0]) >= KEPT_OUTPUT_BYTES:
                self._tail_bytes -= len(self._tail.popleft())

    def text(self) -> str:
        """What was kept, with a line that says how much was left out."""
        tail = b"".join(self._tail)[-KEPT_OUTPUT_BYTES:]
        left_out = self._total - len(self._head) - len(tail)
        mark = f"\n... {left_out} bytes left out ...\n" if left_out else ""
        return self._head.decode(errors="replace") + mark + tail.decode(errors="replace")

    def close_writer(self) -> None:
        """Once the bot has its copy."""
        if self.writer >= 0:
            os.close(self.writer)
            self.writer = -1

    def close(self) -> None:
        self.close_writer()
        os.close(self.reader)
