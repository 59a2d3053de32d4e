from __future__ import annotations

import os
import select
import signal
import socket
import subprocess
import sys
import textwrap
from pathlib import Path

import pytest

from league.operations import stack


def test_a_folder_serves_one_stack_at_a_time(tmp_path: Path) -> None:
    said = f"process {os.getpid()}.*ARENA_HOME"
    with stack.alone(tmp_path), pytest.raises(stack.CannotStart, match=said), stack.alone(tmp_path):
        pass
    with stack.alone(tmp_path):
        pass


def test_a_port_that_is_taken_is_said() -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        bind = f"127.0.0.1:{taken.getsockname()[1]}"
        with pytest.raises(stack.CannotStart, match=f"can't listen on {bind}: .*in use.*ARENA_BIND"):
            stack.demand_free(bind)
    stack.demand_free(bind)


@pytest.mark.parametrize("bind", ["", "8000x", "127.0.0.1:", "no.such.host.invalid:80"])
def test_what_is_no_address_is_said(bind: str) -> None:
    with pytest.raises(stack.CannotStart, match="can't listen on"):
        stack.demand_free(bind)


def test_the_procfile_names_the_processes() -> None:
    procfile = Path(__file__).parents[3] / "Procfile"
    assert set(stack.commands(procfile)) == {"broker", "worker", "upkeep", "site"}
    assert set(stack.commands(procfile, frozenset({"broker"}))) == {"worker", "upkeep", "site"}


PRINTS_UNTIL_TOLD = """
import io, os, signal, sys

class Output(io.RawIOBase):
    told = False

    def writable(self):
        return True

    def write(self, text):
        if b"at work" in bytes(text) and not self.told:
            self.told = True
            os.kill(os.getpid(), signal.SIGTERM)
        return os.write(1, text)

sys.stdout = io.TextIOWrapper(io.BufferedWriter(Output()))
"""


def run(commands: dict[str, str], prelude: str = "") -> subprocess.Popen[str]:
    program = f"""{prelude}
import sys
import textwrap
from league.operations import stack
sys.exit(stack.run({commands!r}, stack.environment()))
"""
    errors = subprocess.PIPE if prelude else None
    return subprocess.Popen([sys.executable, "-c", program], stdout=subprocess.PIPE, stderr=errors, text=True)


def test_the_others_end_with_the_first_that_ends_whose_exit_code_is_given_back() -> None:
    started = run({"long": "sleep 60", "short": "sh -c 'exit 3'"})
    out, _ = started.communicate(timeout=20)
    assert started.returncode == 3
    assert "long stopped" in out


def test_it_ends_in_order_where_the_signal_comes_while_it_prints() -> None:
    started = run({"long": "sh -c 'echo at work; exec sleep 60'"}, prelude=PRINTS_UNTIL_TOLD)
    _out, errors = started.communicate(timeout=20)
    assert errors == ""
    assert started.returncode == 128 + signal.SIGTERM


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM, signal.SIGKILL])
def test_no_process_is_left_however_the_stack_ends(number: signal.Signals) -> None:
    shows = "sh -c 'echo pid $$; exec sleep 60'"
    started = run({"one": shows, "two": shows})
    assert started.stdout is not None
    processes: list[int] = []
    while len(processes) < 2:
        words = started.stdout.readline().split()
        if "pid" in words:
            processes.append(int(words[-1]))
    watches = [os.pidfd_open(process) for process in processes]
    started.send_signal(number)
    try:
        for watch in watches:
            assert select.select([watch], [], [], 10)[0], "a process is left"
    finally:
        for watch in watches:
            os.close(watch)
    started.stdout.close()
    started.wait(10)


def test_the_stack_ends_with_a_broker_that_ends_by_itself() -> None:
    program = textwrap.dedent("""
        import subprocess, sys
        from league.operations import stack
        broker = subprocess.Popen(["sleep", "1"])
        sys.exit(stack.run({"long": "sleep 60"}, stack.environment(), broker))
    """)
    ended = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, timeout=30, check=False)
    assert ended.returncode == 143
    assert "the broker ended by itself" in ended.stderr
    assert "long stopped" in ended.stdout
