"""Keeps what a bot prints: the first and the last part of it, whatever comes in between."""

from __future__ import annotations

import os
from collections import deque
from collections.abc import Sequence
from itertools import groupby
from operator import itemgetter
from typing import NamedTuple

from sandbox.limits import KEPT_OUTPUT_BYTES
from sandbox.pipes import Pipe

READ_BYTES = 65_536


class Printed(NamedTuple):
    """What a bot printed until it answered a request, or until it answered no more."""

    game: int
    """With the decision as in `arena.wire`."""
    decision: int
    text: str


class Output:
    """The reading end of a pipe, drained without ever blocking; uses bounded memory."""

    def __init__(self) -> None:
        self.pipe = Pipe()
        # Only this end: a print that finds the pipe full should wait, not fail.
        os.set_blocking(self.pipe.reader, False)
        self.at: Sequence[int] = (0, 0)
        """The game and the decision at which is printed what is drained from here on."""
        self._head: list[tuple[Sequence[int], bytes]] = []
        self._head_bytes = 0
        self._tail: deque[tuple[Sequence[int], bytes]] = deque()
        self._tail_bytes = 0
        self._total = 0

    def drain(self, most: int = READ_BYTES) -> bool:
        """Takes what is there, up to so many bytes; false once nobody can write any more."""
        try:
            data = os.read(self.pipe.reader, most)
        except BlockingIOError:
            return True
        self._keep(data)
        return bool(data)

    def _keep(self, data: bytes) -> None:
        self._total += len(data)
        first, rest = data[: KEPT_OUTPUT_BYTES - self._head_bytes], data[KEPT_OUTPUT_BYTES - self._head_bytes :]
        if first:
            self._head.append((self.at, first))
            self._head_bytes += len(first)
        if rest:
            self._tail.append((self.at, rest))
            self._tail_bytes += len(rest)
            while self._tail_bytes - len(self._tail[0][1]) >= KEPT_OUTPUT_BYTES:
                self._tail_bytes -= len(self._tail.popleft()[1])

    def text(self) -> str:
        """What was kept, with a line that says how much was left out."""
        return "".join(each.text for each in self.printed())

    def printed(self) -> list[Printed]:
        """The same by the decisions at which it was printed."""
        kept = self._head + self._kept_tail()
        decisions = groupby(kept, key=itemgetter(0))
        return [
            Printed(game, decision, b"".join(data for _, data in pieces).decode(errors="replace"))
            for (game, decision), pieces in decisions
        ]

    def _kept_tail(self) -> list[tuple[Sequence[int], bytes]]:
        if not self._tail:
            return []
        (at, oldest), *later = self._tail
        oldest = oldest[max(0, self._tail_bytes - KEPT_OUTPUT_BYTES) :]
        left_out = self._total - self._head_bytes - min(self._tail_bytes, KEPT_OUTPUT_BYTES)
        mark = f"\n... {left_out} bytes left out ...\n".encode() if left_out else b""
        return [(at, mark + oldest), *later]
