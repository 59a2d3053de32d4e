"""The workers of `make chaos`, which come and go."""

import os
import signal
import subprocess
from contextlib import suppress
from itertools import count
from random import Random

from benchmarks.chaos_remains import children
from benchmarks.stack import Stack
from league.matches import holder
from league.matches.models import Match

Process = subprocess.Popen[bytes]


class Crew:
    def __init__(self, stack: Stack, chance: Random, number: int) -> None:
        """That many workers, of which faults will be drawn by that chance."""
        self._stack = stack
        self._chance = chance
        self._names = (f"worker{each}" for each in count(1))
        self._named: dict[str, Process] = {}
        self._workers: list[Process] = []
        self._stopped: list[Process] = []
        for _ in range(number):
            self.join()
        self.upkeep = stack.start("upkeep")

    def join(self) -> None:
        """One more worker, which PostgreSQL knows by its name."""
        name = next(self._names)
        self._named[name] = self._stack.start("worker", name, settings={"PGAPPNAME": name})
        self._workers.append(self._named[name])

    def one(self) -> Process:
        """Any worker that is not stopped."""
        return self._chance.choice([worker for worker in self._workers if worker not in self._stopped])

    def named(self, name: str) -> Process:
        return self._named[name]

    def kill(self, worker: Process) -> None:
        """Kill it where it stands; another one joins."""
        worker.kill()
        worker.wait()
        self._workers.remove(worker)
        self.join()

    def kill_process(self, worker: Process) -> bool:
        """Kill one process of its pool; False where it has none."""
        pool = children(worker.pid)
        if not pool:
            return False
        with suppress(ProcessLookupError):
            os.kill(self._chance.choice(pool), signal.SIGKILL)
        return True

    def end(self, worker: Process) -> None:
        """Tell it to end, which takes a while; another one joins."""
        worker.terminate()
        self._workers.remove(worker)
        self.join()

    def stop(self, worker: Process) -> list[int]:
        """Stop it with all that it started, which `resume` goes on with."""
        self._stopped.append(worker)
        processes = [worker.pid, *children(worker.pid)]
        for process in processes:
            _signal(process, signal.SIGSTOP)
        return processes

    def resume(self, worker: Process, processes: list[int]) -> None:
        for process in processes:
            _signal(process, signal.SIGCONT)
        self._stopped.remove(worker)

    def replace_ended(self) -> list[str]:
        """Have others in place of those that have ended by themselves; which those were."""
        ended = [worker for worker in self._workers if worker.poll() is not None]
        for worker in ended:
            self._workers.remove(worker)
            self.join()
        return [f"process {worker.pid}, status {worker.returncode}" for worker in ended]

    def restart_upkeep(self) -> None:
        self.upkeep = self._stack.start("upkeep")

    def renew(self) -> None:
        """Have new workers in place of all that are there."""
        for worker in self._workers[:]:
            self.end(worker)


def plays(worker: Process) -> bool:
    """Whether one of its processes holds a match."""
    return Match.objects.running().filter(worker__in=names(children(worker.pid))).exists()


def names(processes: list[int]) -> list[str]:
    """Of those processes, as matches have them."""
    return [holder.of(process) for process in processes]


def _signal(process: int, number: signal.Signals) -> None:
    with suppress(ProcessLookupError):
        os.kill(process, number)
