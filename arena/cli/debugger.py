"""Runs a bot's method under Python's debugger."""

from __future__ import annotations

import bdb
import pdb  # noqa: T100 - the debugger is what this is for
from collections.abc import Callable
from functools import partial
from typing import Any


class Debugger:
    """Makes a bot and stands for it: while it is on, calls of the bot's methods begin in pdb."""

    def __init__(self, factory: Callable[[], Any]) -> None:
        self.on = False
        self.left = False
        """If pdb was quit, so that there is no answer."""
        self._factory = factory
        self._bot: Any = None

    def __call__(self) -> Debugger:
        self._bot = self._factory()
        return self

    def __getattr__(self, name: str) -> Any:
        method = getattr(self._bot, name)
        return partial(self._debug, method) if self.on else method

    def _debug(self, method: Callable[..., Any], *arguments: Any) -> Any:
        debugger = _Pdb(nosigint=True)
        answer = debugger.runcall(method, *arguments)
        self.left = debugger.left
        if self.left:
            raise bdb.BdbQuit
        return answer


class _Pdb(pdb.Pdb):
    left = False

    def set_quit(self) -> None:
        self.left = True
        super().set_quit()
