"""One match of one bot, as the worker sees it: asks, waits, reads, and decides what went wrong."""

from __future__ import annotations

import contextlib
import os
import select
import signal
import socket
import struct
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
from sandbox.runner import MEMORY_STATUS, READY
from sandbox.stopwatch import Stopwatch

START_S = 30.0
"""For the child to stand and be confined: the platform's time, not the bot's."""
EXIT_GRACE_S = 0.2
READ_BYTES = 4_096
"""A read of more would have the allocator fetch and return memory each time."""
CREDENTIALS = struct.Struct("3i")
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
        self._socket, self._other_end = socket.socketpair()
        self._descriptor = self._socket.fileno()
        self._death: dict[str, Any] | None = None
        self._started = False
        self._child = 0
        """Its number where the zygote lives; once that has told."""
        self._stopwatch: Stopwatch
        self._poll = select.poll()
        # The kernel looks at them and tells of them in this order: where it finds an answer, it then finds all that was
        # printed before.
        self._poll.register(self._socket, select.POLLIN)
        self._poll.register(self._output.reader, select.POLLIN)

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
        self._socket.setsockopt(socket.SOL_SOCKET, socket.SO_PASSCRED, 1)
        self._control.say([self._other_end.fileno(), self._output.writer], op="match", cpu_s=cpu_s)
        self._other_end.close()
        self._output.close_writer()

    def _stand(self) -> None:
        """Waits until the child is confined, and finds its clock: the kernel tells who sent the first line."""
        self._hear_of_start()
        self._socket.settimeout(START_S)
        try:
            line, credentials, _, _ = self._socket.recvmsg(len(READY), socket.CMSG_SPACE(CREDENTIALS.size))
        except OSError as error:
            raise SandboxFault(f"the bot's process does not stand after {START_S:.0f} s: {error}") from error
        if line != READY:
            self._output.drain()
            raise SandboxFault(f"the bot's process could not be confined: {self._output.text()}")
        self._socket.setsockopt(socket.SOL_SOCKET, socket.SO_PASSCRED, 0)
        self._socket.setblocking(False)
        pid, _, _ = CREDENTIALS.unpack(credentials[0][2])
        follow(pid)
        self._stopwatch = Stopwatch(clock_of(pid, self._child) or ZygoteClock(self._control))

    def _hear_of_start(self) -> None:
        """Takes the zygote's answer to the start of the match, once."""
        if not self._started:
            self._started = True
            self._child = int(self._control.hear()["pid"])

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
            sent = self._socket.send(data)
        except BlockingIOError:
            sent = 0
        except (BrokenPipeError, ConnectionResetError):
            raise self._died() from None
        if sent != len(data):
            # The buffer holds several requests: only who answers without reading can fill it.
            raise replies.protocol("answers come without the questions being read")

    def _receive(self) -> bytes:
        """One whole line: the wait for it is where a bot is out of time."""
        try:
            line = self._wait_and_read()
            while b"\n" not in line and len(line) <= wire.LINE_BYTES:
                line += self._wait_and_read()
        except ConnectionResetError:
            raise self._died() from None
        end = line.find(b"\n") + 1
        if end == len(line):
            return line
        if end:
            raise replies.protocol(f"more than one answer to one question: {replies.shown(line[end:])} came after it")
        raise replies.protocol(f"an answer longer than {wire.LINE_BYTES} bytes")

    def _wait_and_read(self) -> bytes:
        while True:
            ready = self._poll.poll(self._stopwatch.next_check_ms())
            if len(ready) > 1 or (ready and ready[0][0] != self._descriptor):
                self._drain()
            if ready and ready[0][0] == self._descriptor:
                try:
                    data = self._socket.recv(READ_BYTES)
                except BlockingIOError:  # there is something, but no data; the bot's time runs
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
        if reason and not any(descriptor == self._descriptor for descriptor, _ in self._poll.poll(0)):
            raise Forfeit(Termination.TIME, reason)

    def _drain(self) -> None:
        if not self._output.drain():
            self._poll.unregister(self._output.reader)

    def _died(self) -> Forfeit:
        """The verdict on a bot whose end of the socket closed; the zygote knows how it died.

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
        waiting.register(self._output.reader, select.POLLIN)
        return bool(waiting.poll(0))

    def _close(self) -> None:
        self._socket.close()
        self._other_end.close()
        self._output.close()
        self._ended()


def _signal_name(number: int) -> str:
    """Of the real-time signals only the first and the last have a name."""
    try:
        return signal.Signals(number).name
    except ValueError:
        return f"signal {number}"
