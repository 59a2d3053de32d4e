"""Confines the bots of a command: the only module of `arena` that knows the sandbox."""

from __future__ import annotations

import contextlib
import tempfile
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

import sandbox
from arena.cli.contestant import Contestant
from arena.cli.failure import PLATFORM_FAULT, USAGE, Failure
from sandbox import bundle

if TYPE_CHECKING:
    from sandbox.box import BotBox
    from sandbox.launchers import Launcher


class Boxes(NamedTuple):
    boxes: tuple[BotBox, ...]
    """One for each contestant, in their order."""
    confinement: str
    """How they are confined, in one line."""


@contextlib.contextmanager
def opened(contestants: Sequence[Contestant], choice: str) -> Iterator[Boxes]:
    """Boxes that are ready for a match, closed in the end.

    Raises:
        Failure: an upload is no bot, this machine can't confine bots, or the sandbox failed on the way.
    """
    with contextlib.ExitStack() as stack:
        try:
            folder = Path(stack.enter_context(tempfile.TemporaryDirectory(prefix="arena-match-")))
            bundles = [_prepare(each, folder / str(seat)) for seat, each in enumerate(contestants)]
            launcher = _launcher(choice)
            stack.callback(launcher.close)
            boxes = tuple([stack.enter_context(launcher.start(each)) for each in bundles])
            yield Boxes(boxes, launcher.describe())
        except sandbox.NoSandbox as error:
            raise Failure(f"no sandbox: {error}", PLATFORM_FAULT) from None
        except sandbox.SandboxFault as error:
            raise Failure(f"the sandbox failed, which is no bot's fault: {error}", PLATFORM_FAULT) from None


def _launcher(choice: str) -> Launcher:
    try:
        return sandbox.open_launcher(choice)
    except ValueError as error:
        raise Failure(str(error), USAGE) from None


def _prepare(contestant: Contestant, folder: Path) -> bundle.Bundle:
    try:
        return bundle.prepare(contestant.content, contestant.filename, folder)
    except sandbox.BadUpload as bad:
        raise Failure(f"{contestant.filename}: {bad}", USAGE) from None
