"""One match of one bot, as the worker sees it: asks, waits, reads, and decides what went wrong."""

from __future__ import annotations

import contextlib
import os
import select
import signal
from collections.abc import Callable
from types import TracebackType
from typing import Any, Self

from msgspec.json import Encoder

from arena import wire
from arena.outcome import Forfeit, Termination
from arena.players import Answer
from arena.ruleset import TimeControl
from sandbox import replies
from sandbox.clock import ZygoteClock, clock_of
from sandbox.control import Control
from sandbox.cores import follow
from sandbox.errors import SandboxFault
from sandbox.limits import Limits
from sandbox.output import Output, Printed
from sandbox.pipes import Pipe
from sandbox.runner import MEMORY_STATUS, READY
from sandbox.stopwatch import Stopwatch

START_S = 30.0
"""For the child to stand and be confined: the platform's time, not the bot's."""
EXIT_GRACE_S = 0.2
READ_BYTES = 4_096
"""A read of more would have the allocator fetch and return memory each time."""
MEMORY_SIGNALS = {signal.SIGKILL, signal.SIGABRT, signal.SIGSEGV, signal.SIGBUS}
FULL = 0.9
"""A bot that dies of one of these signals with so much of its memory in use has run out of memory."""

_encode = Encoder().encode


class Session:
    """A `Player` whose bot runs in a confined child. Used in a `with`; leaving it ends the child."""

    def __init__(
        self,
        control: Control,
        time_control: TimeControl,
        limits: Limits,
        name: str,
        ended: Callable[[], None],
    ) -> None:
        self.defines: frozenset[str] = frozenset()
        self.name = name
        self.cpu_s = 0.0
        """Of the bot's process in the whole match; after the match."""
        self.memory_peak_kib = 0
        self._control = control
        self._time_control = time_control
        self._limits = limits
        self._ended = ended
        self._output = Output()
        # In turn they take little more than half the time of a pair of sockets.
        self._questions = Pipe()
        self._answers = Pipe()
        self._to_bot, self._from_bot = self._questions.writer, self._answers.reader
        os.set_blocking(self._to_bot, False)
        os.set_blocking(self._from_bot, False)
        self._death: dict[str, Any] | None = None
        self._started: dict[str, Any] = {}
        self._stopwatch: Stopwatch
        self._poll = select.poll()
        # The kernel looks at them and tells of them in this order: where it finds an answer, it then finds all that was
        # printed before.
        self._poll.register(self._from_bot, select.POLLIN)
        self._poll.register(self._output.pipe.reader, select.POLLIN)

    def __enter__(self) -> Self:
        try:
            self._start()
        except BaseException:
            self.__exit__(None, None, None)
            raise
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, traceback: TracebackType | None
    ) -> None:
        try:
            # Whatever the match came to stands; the next one will find that the box is gone.
            with contextlib.suppress(SandboxFault):
                self._end(0.0)
        finally:
            self._close()

    @property
    def output(self) -> str:
        """What the bot printed, its first and last 32 KiB; complete after the match."""
        return self._output.text()

    @property
    def printed(self) -> list[Printed]:
        """The same, in order, by the decisions at which it was printed."""
        return self._output.printed()

    def load(self, start: wire.Message) -> Answer:
        """Has the child import the bot and make its Bot; the names of what it defines.

        Raises:
            Forfeit: it does not come up within the load time.
            SandboxFault: it is not the bot that failed.
        """
        self._stand()
        loaded = self._exchange(start, self._time_control.load_s, "to load")
        self.defines = frozenset(loaded.value)
        self._stopwatch.bank(self._time_control.bank_s)
        return loaded

    def ask(self, request: wire.Message) -> Answer:
        """The bot's answer with the time that it took; asked once, whatever comes.

        Raises:
            Forfeit: no answer within the time for a decision or the bank, or not one that can be read.
            SandboxFault: it is not the bot that failed.
        """
        return self._exchange(request, self._time_control.decision_s, "for a decision")

    def _start(self) -> None:
        """Has the zygote fork the child. Nobody waits for it yet: the other seat's can start meanwhile."""
        time_control = self._time_control
        cpu_s = time_control.load_s + time_control.bank_s + time_control.decision_s
        bots_ends = self._questions.reader, self._answers.writer, self._output.pipe.writer
        self._control.say(bots_ends, op="match", cpu_s=cpu_s)
        self._questions.close_reader()
        self._answers.close_writer()
        self._output.pipe.close_writer()

    def _stand(self) -> None:
        """Waits until the child is confined, and finds its clock: the kernel tells who answered to the start."""
        child = self._hear_of_start()
        waiting = select.poll()
        waiting.register(self._from_bot, select.POLLIN)
        if not waiting.poll(1000 * START_S):
            raise SandboxFault(f"the bot's process does not stand after {START_S:.0f} s")
        if os.read(self._from_bot, len(READY)) != READY:
            self._output.drain()
            raise SandboxFault(f"the bot's process could not be confined: {self._output.text()}")
        follow(child["sender"])
        self._stopwatch = Stopwatch(clock_of(child["sender"], child["pid"]) or ZygoteClock(self._control))

    def _hear_of_start(self) -> dict[str, Any]:
        """Takes the child's answer to the start of the match, once."""
        if not self._started:
            try:
                self._started = self._control.hear()
            except SandboxFault:
                self._death = {"status": 0, "alone": False}  # there is no child, or soon no box
                raise
        return self._started

    def _exchange(self, request: wire.Message, limit_s: float, purpose: str) -> Answer:
        told = dict(request)
        self._output.at = told.pop("at", self._output.at)
        stopwatch = self._stopwatch
        stopwatch.start(limit_s, purpose)
        self._send(_encode(told) + b"\n")
        line = self._receive()
        wall_s = stopwatch.wall_s()
        cpu_s, too_long = stopwatch.stop()
        if too_long:
            raise Forfeit(Termination.TIME, too_long)
        return Answer(replies.read(line, request["op"], request["id"]), cpu_s, wall_s)

    def _send(self, data: bytes) -> None:
        try:
            sent = os.write(self._to_bot, data)
        except BlockingIOError:
            sent = 0
        except BrokenPipeError:
            raise self._died() from None
        if sent != len(data):
            # The buffer holds several requests: only who answers without reading can fill it.
            raise replies.protocol("answers come without the questions being read")

    def _receive(self) -> bytes:
        """One whole line: the wait for it is where a bot is out of time."""
        line = self._wait_and_read()
        while b"\n" not in line and len(line) <= wire.LINE_BYTES:
            line += self._wait_and_read()
        end = line.find(b"\n") + 1
        if end == len(line):
            return line
        if end:
            raise replies.protocol(f"more than one answer to one question: {replies.shown(line[end:])} came after it")
        raise replies.protocol(f"an answer longer than {wire.LINE_BYTES} bytes")

    def _wait_and_read(self) -> bytes:
        while True:
            ready = self._poll.poll(self._stopwatch.next_check_ms())
            if len(ready) > 1 or (ready and ready[0][0] != self._from_bot):
                self._drain()
            if ready and ready[0][0] == self._from_bot:
                try:
                    data = os.read(self._from_bot, READ_BYTES)
                except BlockingIOError:  # taken back by the bot, whose time runs
                    pass
                else:
                    if data:
                        return data
                    raise self._died()
            if self._stopwatch.due():
                self._check_time()

    def _check_time(self) -> None:
        reason = self._stopwatch.overdue()
        # The answer may have come while this process itself was kept from running.
        if reason and not any(descriptor == self._from_bot for descriptor, _ in self._poll.poll(0)):
            raise Forfeit(Termination.TIME, reason)

    def _drain(self) -> None:
        if not self._output.drain():
            self._poll.unregister(self._output.pipe.reader)

    def _died(self) -> Forfeit:
        """The verdict on a bot whose end of a pipe closed; the zygote knows how it died.

        Raises:
            SandboxFault: the zygote is gone as well, or something outside killed the child.
        """
        death = self._end(EXIT_GRACE_S)
        status = death["status"]
        peak_mib = self.memory_peak_kib / 1024
        if not death["alone"]:
            return Forfeit(Termination.CRASH, "the bot's process closed its connection to the match")
        if os.WIFEXITED(status):
            code = os.WEXITSTATUS(status)
            if code == MEMORY_STATUS:
                return self._out_of_memory()
            return Forfeit(Termination.CRASH, f"the bot's process ended with exit status {code}")
        number = os.WTERMSIG(status)
        if number in MEMORY_SIGNALS and peak_mib >= FULL * self._limits.memory_mib:
            return self._out_of_memory()
        if number != signal.SIGKILL:
            ended_by = f"{_signal_name(number)} ({signal.strsignal(number)})"
            return Forfeit(Termination.CRASH, f"the bot's process was ended by {ended_by}")
        control = self._time_control
        if self.cpu_s >= control.load_s + control.bank_s:
            return Forfeit(Termination.TIME, f"{self.cpu_s:.0f} s of CPU time used")
        # Its system call filter lets no bot send itself this signal.
        raise SandboxFault("the bot's process was killed from outside")

    def _out_of_memory(self) -> Forfeit:
        return Forfeit(Termination.MEMORY, f"out of memory: {self._limits.memory_mib} MiB are the limit")

    def _end(self, grace_s: float) -> dict[str, Any]:
        """Ends the child, once; how it died."""
        if self._death is None:
            self._hear_of_start()
            self._death = death = self._control.ask(op="end", grace_s=grace_s)
            self.cpu_s = death["cpu_s"]
            self.memory_peak_kib = death["peak_kib"]
            while self._output.drain() and self._poll_output():
                pass
        return self._death

    def _poll_output(self) -> bool:
        waiting = select.poll()
        waiting.register(self._output.pipe.reader, select.POLLIN)
        return bool(waiting.poll(0))

    def _close(self) -> None:
        for pipe in (self._questions, self._answers, self._output.pipe):
            pipe.close()
        self._ended()


def _signal_name(number: int) -> str:
    """Of the real-time signals only the first and the last have a name."""
    try:
        return signal.Signals(number).name
    except ValueError:
        return f"signal {number}"
