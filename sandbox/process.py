"""The launcher for machines without a container engine: the zygote is a subprocess of the worker."""

from __future__ import annotations

import json
import socket
import subprocess
import tempfile
from functools import cache
from typing import IO

from sandbox import numerics
from sandbox.box import BotBox
from sandbox.bundle import Bundle
from sandbox.confine import tier
from sandbox.errors import NoSandbox, SandboxFault
from sandbox.interpreter import SOURCES, command
from sandbox.limits import Limits

END_S = 5.0


class ProcessLauncher:
    """Boxes as subprocesses; refuses where the kernel can't confine them."""

    name = "process"
    note = ""
    """Why it is not the other launcher, if that was to be preferred."""

    def __init__(self, use_landlock: bool = True) -> None:
        """
        Args:
            use_landlock: Where the kernel has it; without, to try what becomes of bots on other kernels.

        Raises:
            NoSandbox: no system call filter here.
        """
        self._use_landlock = use_landlock
        self._tier = tier(use_landlock)
        if not self._tier.seccomp:
            raise NoSandbox(
                f"this kernel can't confine a process ({self._tier}); bots need Linux with seccomp on x86_64 or "
                "aarch64, best with Landlock (5.13 or newer), or a Docker engine that answers"
            )
        try:
            self._numpy = numerics.home()
        except OSError as missing:
            raise NoSandbox(str(missing)) from missing
        self._boxes: list[BotBox] = []

    def describe(self) -> str:
        network = ", a network of their own" if has_namespaces() else ""
        return f"processes on this machine ({self._tier}{network})" + (f"; {self.note}" if self.note else "")

    def answers(self) -> bool:
        return True

    def start(self, bundle: Bundle, limits: Limits = Limits()) -> BotBox:  # noqa: B008 - frozen
        """A box for that bot.

        Raises:
            SandboxFault: it does not come up.
        """
        try:
            box = self._start(bundle, limits)
        except (OSError, SandboxFault) as error:
            raise SandboxFault(f"no process for the bot: {error}") from error
        self._boxes = [*(each for each in self._boxes if not each.closed), box]
        return box

    def close(self) -> None:
        for box in self._boxes:
            box.close()
        self._boxes.clear()

    def _start(self, bundle: Bundle, limits: Limits) -> BotBox:
        ours, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
        try:
            with theirs, tempfile.TemporaryFile() as errors:
                process = self._spawn(theirs, errors, bundle, limits)
                theirs.close()
                try:
                    return BotBox(ours, limits, lambda: _end(process))
                except SandboxFault as fault:
                    errors.seek(0)
                    words = errors.read().decode(errors="replace").strip()
                    raise SandboxFault(f"{fault} {words}".strip()) from fault
        except OSError:
            ours.close()
            raise

    def _spawn(
        self, theirs: socket.socket, errors: IO[bytes], bundle: Bundle, limits: Limits
    ) -> subprocess.Popen[bytes]:
        config = {
            "bot": str(bundle.path.resolve()),
            "namespaces": True,
            "landlock": self._use_landlock,
            "control": theirs.fileno(),
            "own_paths": [str(SOURCES)],
            "numpy": str(self._numpy) if numerics.is_wanted(bundle.path) else None,
            **limits.as_dict(),
        }
        return subprocess.Popen(  # noqa: S603 - our own interpreter and words
            command("runner", json.dumps(config), str(SOURCES)),
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=errors,
            pass_fds=(theirs.fileno(),),
            env={},
            cwd="/",
            start_new_session=True,
        )


@cache
def has_namespaces() -> bool:
    """If this machine gives boxes namespaces of their own; tried once, in another process."""
    tried = subprocess.run(  # noqa: S603 - our own interpreter and words
        command("namespaces", "", str(SOURCES)), stdin=subprocess.DEVNULL, capture_output=True, env={}, check=False
    )
    return tried.returncode == 0


def _end(process: subprocess.Popen[bytes]) -> None:
    try:
        process.wait(END_S)
    except subprocess.TimeoutExpired:
        process.kill()
        process.wait()
