"""What a worker's own process does beside its pool, every few seconds: say that it is alive, and pause where it must.

While it is paused it listens to no bell, so that others hear it, and rehearses in a process apart.
"""

import logging
import os
import signal
import subprocess
import sys
import time
from typing import Any

from league.matches import pausing, workers
from league.matches.models import Worker
from league.processes import die_with_parent

log = logging.getLogger(__name__)

QUEUES = ("checks", "matches")
REHEARSAL_S = 300.0
"""The sandbox's image may have to be built first."""


class Presence:
    """A worker, by the consumer of its messages."""

    def __init__(self, consumer: Any) -> None:
        self._consumer = consumer
        self._next = 0.0
        self._listens = True
        self._rehearsal: subprocess.Popen[str] | None = None
        self._begun = 0.0

    def join(self) -> None:
        workers.sign_in(self._processes())
        self.beat()

    def beat(self) -> None:
        """Bring the worker's row up to date, and do what it says; nothing where that was done just now."""
        if time.monotonic() < self._next:
            return
        self._next = time.monotonic() + workers.BEAT_EVERY.total_seconds()
        worker = workers.beat(self._processes())
        if self._rehearsal:
            self._look_at_rehearsal(worker, self._rehearsal)
        elif short := pausing.short_of_disk():
            if not worker.pause:
                pausing.pause(worker, Worker.Pause.DISK, short)
        elif worker.pause and pausing.begin_rehearsal(worker):
            self._begun = time.monotonic()
            self._rehearsal = rehearsal()
        self._listen(pausing.works())

    def leave(self) -> None:
        if self._rehearsal:
            self._end(self._rehearsal)
        workers.sign_out()

    def _look_at_rehearsal(self, worker: Worker, process: subprocess.Popen[str]) -> None:
        if process.poll() is None and time.monotonic() < self._begun + REHEARSAL_S:
            return
        said = self._end(process)
        if process.returncode == 0:
            pausing.passed_rehearsal(worker, said)
        else:
            pausing.failed_rehearsal(worker, said or f"its rehearsal ended with status {process.returncode}")

    def _end(self, process: subprocess.Popen[str]) -> str:
        """End the rehearsal, however far it is; what it said."""
        process.kill()
        said, _ = process.communicate()
        self._rehearsal = None
        return said.strip()

    def _listen(self, wanted: bool) -> None:
        """Hear the bells of checks and matches, or leave them to others."""
        if wanted == self._listens:
            return
        change = self._consumer.add_task_queue if wanted else self._consumer.cancel_task_queue
        for queue in QUEUES:
            change(queue)
        self._listens = wanted

    def _processes(self) -> list[int]:
        """The ids of those that play; a pool of threads has none but this one."""
        found: list[int] = self._consumer.pool.info.get("processes", [os.getpid()])
        return found


def rehearsal() -> subprocess.Popen[str]:
    """A process that rehearses: it says how bots are confined and ends with 0, or what is wrong and another status."""
    return subprocess.Popen(
        [sys.executable, "-m", "django", "rehearse"],
        env={**os.environ, "DJANGO_SETTINGS_MODULE": "league.settings"},
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        text=True,
        preexec_fn=die_with_parent(signal.SIGKILL),
    )
