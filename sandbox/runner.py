"""The zygote: one guard process for each bot version, which forks a confined child for each match.

It is PID 1 of a container, or a plain subprocess of the worker. The worker holds the other end of its control socket;
when that end closes, for whatever reason, the zygote ends its children and itself. Messages on the control socket are
JSON, one a packet:

    to the zygote                                  its answer
                                                   {"pid": 7, "landlock": 7, "namespaces": true}, or {"fault": "..."},
                                                   once at the start
    {"op": "match", "cpu_s": 45.0} + 3 descriptors {"op": "match", "pid": 8} or {"op": "match", "fault": "..."}
    {"op": "clock"}                                {"op": "clock", "cpu_ns": 1, "waited_ns": 1, "asleep": true}
    {"op": "end", "grace_s": 0.05}                 {"op": "end", "status": 9, "cpu_s": 0.1, "peak_kib": 9000,
                                                    "alone": true}

The descriptors are the bot's ends of three pipes: of the questions, of its answers, and of what it prints. The child
itself answers to the start of a match, so that the kernel tells the worker which process it is. The zygote never
imports, reads or compiles the bot: only its children do, and from then on they can reach no control socket.
"""

from __future__ import annotations

import contextlib
import gc
import json
import os
import select
import signal
import socket
import sys
import time
from collections.abc import Callable
from io import TextIOWrapper
from pathlib import Path
from typing import Any, NoReturn

from arena import host, tracebacks, wire
from arena.rehearsal import rehearse
from sandbox import carried, namespaces, numerics
from sandbox.clock import is_asleep, thread_group_cpu_ns, waited_ns
from sandbox.confine import Confinement, library_paths

PACKET_BYTES = 65_536
READ_BYTES = 4_096
"""A read of more would have the allocator fetch and return memory each time."""
REHEARSED_GAMES = 4
QUESTIONS, ANSWERS = 3, 4
"""The child's descriptors."""
MEMORY_STATUS = 77
"""Exit status of a child that ran out of memory so thoroughly that it could not say so."""
READY = b'{"ready":true}\n'
# What bots commonly import. Loaded once here: a match then pays nothing for it, and the libraries that some of these
# load need not be readable in the child.
_COMMON = """
abc array base64 bisect bz2 collections contextlib copy csv ctypes dataclasses datetime decimal enum fractions functools
gzip hashlib heapq hmac io itertools json logging lzma math operator pickle pprint queue random re statistics string
struct textwrap threading time traceback types typing uuid weakref zlib
"""

_decode = json.JSONDecoder().raw_decode
_encode = json.JSONEncoder(separators=(",", ":"), sort_keys=True, ensure_ascii=False).encode
_quoted = json.encoder.encode_basestring


class Zygote:
    """Forks, kills and reaps; one child at a time."""

    def __init__(self, control: socket.socket, config: dict[str, Any]) -> None:
        self._control = control
        self._folder = Path(config["bot"])
        self._bot = str(self._folder / f"{host.MODULE}.py")
        self._ends = time.monotonic() + config["life_s"]
        self._child = 0
        # Before anything else is given up.
        self._namespaces = config["namespaces"] and namespaces.enter()
        readable = [self._folder, Path(host.__file__).parent, *library_paths()]
        if numpy := _numpy(config):
            readable += [numpy, numerics.libraries(numpy)]
        self._confinement = Confinement(
            readable,
            memory_mib=config["memory_mib"],
            space_mib=config["numpy_space_mib"] if numpy else None,
            open_files=config["open_files"],
            stack_mib=config["stack_mib"],
            use_landlock=config["landlock"],
        )
        self._opens_files = self._confinement.tier.landlock > 0
        if not self._opens_files:
            carried.load_all()

    def serve(self) -> None:
        """Until the worker's end closes, or the box has lived its life and no match is on."""
        self._say(pid=os.getpid(), landlock=self._confinement.tier.landlock, namespaces=self._namespaces)
        while True:
            message, descriptors = self._hear()
            if not message:
                break
            match message["op"]:
                case "match":
                    self._start(message, descriptors)
                case "clock":
                    self._tell_clock()
                case "end":
                    self._finish(message["grace_s"])
        if self._child:
            self._finish(0.0)

    def _hear(self) -> tuple[dict[str, Any], list[int]]:
        while not select.select([self._control], [], [], 60.0)[0]:
            if not self._child and time.monotonic() > self._ends:
                return {}, []
        data, descriptors, _, _ = socket.recv_fds(self._control, PACKET_BYTES, 3)
        return (json.loads(data) if data else {}), descriptors

    def _say(self, **message: Any) -> None:
        # The worker may be gone; the next receive will tell.
        with contextlib.suppress(BrokenPipeError):
            self._control.send(json.dumps(message).encode())

    def _start(self, message: dict[str, Any], descriptors: list[int]) -> None:
        if self._child:
            raise RuntimeError("a match is still on")
        try:
            if not os.path.exists(self._bot):  # noqa: PTH110 - a fifth of a millisecond quicker
                raise FileNotFoundError("the bot's files were removed")
            child = os.fork()
        except OSError as error:
            self._say(op="match", fault=f"no process for the match: {error}")
        else:
            if child == 0:
                self._play(descriptors, message["cpu_s"])
            self._child = child
        for descriptor in descriptors:
            os.close(descriptor)

    def _play(self, descriptors: list[int], cpu_s: float) -> NoReturn:
        """The child: first it locks itself in, then it brings up the bot."""
        status = 1
        questions, answers, output = descriptors
        try:
            self._say(op="match", pid=os.getpid())
            nothing = os.open(os.devnull, os.O_RDONLY)
            load_module = host.load_module if self._opens_files else carried.load_module
            factory = load_module(self._folder)
            kept = nothing, output, output, questions, answers
            self._confinement.seal(*kept, cpu_s=cpu_s, opens_files=self._opens_files)
            answer(self._folder, factory)
            status = 0
        except MemoryError:
            status = MEMORY_STATUS
        except BaseException as error:
            # The bot's own errors are replies; this is the runner's, or a bot's that has tampered with it.
            with contextlib.suppress(BaseException):
                os.write(2, f"the runner failed: {tracebacks.describe(error)}\n".encode())
        finally:
            os._exit(status)

    def _tell_clock(self) -> None:
        cpu = 0
        # A child that has died is still there until it is reaped, but has no clock any more.
        with contextlib.suppress(OSError):
            cpu = thread_group_cpu_ns(self._child)
        self._say(op="clock", cpu_ns=cpu, waited_ns=waited_ns(self._child), asleep=is_asleep(self._child))

    def _finish(self, grace_s: float) -> None:
        """Ends the match's child, and tells how it died and what it used."""
        child, self._child = self._child, 0
        if not child:
            self._say(op="end", status=0, cpu_s=0.0, peak_kib=0, alone=False)
            return
        found, status, usage = os.wait4(child, os.WNOHANG)
        deadline = time.monotonic() + grace_s
        while not found and time.monotonic() < deadline:
            time.sleep(0.001)
            found, status, usage = os.wait4(child, os.WNOHANG)
        alone = bool(found)
        if not found:
            os.kill(child, signal.SIGKILL)
            _, status, usage = os.wait4(child, 0)
        _sweep()
        cpu_s = usage.ru_utime + usage.ru_stime
        self._say(op="end", status=status, cpu_s=cpu_s, peak_kib=usage.ru_maxrss, alone=alone)


def _sweep() -> None:
    """Kills and reaps whatever else lives in the container. A child can't fork; this is the second lock."""
    if os.getpid() != 1:
        # kill(-1) would reach every process of the machine.
        return
    with contextlib.suppress(ProcessLookupError):
        os.kill(-1, signal.SIGKILL)
    with contextlib.suppress(ChildProcessError):
        while os.waitpid(-1, 0)[0]:
            pass


def answer(folder: Path, factory: Callable[[], Any]) -> None:
    """Answers the match's messages until their pipe is closed."""
    # New ones, since Python remembers what kind of file the zygote's were.
    sys.stdout = _text_stream(1)
    sys.stderr = _text_stream(2)
    bot = host.Host(factory, folder)
    os.write(ANSWERS, READY)
    while line := _read_line():
        message, _ = _decode(line.decode())
        reply = bot.answer(message)
        _write(_line(reply).encode(errors="replace"))


def _line(reply: wire.Message) -> str:
    """The reply in its one form, which the worker insists on: keys by name, no spaces."""
    if "cards" in reply:  # by far the most common, and quicker so
        return f'{{"cards":[{",".join(map(_quoted, reply["cards"]))}],"id":{reply["id"]}}}\n'
    return f"{_encode(reply)}\n"


def _text_stream(descriptor: int) -> TextIOWrapper[Any]:
    """For what the bot prints, as with `python -u`: at once, so that it belongs to its decision and is never lost."""
    raw = open(descriptor, "wb", buffering=0, closefd=False)  # noqa: SIM115
    return TextIOWrapper(raw, encoding="utf-8", errors="backslashreplace", write_through=True)


def _read_line() -> bytes:
    data = os.read(QUESTIONS, READ_BYTES)
    while data and not data.endswith(b"\n"):
        more = os.read(QUESTIONS, READ_BYTES)
        if not more:
            return b""
        data += more
    return data


def _write(data: bytes) -> None:
    while data:
        data = data[os.write(ANSWERS, data) :]


def _connect(control: int | str) -> socket.socket:
    if isinstance(control, int):
        return socket.socket(fileno=control)
    connected = socket.socket(socket.AF_UNIX, socket.SOCK_SEQPACKET)
    connected.connect(control)
    return connected


def _numpy(config: dict[str, Any]) -> Path | None:
    """Where the numpy for this bot is, if it asks for one."""
    return Path(config["numpy"]) if config["numpy"] else None


def main() -> None:
    """Runs with one argument, the configuration as JSON: bot, control, numpy, and the limits."""
    config = json.loads(sys.argv[1])
    for number in signal.valid_signals():
        # As PID 1 only the default action is harmless: the kernel then ignores what comes from inside.
        with contextlib.suppress(OSError, ValueError):
            signal.signal(number, signal.SIG_DFL)
    control = _connect(config["control"])
    try:
        for name in _COMMON.split():
            with contextlib.suppress(ImportError):
                __import__(name)
        numerics.offer(_numpy(config))
        sys.path[:] = [path for path in sys.path if path not in config["own_paths"]]
        zygote = Zygote(control, config)
        rehearse(REHEARSED_GAMES)
    except Exception as error:
        control.send(json.dumps({"fault": f"{type(error).__name__}: {error}"}).encode())
        return
    gc.collect()
    gc.freeze()
    zygote.serve()
