"""Plays many matches at once, in worker processes with sandboxes of their own."""

from __future__ import annotations

import contextlib
import multiprocessing
import signal
import sys
from collections.abc import Generator, Iterator, Sequence
from dataclasses import dataclass
from multiprocessing.connection import Connection, wait
from typing import Any, NamedTuple, NoReturn, cast

from arena import match
from arena.cli.boxes import WarmBoxes, faults_told
from arena.cli.failure import PLATFORM_FAULT, Failure
from arena.replay import Record
from arena.ruleset import Ruleset, TimeControl
from arena.witness import Witness
from sandbox.bundle import Bundle
from sandbox.cores import one_core

END_S = 10.0
"""For a worker to close its boxes."""


@dataclass(frozen=True, slots=True)
class Terms:
    """What all the matches have in common."""

    bundles: Sequence[Bundle]
    names: Sequence[str]
    ruleset: Ruleset
    time_control: TimeControl
    sandbox: str


class Pairing(NamedTuple):
    """A match to be played, with the bots' places among the bundles."""

    a: int
    b: int
    seed: int


class Played(NamedTuple):
    pairing: Pairing
    record: Record
    tracebacks: tuple[str, str]
    """For the authors of A and B; empty where the bot did not fail."""


def play(pairings: Sequence[Pairing], terms: Terms, jobs: int) -> Generator[Played, None, None]:
    """Each match as it ends. With the iteration, however it ends, the workers end.

    Raises:
        Failure: the platform failed in one of them.
    """
    waiting = iter(pairings)
    workers = [_Worker(terms) for _ in range(min(jobs, len(pairings)))]
    try:
        for worker in workers:
            worker.give(next(waiting, None))
        while busy := {worker.connection: worker for worker in workers if worker.busy}:
            for ready in wait(list(busy)):
                worker = busy[cast("Connection", ready)]
                played = worker.take()
                worker.give(next(waiting, None))
                yield played
    finally:
        for worker in workers:
            worker.dismiss()
        for worker in workers:
            worker.join()


class _Worker:
    """A process that plays one match after the other."""

    def __init__(self, terms: Terms) -> None:
        # A fork would share locks with the threads of this process.
        context = multiprocessing.get_context("spawn")
        self.busy = False
        self.connection, theirs = context.Pipe()
        self._process = context.Process(target=_work, args=(theirs, terms), daemon=True)
        with _without_interrupts():
            self._process.start()
        theirs.close()

    def give(self, pairing: Pairing | None) -> None:
        """A match for it to play; nothing where there is none left."""
        if pairing is not None:
            self.busy = True
            with contextlib.suppress(BrokenPipeError):  # `take` finds out
                self.connection.send(pairing)

    def take(self) -> Played:
        """The match that it has played.

        Raises:
            Failure: there, or the process is gone.
        """
        try:
            told = self.connection.recv()
        except (EOFError, OSError):
            raise Failure("a worker process ended before its match", PLATFORM_FAULT) from None
        self.busy = False
        if isinstance(told, Failure):
            raise told
        return cast("Played", told)

    def dismiss(self) -> None:
        """Has it end: an idle one when it sees the end of its connection."""
        self.connection.close()
        if self.busy:
            self._process.terminate()

    def join(self) -> None:
        self._process.join(END_S)
        if self._process.exitcode is None:
            self._process.kill()
            self._process.join()


def _work(connection: Connection[Any, Any], terms: Terms) -> None:
    """What a worker process does, until the other end of its connection is closed."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    signal.signal(signal.SIGTERM, _leave)
    try:
        with faults_told(), WarmBoxes(terms.bundles, terms.sandbox) as boxes:
            while True:
                connection.send(_play(connection.recv(), terms, boxes))
    except (EOFError, BrokenPipeError):
        return
    except Failure as failure:
        connection.send(failure)
    except Exception as error:
        connection.send(Failure(f"the platform failed in a worker: {type(error).__name__}: {error}", PLATFORM_FAULT))


def _play(pairing: Pairing, terms: Terms, boxes: WarmBoxes) -> Played:
    name = f"{terms.names[pairing.a]} - {terms.names[pairing.b]}"
    with (
        boxes.of(pairing.a).match(terms.time_control, name) as a,
        boxes.of(pairing.b).match(terms.time_control, name) as b,
        one_core(),
    ):
        seats = Witness(a), Witness(b)
        record = match.play(seats, terms.ruleset, terms.time_control, pairing.seed)
    return Played(pairing, record, (seats[0].traceback, seats[1].traceback))


def _leave(number: int, frame: object) -> NoReturn:
    """Goes the way of all exits, so that boxes are closed."""
    sys.exit()


@contextlib.contextmanager
def _without_interrupts() -> Iterator[None]:
    """A process that is started meanwhile does not hear Ctrl-C, which is for its parent to answer."""
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)
