"""A Docker engine that may be stopped: not the one that the other tests use."""

from __future__ import annotations

import os
import shutil
import signal
import socket
import subprocess
import time
from pathlib import Path

from league.processes import die_with_parent
from sandbox.engine import UNIX

UP_S = 30.0


class OwnEngine:
    """Keeps what it has in that folder from one start to the next."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._process: subprocess.Popen[bytes] | None = None
        self.host = f"{UNIX}{folder}/socket"

    def start(self) -> None:
        folder = self._folder
        with (folder / "log").open("ab") as log:
            self._process = subprocess.Popen(
                # In a network of its own: an engine without a bridge takes away that of the machine's own engine.
                ["unshare", "--net", "dockerd", "--data-root", folder / "data", "--exec-root", folder / "run",
                 "--pidfile", folder / "pid", "--host", self.host, "--bridge=none", "--iptables=false",
                 "--ip6tables=false", "--ip-forward=false"],
                stdout=log,
                stderr=log,
                preexec_fn=die_with_parent(signal.SIGTERM),
            )  # fmt: skip
        ends = time.monotonic() + UP_S
        while not self._answers():
            assert self._process.poll() is None, (folder / "log").read_text()[-2_000:]
            assert time.monotonic() < ends, "the engine does not come up"
            time.sleep(0.05)

    def stop(self, how: signal.Signals = signal.SIGTERM) -> None:
        """By default in the orderly way, which ends its containers."""
        if self._process:
            self._process.send_signal(how)
            self._process.wait()
            self._await_end_of_containerd()

    def _await_end_of_containerd(self) -> None:
        """It ends with an engine that is killed; the next one would take what is left of it for alive."""
        kept = self._folder / "run" / "containerd" / "containerd.pid"
        if not kept.exists():
            return
        process = int(kept.read_text())
        ends = time.monotonic() + UP_S
        while not _has_ended(process):
            assert time.monotonic() < ends, "containerd does not end with its engine"
            time.sleep(0.05)
        kept.unlink()

    def _answers(self) -> bool:
        """Asked over a socket of our own: Docker's client leaves its one open where nobody answers."""
        with socket.socket(socket.AF_UNIX) as visitor:
            visitor.settimeout(5)
            try:
                visitor.connect(self.host.removeprefix(UNIX))
                visitor.sendall(b"GET /_ping HTTP/1.0\r\n\r\n")
                return b"200 OK" in visitor.recv(1_024)
            except OSError:
                return False


def _has_ended(process: int) -> bool:
    try:
        return Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()[0] == "Z"
    except OSError:
        return True


def can_start_engines() -> bool:
    return os.geteuid() == 0 and shutil.which("dockerd") is not None
