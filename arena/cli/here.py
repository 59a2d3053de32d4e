"""Bots in this process, without a sandbox: for what an author does with code of his own."""

from __future__ import annotations

import contextlib
import os
import sys
import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, NamedTuple

from arena.cli.boxes import prepare
from arena.cli.contestant import Contestant
from arena.host import load_module


class Loadable(NamedTuple):
    factory: Callable[[], Any]
    """Imports the bot and makes its Bot, anew with each call."""
    folder: Path
    """Where its files are: copies, as the sandbox has them."""


@contextlib.contextmanager
def unpacked(contestant: Contestant) -> Iterator[Loadable]:
    """That bot, ready to be imported; in the end its files and modules are gone.

    Raises:
        Failure: it is no bot.
    """
    paths, modules = sys.path[:], dict(sys.modules)
    with tempfile.TemporaryDirectory(prefix="arena-bot-") as name:
        folder = prepare(contestant, Path(name)).path
        try:
            yield Loadable(load_module(folder), folder)
        finally:
            sys.path[:] = paths
            _forget(folder, modules)


@contextlib.contextmanager
def printing_aside(wanted: bool) -> Iterator[None]:
    """Sends what a bot prints to stderr, where stdout is for one document."""
    with contextlib.redirect_stdout(sys.stderr) if wanted else contextlib.nullcontext():
        yield


@contextlib.contextmanager
def silent() -> Iterator[None]:
    """Drops what a bot prints."""
    with Path(os.devnull).open("w") as nowhere, contextlib.redirect_stdout(nowhere):
        yield


def _forget(folder: Path, before: dict[str, Any]) -> None:
    """Drops the modules of that folder, and brings back those whose names they had taken."""
    for name, module in list(sys.modules.items()):
        if (getattr(module, "__file__", None) or "").startswith(str(folder)):
            del sys.modules[name]
    for name, module in before.items():
        sys.modules.setdefault(name, module)
