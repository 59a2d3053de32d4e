"""What breaks under matches in real sandboxes: each match is played again, once, and nobody has lost by it."""

from __future__ import annotations

import shutil
import tempfile
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

import docker
import pytest

import sandbox
from arena.ruleset import Ruleset
from league.bots.models import Version
from league.matches import playing, services, tasks
from league.matches.boxes import Boxes
from league.matches.models import Attempt, Match, Replay
from sandbox.owner import owner
from tests.own_engine import OwnEngine, can_start_engines
from tests.small_disk import enlarge, small_disk

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("short_ladder")]
PLAYS = b"class Bot:\n    def play(self, observation):\n        return observation.legal_plays[-1]\n"
THINKS_IN_GAME_2 = b"""import time
class Bot:
    thought = False
    def play(self, observation):
        if observation.game == 2 and not self.thought:
            self.thought = True
            ends = time.process_time() + 0.8
            while time.process_time() < ends:
                pass
        return observation.legal_plays[-1]
"""


@pytest.fixture
def match(short_ladder: Ruleset, activate: Callable[..., Version]) -> Match:
    """A match of two games, in the second of which A thinks for most of a second."""
    activate("Pawn", THINKS_IN_GAME_2)
    activate("Rook", PLAYS)
    return Match.objects.get()


@contextmanager
def opened(launcher: str, folder: Path) -> Iterator[Boxes]:
    """Sandboxes that leave no container of their own behind, and no process."""
    folder.mkdir(exist_ok=True)
    for each in (folder, folder.parent):
        each.chmod(0o755)  # in a container bots are nobody
    boxes = Boxes(sandbox.open_launcher(launcher), 3, folder)
    before = set(containers()) if launcher == "docker" else set()
    try:
        yield boxes
    finally:
        boxes.close()
    assert launcher != "docker" or set(containers()) <= before


def containers() -> list[str]:
    """Those of this process, at the engine of the environment."""
    client = docker.from_env()
    try:
        return [each["Id"] for each in client.api.containers(all=True, filters={"label": f"arena.owner={owner()}"})]
    finally:
        client.close()


def claimed() -> Match:
    Match.objects.update(not_before=None)
    match = services.claim("w")
    assert match is not None
    return match


@contextmanager
def in_game_2(break_it: Callable[[], Any]) -> Iterator[None]:
    """Has that done, from another thread, while the bots play the second game; it is done at the end."""
    breaks = threading.Thread(target=break_it)

    def extend(match: Match, games_done: int) -> bool:
        if games_done == 1:
            breaks.start()
        return True

    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(playing, "EXTEND_EVERY_S", 0)
        patched.setattr(services, "extend", extend)
        yield
    breaks.join()


def given_back(*words: str) -> None:
    """The match waits, with all its faults stored, and the last one says these words."""
    match = Match.objects.get()
    assert (match.status, match.outcome, match.forfeits, match.lease_until) == ("queued", "", "", None)
    attempts = list(Attempt.objects.order_by("number"))
    assert [each.number for each in attempts] == list(range(1, match.attempt + 1))
    for word in words:
        assert word in attempts[-1].fault


def recorded_once(attempt: int) -> None:
    match = Match.objects.get()
    assert (match.status, match.termination, match.forfeits) == ("played", "completed", "")
    assert (match.attempt, match.lease_until, len(match.games)) == (attempt, None, 2)
    assert Replay.objects.count() == 1
    assert services.claim("w") is None


@pytest.mark.docker
@pytest.mark.usefixtures("engine")
def test_containers_that_are_removed_in_a_decision(match: Match, tmp_path: Path) -> None:
    others = set(containers())
    client = docker.from_env()

    def remove() -> None:
        for container in set(containers()) - others:
            with suppress(docker.errors.APIError):  # the worker, or the engine by itself, is at it as well
                client.api.remove_container(container, force=True)

    with opened("docker", tmp_path / "unpacked") as boxes:
        with in_game_2(remove):
            assert not playing.play(claimed(), boxes)
        given_back("SandboxFault", "gone")
        assert playing.play(claimed(), boxes)
    client.close()
    recorded_once(attempt=2)


@pytest.fixture
def own_engine(monkeypatch: pytest.MonkeyPatch) -> Iterator[OwnEngine]:
    if not can_start_engines():
        pytest.skip("only root can start a Docker engine, and only where dockerd is installed")
    folder = Path(
        tempfile.mkdtemp(prefix="engine-")
    )  # its sockets have longer names than pytest's folders leave room for
    started = OwnEngine(folder)
    monkeypatch.setenv("DOCKER_HOST", started.host)
    try:
        started.start()
        yield started
    finally:
        started.stop()
        shutil.rmtree(folder)


@pytest.mark.docker
def test_an_engine_that_is_stopped_in_a_decision_and_started_again(
    own_engine: OwnEngine,
    match: Match,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    caplog: pytest.LogCaptureFixture,
) -> None:
    with opened("docker", tmp_path / "unpacked") as boxes:
        monkeypatch.setattr(tasks, "boxes", lambda: boxes)
        with in_game_2(own_engine.stop):
            tasks.play()
        given_back("SandboxFault", "gone")
        assert not playing.play(claimed(), boxes)
        given_back("SandboxFault", "engine")
        for _ in range(10):
            Match.objects.update(not_before=None)
            tasks.play()
        given_back()
        assert Attempt.objects.count() == 2
        assert "the Docker engine does not answer" in caplog.text

        own_engine.start()
        tasks.play()
        recorded_once(attempt=3)


@pytest.mark.docker
@pytest.mark.usefixtures("engine")
def test_a_container_that_is_created_and_never_starts(
    match: Match, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with opened("docker", tmp_path / "unpacked") as boxes:
        with monkeypatch.context() as broken:
            broken.setattr(docker.APIClient, "start", lambda *_: None)
            assert not playing.play(claimed(), boxes)
        given_back("SandboxFault", "it is created")
        assert playing.play(claimed(), boxes)
    recorded_once(attempt=2)


def test_a_disk_that_is_full_when_an_upload_is_unpacked(
    short_ladder: Ruleset, activate: Callable[..., Version], tmp_path: Path
) -> None:
    activate("Pawn", PLAYS + b"#" * 200_000)
    activate("Rook", PLAYS)
    folder = tmp_path / "disk"
    folder.mkdir()
    with small_disk(folder, size="64k"):
        with opened("process", folder) as boxes:
            assert not playing.play(claimed(), boxes)
            given_back("No space left on device")
            assert not [path for path in folder.rglob("*") if path.is_file()]
            enlarge(folder, size="4m")
            assert playing.play(claimed(), boxes)
        recorded_once(attempt=2)
