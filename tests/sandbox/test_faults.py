"""What breaks on our side is nobody's loss, and leaves nothing behind."""

from __future__ import annotations

import contextlib
import os
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path

import docker
import pytest

from sandbox import Limits, SandboxFault, containers, open_launcher
from sandbox.box import BotBox
from sandbox.interpreter import interpreter
from sandbox.launchers import Launcher
from sandbox.owner import owner
from sandbox.session import Session
from tests.sandbox.harness import (
    AMPLE,
    HONEST,
    HOSTILE,
    leftovers,
    load_factor,
    loaded,
    open_descriptors,
    question,
    write_bot,
)
from tests.small_disk import small_disk


def child_of(session: Session) -> int:
    """The pid of the match's child, as this process sees it."""
    return session._stopwatch._clock._pid  # type: ignore[attr-defined, no-any-return]


def runs(pid: int) -> bool:
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except OSError:
        return False


def test_a_child_killed_from_outside_is_nobodys_loss(box: BotBox) -> None:
    with box.match(AMPLE, "a") as session:
        loaded(session)
        os.kill(child_of(session), signal.SIGKILL)
        with pytest.raises(SandboxFault, match="from outside"):
            session.ask(question(1))
    with box.match(AMPLE, "b") as session:
        loaded(session)
    box.close()


def test_a_box_that_vanishes_in_a_decision_is_nobodys_loss(launcher: Launcher, tmp_path: Path) -> None:
    box = launcher.start(write_bot(tmp_path / "bot", HONEST))
    with box.match(AMPLE, "a") as session:
        loaded(session)
        zygote = int(Path(f"/proc/{child_of(session)}/status").read_text().split("PPid:")[1].split()[0])
        child = child_of(session)
        os.kill(zygote, signal.SIGKILL)
        while runs(child):
            time.sleep(0.01)
        with pytest.raises(SandboxFault, match="gone"):
            session.ask(question(1))
    assert not box.alive
    with pytest.raises(SandboxFault), box.match(AMPLE, "b"):
        pass
    box.close()


@pytest.mark.docker
def test_a_container_removed_in_a_decision_is_nobodys_loss(engine: None, tmp_path: Path) -> None:
    from sandbox.containers import DockerLauncher

    launcher = DockerLauncher()
    client = docker.from_env()
    try:
        box = launcher.start(write_bot(tmp_path / "bot", HONEST))
        with box.match(AMPLE, "a") as session:
            loaded(session)
            (container,) = owned_by(launcher._owner)
            client.api.remove_container(container, force=True)
            with pytest.raises(SandboxFault, match="gone"):
                session.ask(question(1))
    finally:
        launcher.close()
        client.close()


def owned_by(name: str) -> list[str]:
    """This process may have more boxes from other tests; the newest comes first."""
    client = docker.from_env()
    try:
        return [each["Id"] for each in client.api.containers(all=True, filters={"label": f"arena.owner={name}"})][:1]
    finally:
        client.close()


def test_worker_killed(launcher: Launcher, tmp_path: Path) -> None:
    bundle = write_bot(tmp_path / "bot", (HOSTILE / "import_loop.py").read_text())
    worker = subprocess.Popen(
        [sys.executable, str(Path(__file__).with_name("worker_to_kill.py")), launcher.name, str(bundle.path)],
        stdout=subprocess.PIPE,
        text=True,
        env={**os.environ, "PYTHONPATH": str(Path(__file__).parents[2])},
    )
    assert worker.stdout is not None
    zygote, name = worker.stdout.readline().split()
    worker.kill()
    worker.wait()
    worker.stdout.close()
    killed = time.monotonic()
    while still_there(launcher, zygote, name):
        assert time.monotonic() - killed < 5
        time.sleep(0.02)
    # A second on an idle machine; the engine's bookkeeping waits for a core as everybody else.
    assert time.monotonic() - killed < 1 + os.getloadavg()[0] / 2


@pytest.mark.docker
@pytest.mark.usefixtures("engine")
def test_the_folder_of_a_killed_worker_is_removed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("ARENA_SANDBOX_DIR", str(tmp_path))
    for name, of in (("dead", f"{owner().rsplit('/', 1)[0]}/1"), ("alive", owner())):
        (tmp_path / f"arena-boxes-{name}").mkdir()
        (tmp_path / f"arena-boxes-{name}" / "owner").write_text(of)
    open_launcher("docker").close()
    assert [path.name for path in tmp_path.iterdir()] == ["arena-boxes-alive"]


def still_there(launcher: Launcher, zygote: str, name: str) -> bool:
    if launcher.name == "docker":
        return bool(owned_by(name))
    return runs(int(zygote))  # whether init has reaped it is not ours to tell


def test_a_bot_that_can_not_be_found_is_nobodys_loss(launcher: Launcher, tmp_path: Path) -> None:
    (tmp_path / "gone").mkdir()
    bundle = write_bot(tmp_path / "gone", HONEST)
    with launcher.start(bundle) as box:
        (tmp_path / "gone" / "bot.py").unlink()
        with box.match(AMPLE, "a") as session, pytest.raises(SandboxFault, match="the bot's files were removed"):
            loaded(session)


SLEEPS = "import time; time.sleep(60)"
SAYS_NOTHING = """
import socket, time
with socket.socket(socket.AF_UNIX, socket.SOCK_SEQPACKET) as control:
    control.connect("/run/arena/socket")
    time.sleep(60)
"""


@pytest.fixture(scope="module")
def fresh(engine: None) -> Iterator[containers.DockerLauncher]:
    """A launcher that has started nothing."""
    opened = containers.DockerLauncher()
    yield opened
    opened.close()


@pytest.mark.docker
@pytest.mark.parametrize(
    ("program", "words"),
    [
        (SLEEPS, "it does not answer after 1 s"),
        (SAYS_NOTHING, "the box does not answer"),
        ("raise SystemExit(3)", "exit status 3|No such container"),  # it removes itself when it has ended
    ],
    ids=["sleeps", "says nothing", "ends"],
)
def test_a_container_that_does_not_come_up_is_given_up_and_removed(
    fresh: containers.DockerLauncher, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, program: str, words: str
) -> None:
    monkeypatch.setattr(containers, "command", lambda *_: [interpreter(), "-I", "-S", "-c", program])
    gives_up(fresh, tmp_path, words)


@pytest.mark.docker
def test_a_runtime_that_the_engine_does_not_have_is_named(
    fresh: containers.DockerLauncher, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(fresh, "_runtime", "no-such-runtime")
    gives_up(fresh, tmp_path, "no-such-runtime")


@pytest.mark.docker
def test_a_container_that_was_created_and_never_starts_is_removed(
    fresh: containers.DockerLauncher, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(docker.APIClient, "start", lambda *_: None)
    gives_up(fresh, tmp_path, "it is created")


def gives_up(launcher: containers.DockerLauncher, tmp_path: Path, words: str) -> None:
    """Within about the time that a box has to start, and leaves no container and no socket."""
    before = set(leftovers("docker"))
    started = time.monotonic()
    with pytest.raises(SandboxFault, match=words):
        launcher.start(write_bot(tmp_path / "bot", HONEST), Limits(start_s=1.0))
    assert time.monotonic() - started < 10 * load_factor()
    assert [path.name for path in launcher._folder.iterdir()] == ["owner"]
    while set(leftovers("docker")) - before:  # one that has ended by itself is removed by the engine
        assert time.monotonic() - started < 10 * load_factor()
        time.sleep(0.02)


def test_a_disk_that_is_full_when_a_box_is_started_is_nobodys_loss(
    launcher: Launcher, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    bundle = write_bot(tmp_path / "bot", HONEST)
    # pytest's own folders are deep: a socket's path has to be short
    with tempfile.TemporaryDirectory() as folder, small_disk(disk := Path(folder), nr_inodes=6):
        monkeypatch.setattr(tempfile, "tempdir", folder)
        opened = open_launcher(launcher.name)
        try:
            fill(disk)
            held = []
            for _ in range(2):
                with pytest.raises(SandboxFault, match="No space left on device"):
                    opened.start(bundle)
                held.append(open_descriptors())
            assert held[0] == held[1]
            for path in disk.glob("[0-9]"):
                path.unlink()
            with opened.start(bundle) as box, box.match(AMPLE, "a") as session:
                loaded(session)
        finally:
            opened.close()


def fill(disk: Path) -> None:
    with contextlib.suppress(OSError):
        for number in range(10):
            (disk / str(number)).touch()
