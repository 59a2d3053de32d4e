"""Chooses how bots are confined on this machine."""

from __future__ import annotations

from typing import Protocol

from sandbox.box import BotBox
from sandbox.bundle import Bundle
from sandbox.errors import NoSandbox
from sandbox.limits import Limits

CHOICES = ("auto", "docker", "process")


class Launcher(Protocol):
    """Starts boxes; one launcher for each worker process."""

    name: str

    def describe(self) -> str:
        """How bots are confined, in one line for logs and the status page."""

    def answers(self) -> bool:
        """If it can start boxes at the moment, as far as is known without starting one."""

    def start(self, bundle: Bundle, limits: Limits = Limits()) -> BotBox:  # noqa: B008 - frozen
        """A box for that bot."""

    def close(self) -> None:
        """Ends all its boxes."""


def open_launcher(choice: str = "auto") -> Launcher:
    """The launcher of that name; `auto` takes docker where an engine answers, else process.

    Raises:
        NoSandbox: it can't confine bots here; the text says why and what to do.
        ValueError: there is no such launcher.
    """
    from sandbox.process import ProcessLauncher

    if choice not in CHOICES:
        raise ValueError(f"ARENA_SANDBOX: expected one of {', '.join(CHOICES)}, got {choice!r:.40}")
    if choice == "process":
        return ProcessLauncher()
    from sandbox.containers import DockerLauncher

    if choice == "docker":
        return DockerLauncher()
    try:
        return DockerLauncher()
    except NoSandbox as without_engine:
        try:
            launcher = ProcessLauncher()
        except NoSandbox as without_kernel:
            raise NoSandbox(f"{without_engine}; {without_kernel}") from without_kernel
        launcher.note = str(without_engine)
        return launcher
