from __future__ import annotations

import os
import subprocess
import sys

from league.matches import holder


def test_this_process_is_not_gone() -> None:
    assert not holder.is_gone(holder.name())


def test_a_process_that_ended_is_gone() -> None:
    host, _, _ = holder.name().split("/")
    child = subprocess.Popen([sys.executable, "-c", "input()"], stdin=subprocess.PIPE)
    assert child.stdin is not None
    name = f"{host}/{child.pid}/{holder._started(child.pid)}"
    assert not holder.is_gone(name)
    child.stdin.close()
    child.wait()
    assert holder.is_gone(name)


def test_another_process_with_the_same_number_is_not_the_holder() -> None:
    host, process, started = holder.name().split("/")
    assert int(process) == os.getpid()
    assert holder.is_gone(f"{host}/{process}/{int(started) + 1}")


def test_nothing_is_known_of_processes_on_other_hosts_or_of_other_words() -> None:
    for name in ("elsewhere/1/1", "", "worker", "a/b/c/d"):
        assert not holder.is_gone(name)
