"""The image and the hygiene of containers."""

from __future__ import annotations

import os
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path, PurePosixPath

import docker
import pytest

from sandbox import containers, image
from sandbox.containers import EXPIRES, OWNER, ROLE, ROLE_SANDBOX, DockerLauncher, is_orphan
from sandbox.image import File
from sandbox.owner import is_gone, owner
from sandbox.profile import container_profile
from tests.sandbox.harness import (
    AMPLE,
    HONEST,
    hostile_files,
    leftovers,
    load_message,
    loaded,
    question,
    write_bot,
)

pytestmark = pytest.mark.docker


@pytest.fixture
def client(engine: None) -> Iterator[docker.DockerClient]:
    opened = docker.from_env()
    yield opened
    opened.close()


@pytest.fixture(scope="module")
def files() -> list[File]:
    return list(image.contents())


def test_the_box_finds_out_by_itself_that_there_is_no_landlock(
    client: docker.DockerClient, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    # A kernel without Landlock answers in the same way: the calls fail.
    monkeypatch.setattr(containers, "container_profile", lambda: container_profile().replace("landlock_", "mq_"))
    launcher = DockerLauncher()
    try:
        (tmp_path / "canary.json").write_text('{"paths": []}')
        for module in ("write_everywhere", "fork_bomb", "read_secrets"):
            files = hostile_files(module)
            bundle = write_bot(tmp_path, files.pop("bot.py"), **files)
            with launcher.start(bundle) as box, box.match(AMPLE, module) as session:
                assert box.landlock == 0
                session.load(load_message(AMPLE))
            assert "refused" in session.output
            assert "WORKED" not in session.output
        assert "no Landlock, so that bots can open no file" in launcher.describe()
    finally:
        launcher.close()


def test_a_runtime_that_is_asked_for_is_used_with_room_for_a_kernel(
    client: docker.DockerClient, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("ARENA_CONTAINER_RUNTIME", "runc")
    launcher = DockerLauncher()
    try:
        assert "runtime runc" in launcher.describe()
        memory, others = {}, set(leftovers("docker"))
        for name, source in {"plain": HONEST, "numpy": f"import numpy\n{HONEST}"}.items():
            with launcher.start(write_bot(tmp_path / name, source)) as box, box.match(AMPLE, "a") as session:
                loaded(session).ask(question(1))
                (container,) = set(leftovers("docker")) - others
                config = client.api.inspect_container(container)["HostConfig"]
            assert config["Runtime"] == "runc"
            assert config["PidsLimit"] >= 500
            memory[name] = config["Memory"] // 2**20
        # more than all the addresses that its bots may use
        assert memory == {"plain": 256 + 320, "numpy": 1024 + 320}
    finally:
        launcher.close()


def test_the_tag_is_a_hash_of_all_that_goes_in(files: list[File]) -> None:
    tag = image.fingerprint(files)
    assert tag == image.fingerprint(files[::-1])
    first = files[0]
    assert tag != image.fingerprint([first._replace(content=first.content + b"\n"), *files[1:]])
    assert tag != image.fingerprint([first._replace(inside=PurePosixPath("/else")), *files[1:]])
    assert tag != image.fingerprint([first._replace(executable=not first.executable), *files[1:]])
    assert tag != image.fingerprint(files[1:])


def test_the_image_holds_no_shell_and_no_package(files: list[File]) -> None:
    names = {str(file.inside) for file in files}
    assert not {name for name in names if name.endswith(("/sh", "/bash", "/env", "/su"))}
    assert not {name for name in names if "site-packages" in name}
    assert "/opt/arena/arena/host.py" in names
    assert "/opt/arena/sandbox/runner.py" in names
    assert not {name for name in names if name.startswith("/opt/arena/sandbox/") and "docker" in name}


def test_an_image_that_is_there_is_not_built_again(
    client: docker.DockerClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    name = image.ensure(client)

    def build(*_: object) -> None:
        raise AssertionError("built again")

    monkeypatch.setattr(image, "_import", build)
    assert image.ensure(client) == name


def test_an_image_that_was_removed_under_a_worker_is_made_again(client: docker.DockerClient, tmp_path: Path) -> None:
    launcher = DockerLauncher()
    try:
        launcher._image = f"{image.REPOSITORY}:removed"
        with launcher.start(write_bot(tmp_path, HONEST)) as box, box.match(AMPLE, "a") as session:
            assert loaded(session).ask(question(1)).value is not None
        assert launcher._image == image.ensure(client)
    finally:
        launcher.close()


def test_a_container_of_a_dead_owner_is_an_orphan() -> None:
    now = time.time()
    container = {"Labels": {OWNER: owner(), EXPIRES: str(int(now + 60))}, "State": "running", "Created": now}
    assert not is_orphan(container, now)
    assert is_orphan(container, now + 61)
    assert is_orphan({**container, "State": "created", "Created": now - 400}, now)
    assert is_orphan({**container, "Labels": {}}, now)


def test_a_dead_owner_is_known_by_pid_and_start_time() -> None:
    own = owner()
    child = subprocess.Popen([sys.executable, "-S", "-c", ""])
    child.wait()
    place, pid, start = own.rsplit("/", 2)
    assert not is_gone(own)
    assert is_gone(f"{place}/{child.pid}/{start}")
    assert is_gone(f"{place}/{pid}/1{start}")
    # Of another machine or PID namespace nothing is known.
    assert not is_gone(f"elsewhere/{child.pid}/{start}")


def test_containers_nobody_owns_are_swept_and_others_stay(client: docker.DockerClient) -> None:
    name = image.ensure(client)
    now = int(time.time())
    own = owner()
    gone = f"{own.rsplit('/', 2)[0]}/{os.getpid()}/1"

    def create(**labels: str) -> str:
        # Created and never started: what a worker leaves that is killed between the two.
        return str(client.api.create_container(name, ["none"], labels=labels)["Id"])

    orphan = create(**{ROLE: ROLE_SANDBOX, OWNER: gone, EXPIRES: str(now + 600)})
    expired = create(**{ROLE: ROLE_SANDBOX, OWNER: own, EXPIRES: str(now - 1)})
    fresh = create(**{ROLE: ROLE_SANDBOX, OWNER: own, EXPIRES: str(now + 600)})
    foreign = create(someone="else")
    launcher = DockerLauncher()
    try:
        launcher.sweep()
        left = {each["Id"] for each in client.api.containers(all=True)}
        assert {orphan, expired} & left == set()
        assert {fresh, foreign} <= left
    finally:
        launcher.close()
        for container in (fresh, foreign):
            client.api.remove_container(container, force=True)
