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


def run(commands: dict[str, str]) -> subprocess.Popen[str]:
    program = textwrap.dedent(f"""
        import sys
        from league.operations import stack
        sys.exit(stack.run({commands!r}, stack.environment()))
    """)
    return subprocess.Popen([sys.executable, "-c", program], stdout=subprocess.PIPE, text=True)


def test_the_others_end_with_the_first_that_ends_whose_exit_code_is_given_back() -> None:
    started = run({"long": "sleep 60", "short": "sh -c 'exit 3'"})
    out, _ = started.communicate(timeout=20)
    assert started.returncode == 3
    assert "long stopped" in out


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
