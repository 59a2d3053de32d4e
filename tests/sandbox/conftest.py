"""Both launchers, and boxes for hostile bots that are checked after each test."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from pathlib import Path

import pytest

from sandbox import Limits, open_launcher
from sandbox.box import BotBox
from sandbox.containers import DockerLauncher
from sandbox.launchers import Launcher
from sandbox.process import ProcessLauncher
from tests.sandbox.canaries import Canaries
from tests.sandbox.harness import (
    HONEST,
    Arena,
    good_bot_plays_in_the_same_box,
    hostile_files,
    leftovers,
    nobody_left,
    write_bot,
)
from tests.sandbox.speed import Speed

BoxOf = Callable[[Limits, bool], tuple[BotBox, Path]]
ASKING = f"# asks for numpy\n{HONEST}"


@pytest.fixture(scope="session", params=[pytest.param("docker", marks=pytest.mark.docker), "process"])
def launcher(request: pytest.FixtureRequest) -> Iterator[Launcher]:
    """Both; a test may also ask for them as on a kernel without Landlock, by "docker-bare" and "process-bare"."""
    if request.param.startswith("docker"):
        request.getfixturevalue("engine")
    bare = {"docker-bare": DockerLauncher, "process-bare": ProcessLauncher}
    opened = bare[request.param](use_landlock=False) if request.param in bare else open_launcher(request.param)
    yield opened
    opened.close()
    assert leftovers(opened.name) == []


@pytest.fixture(scope="session")
def honest_box(launcher: Launcher, tmp_path_factory: pytest.TempPathFactory) -> BotBox:
    """The opponent of all hostile bots: what one does to it the next test would see."""
    return launcher.start(write_bot(tmp_path_factory.mktemp("honest"), HONEST))


@pytest.fixture
def box(launcher: Launcher, tmp_path: Path) -> BotBox:
    return launcher.start(write_bot(tmp_path / "bot", HONEST))


@pytest.fixture(scope="session")
def hostile_box(launcher: Launcher, tmp_path_factory: pytest.TempPathFactory) -> BoxOf:
    """Boxes that the hostile bots of those limits share, one after the other: what one left, the next would meet."""
    boxes: dict[tuple[Limits, bool], tuple[BotBox, Path]] = {}

    def of(limits: Limits, numpy: bool) -> tuple[BotBox, Path]:
        kind = limits, numpy
        if kind not in boxes or not boxes[kind][0].alive:
            folder = tmp_path_factory.mktemp("hostile")
            boxes[kind] = launcher.start(write_bot(folder, ASKING if numpy else HONEST), limits), folder
        return boxes[kind]

    return of


@pytest.fixture
def enter(
    request: pytest.FixtureRequest, launcher: Launcher, honest_box: BotBox, hostile_box: BoxOf
) -> Iterator[Callable[..., Arena]]:
    """Puts a hostile module into the arena; afterwards checks that the box is as it was."""
    speed: Speed | None = request.config.pluginmanager.get_plugin("speed")  # `make hostile` measures
    entered: list[Arena] = []

    def put(module: str, limits: Limits = Limits(), way: object = None) -> Arena:  # noqa: B008
        files = hostile_files(module)
        source = files.pop("bot.py")
        if way is not None:
            source, found = re.subn(r"^WAY = .*$", lambda _: f"WAY = {way!r}", source, flags=re.MULTILINE)
            assert found == 1
        box, folder = hostile_box(limits, "numpy" in source)
        for left in folder.iterdir():
            left.unlink()
        entered.append(Arena(launcher, box, honest_box, folder))
        if speed:
            speed.before(entered[-1])
        write_bot(folder, source, **files)
        return entered[-1]

    yield put
    for arena in entered:
        nobody_left(arena.hostile, launcher)
        good_bot_plays_in_the_same_box(arena)
        if speed:
            speed.after(request.node.nodeid, arena)


@pytest.fixture
def canaries(tmp_path: Path) -> Iterator[Canaries]:
    with ExitStack() as stack:
        yield Canaries(tmp_path, stack)
