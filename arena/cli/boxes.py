"""Confines the bots of a command: the only module of `arena` that knows the sandbox."""

from __future__ import annotations

import contextlib
import tempfile
from collections import OrderedDict
from collections.abc import Iterator, Sequence
from pathlib import Path
from types import TracebackType
from typing import TYPE_CHECKING, NamedTuple, Self

import sandbox
from arena.cli.contestant import Contestant
from arena.cli.failure import PLATFORM_FAULT, USAGE, Failure
from sandbox import bundle

if TYPE_CHECKING:
    from sandbox.box import BotBox
    from sandbox.launchers import Launcher


MOST_BOXES = 16
"""That are kept open for later matches: each is a process, or a container."""


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
    with faults_told(), contextlib.ExitStack() as stack:
        folder = Path(stack.enter_context(tempfile.TemporaryDirectory(prefix="arena-match-")))
        bundles = [prepare(each, folder / str(seat)) for seat, each in enumerate(contestants)]
        launcher = open_launcher(choice)
        stack.callback(launcher.close)
        boxes = tuple([stack.enter_context(launcher.start(each)) for each in bundles])
        yield Boxes(boxes, launcher.describe())


class WarmBoxes:
    """The boxes of many bots, each started when it is first wanted; those used least lately make room for others."""

    def __init__(self, bundles: Sequence[bundle.Bundle], choice: str, most: int = MOST_BOXES) -> None:
        """
        Raises:
            NoSandbox: this machine can't confine bots.
        """
        self._bundles = bundles
        self._most = most
        self._launcher = open_launcher(choice)
        self._open: OrderedDict[int, BotBox] = OrderedDict()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, traceback: TracebackType | None
    ) -> None:
        self._launcher.close()

    def of(self, number: int) -> BotBox:
        """The box of the bot with that place among the bundles, ready for a match.

        Raises:
            SandboxFault: it can't be started.
        """
        box = self._open.pop(number, None)
        if box is not None and not box.alive:  # its life was over
            box.close()
            box = None
        if box is None:
            while len(self._open) >= self._most:
                self._open.popitem(last=False)[1].close()
            box = self._launcher.start(self._bundles[number])
        self._open[number] = box
        return box


@contextlib.contextmanager
def faults_told() -> Iterator[None]:
    """Makes what the sandbox raises a `Failure`, in words for the user."""
    try:
        yield
    except sandbox.NoSandbox as error:
        raise Failure(f"no sandbox: {error}", PLATFORM_FAULT) from None
    except sandbox.SandboxFault as error:
        raise Failure(f"the sandbox failed, which is no bot's fault: {error}", PLATFORM_FAULT) from None


def open_launcher(choice: str) -> Launcher:
    """How bots are confined here.

    Raises:
        Failure: there is no such choice.
        NoSandbox: this machine can't confine bots.
    """
    try:
        return sandbox.open_launcher(choice)
    except ValueError as error:
        raise Failure(str(error), USAGE) from None


def prepare(contestant: Contestant, folder: Path) -> bundle.Bundle:
    """The bot's files in that folder.

    Raises:
        Failure: it is no bot.
    """
    try:
        return bundle.prepare(contestant.content, contestant.filename, folder)
    except sandbox.BadUpload as bad:
        raise Failure(f"{contestant.filename}: {bad}", USAGE) from None
