from __future__ import annotations

import os
import select
import signal
import subprocess
import sys
import textwrap
from pathlib import Path

import pytest
import redis
from pytest_django import Settings

from league.operations import broker
from league.settings import broker_socket


@pytest.fixture
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("b")


def client(socket: Path) -> redis.Redis:
    return redis.Redis(unix_socket_path=str(socket), decode_responses=True)


def test_it_answers_inside_the_block_and_is_gone_after_it(folder: Path) -> None:
    with broker.running(folder / "s", folder / "data") as server:
        assert broker.answers(folder / "s")
        assert server is not None
    assert server.poll() is not None
    assert not broker.answers(folder / "s")


def test_what_it_held_is_there_after_it_was_killed(folder: Path) -> None:
    with broker.running(folder / "s", folder / "data"), client(folder / "s") as connected:
        connected.set("a", "1")
    with broker.running(folder / "s", folder / "data") as server, client(folder / "s") as connected:
        assert connected.get("a") == "1"
        assert server is not None
        server.kill()
    with broker.running(folder / "s", folder / "data"), client(folder / "s") as connected:
        assert connected.get("a") == "1"


def test_one_that_answers_already_is_taken_over(folder: Path) -> None:
    with broker.running(folder / "s", folder / "data"):
        with broker.running(folder / "s", folder / "data") as second:
            assert second is None
        assert broker.answers(folder / "s")


def test_it_ends_with_a_starter_that_is_killed(folder: Path) -> None:
    program = textwrap.dedent(f"""
        import sys, time
        from pathlib import Path
        from league.operations import broker
        with broker.running(Path({str(folder / "s")!r}), Path({str(folder / "data")!r})) as server:
            print(server.pid, flush=True)
            time.sleep(60)
    """)
    starter = subprocess.Popen([sys.executable, "-c", program], stdout=subprocess.PIPE, text=True)
    assert starter.stdout is not None
    server = int(starter.stdout.readline())
    watch = os.pidfd_open(server)
    os.kill(starter.pid, signal.SIGKILL)
    starter.wait()
    starter.stdout.close()
    try:
        assert select.select([watch], [], [], 10)[0], "the broker outlives its starter"
    finally:
        os.close(watch)


def test_a_server_that_does_not_come_up_says_why(folder: Path) -> None:
    (folder / "data").mkdir()
    (folder / "data" / "appendonlydir").write_text("in the way")
    with (
        pytest.raises(broker.NoBroker, match="the broker does not come up"),
        broker.running(folder / "s", folder / "data"),
    ):
        pass


def test_a_machine_without_any_server_is_told_what_to_do(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("importlib.util.find_spec", lambda name: None)
    monkeypatch.setenv("PATH", "")
    with pytest.raises(broker.NoBroker, match="set REDIS_URL"):
        broker.program()


def test_a_long_folder_has_its_socket_elsewhere(settings: Settings) -> None:
    assert broker_socket(Path("/srv/arena/var")) == Path("/srv/arena/var/broker.sock")
    long = Path("/" + "x" * 120)
    assert len(str(broker_socket(long))) < 107
    assert broker_socket(long) == broker_socket(long)
    assert broker_socket(long) != broker_socket(long / "y")
