"""A warm, confined runner of one bot version: starts matches, one at a time."""

from __future__ import annotations

import contextlib
import os
import socket
from collections.abc import Callable
from types import TracebackType
from typing import Self

from arena.ruleset import TimeControl
from sandbox.control import Control
from sandbox.errors import SandboxFault
from sandbox.limits import Limits
from sandbox.session import Session


class BotBox:
    """Made by a launcher. Close it, or use it in a `with`; it also ends with this process, however that ends."""

    def __init__(self, connection: socket.socket, limits: Limits, remove: Callable[[], None]) -> None:
        """
        Args:
            connection: To the zygote.
            limits: What the zygote has been started with.
            remove: Ends the zygote's process or container; called once.
        """
        self._control = Control(connection)
        self._limits = limits
        self._remove: Callable[[], None] | None = remove
        self._owner = os.getpid()
        self._busy = False
        try:
            greeting = self._control.greet(limits.start_s)
        except BaseException:
            self.close()
            raise
        self.pid = int(greeting["pid"])
        """Of the zygote, in its own PID namespace."""
        self.landlock = int(greeting["landlock"])
        self.namespaces = bool(greeting["namespaces"])
        """If it has entered new ones by itself; a container has its own."""

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, traceback: TracebackType | None
    ) -> None:
        self.close()

    @property
    def closed(self) -> bool:
        return self._remove is None

    @property
    def alive(self) -> bool:
        """If the box can play another match, as far as can be seen."""
        return self._remove is not None and (self._busy or not self._control.gone())

    def match(self, time_control: TimeControl, name: str) -> Session:
        """A player of one match, to be used in a `with`.

        Raises:
            SandboxFault: the box is closed or gone, or another match is on.
        """
        if self._remove is None:
            raise SandboxFault("the box is closed")
        if self._busy:
            raise SandboxFault("the box plays one match at a time")
        if os.getpid() != self._owner:
            raise SandboxFault("the box belongs to another process")
        self._busy = True
        return Session(self._control, time_control, self._limits, name, self._free)

    def close(self) -> None:
        """Ends the box, whatever it is doing."""
        remove, self._remove = self._remove, None
        if remove is None:
            return
        # The end of the control socket ends the zygote and its child; to remove it is the second lock.
        self._control.close()
        with contextlib.suppress(SandboxFault):
            remove()

    def _free(self) -> None:
        self._busy = False
