"""Kernels without Landlock, where a bot can open no file: what it has, and that all attacks come to the same."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from arena.outcome import Forfeit
from sandbox import landlock
from sandbox.launchers import Launcher
from tests.sandbox import test_boxes, test_hostile, test_numerics
from tests.sandbox.canaries import Canaries
from tests.sandbox.cases import CASES, Case
from tests.sandbox.harness import AMPLE, Arena, loaded, question, write_bot

Enter = Callable[..., Arena]
both = pytest.mark.parametrize(
    "launcher", [pytest.param("docker-bare", marks=pytest.mark.docker), "process-bare"], indirect=True
)


@pytest.mark.parametrize("launcher", ["process-bare"], indirect=True)
@pytest.mark.parametrize("case", CASES, ids=lambda case: case.name)
def test_an_attack_comes_to_the_same(enter: Enter, case: Case) -> None:
    test_hostile.test_case(enter, case)


@both
def test_secrets_are_out_of_reach(enter: Enter, tmp_path: Path) -> None:
    test_hostile.test_read_secrets(enter, tmp_path)


@both
def test_nothing_can_be_written(enter: Enter) -> None:
    test_hostile.test_write_everywhere(enter)


@both
def test_no_service_of_the_machine_is_reached(enter: Enter, canaries: Canaries) -> None:
    test_hostile.test_loopback_service(enter, canaries)


@both
def test_processes_outside_are_out_of_reach(enter: Enter) -> None:
    test_hostile.test_kill_all(enter)


@both
def test_each_match_starts_from_nothing(launcher: Launcher, tmp_path: Path) -> None:
    test_boxes.test_each_match_starts_from_nothing(launcher, tmp_path)


@both
def test_a_bot_with_a_network_plays_a_whole_match(launcher: Launcher, tmp_path: Path) -> None:
    test_numerics.test_a_bot_with_a_network_plays_a_whole_match_on_one_thread(launcher, tmp_path)


@both
def test_a_bot_that_does_not_name_numpy_is_told_what_to_do(launcher: Launcher, tmp_path: Path) -> None:
    test_numerics.test_a_bot_that_does_not_name_numpy_is_told_what_to_do(launcher, tmp_path)


@both
def test_a_module_of_the_bot_named_numpy_is_its_own(launcher: Launcher, tmp_path: Path) -> None:
    test_numerics.test_a_module_of_the_bot_named_numpy_is_its_own(launcher, tmp_path)


@both
def test_the_launcher_says_so(launcher: Launcher, tmp_path: Path) -> None:
    assert "no Landlock, so that bots can open no file" in launcher.describe()
    with launcher.start(write_bot(tmp_path / "bot", "")) as box:
        assert box.landlock == 0


def said(launcher: Launcher, folder: Path, source: str) -> str:
    """What a bot prints that runs this when it decides, its files beside it."""
    code = f"class Bot:\n    def play(self, observation):\n        run()\n        return []\ndef run():\n{source}"
    with launcher.start(write_bot(folder, code)) as box, box.match(AMPLE, "says") as session:
        loaded(session).ask(question(1))
    return session.output


@both
def test_a_bot_has_its_own_modules_and_data(launcher: Launcher, tmp_path: Path) -> None:
    for name, content in {
        "helper.py": b"NAME = __name__",
        "package/__init__.py": b"from .inside import NAME",
        "package/inside.py": b"from pkgutil import get_data\nNAME = get_data(__name__, 'data.txt')",
        "package/data.txt": b"data",
        "folder/module.py": b"# coding: cp1251\nNAME = '\xf8'",
        "json.py": b"NAME = 'json of my own'",
        "text.txt": "шесть\r\nсемь".encode(),
        "weights.npy": b"\x93NUMPY\x01\x00\x46\x00"
        + b"{'descr': '|u1', 'fortran_order': False, 'shape': (3,), }".ljust(69)
        + b"\n\x01\x02\x03",
    }.items():
        (tmp_path / name).parent.mkdir(exist_ok=True, mode=0o755)
        (tmp_path / name).write_bytes(content)
    tmp_path.chmod(0o755)
    source = """
    from pathlib import Path
    import helper, json, package, folder.module, numpy as np
    here = Path(__file__).parent
    print(helper.NAME, package.NAME, folder.module.NAME, json.NAME)
    print(ascii((here / "text.txt").read_text(encoding="utf-8")), (here / "text.txt").read_bytes()[-2:])
    with open(here / "text.txt", newline="", encoding="utf-8") as file:
        print(ascii(file.readline()))
    print(np.load(Path(__file__).with_name("weights.npy")).tolist(), (here / "text.txt").stat().st_size)
"""
    assert said(launcher, tmp_path, source).splitlines() == [
        "helper b'data' ш json of my own",
        r"'\u0448\u0435\u0441\u0442\u044c\n\u0441\u0435\u043c\u044c' b'\xd0\xbc'".replace(r"\xd0\xbc", r"\xd1\x8c"),
        r"'\u0448\u0435\u0441\u0442\u044c\r\n'",
        f"[1, 2, 3] {len('шесть'.encode() + 'семь'.encode()) + 2}",
    ]


@both
def test_what_is_not_loaded_can_not_be_and_the_error_says_why(launcher: Launcher, tmp_path: Path) -> None:
    source = """
    for name in ("turtle", "no_such_module", "xml.sax.expatreader"):
        try:
            __import__(name)
        except ImportError as error:
            print(error)
    try:
        open("/etc/passwd")
    except PermissionError as error:
        print("refused")
"""
    lines = said(launcher, tmp_path, source).splitlines()
    assert [line.partition(" in the bot")[0] for line in lines] == [
        "no module 'turtle'",
        "no module 'no_such_module'",
        "no module 'xml.sax'",
        "refused",
    ]
    assert "where a kernel has no Landlock" in lines[0]


@both
def test_the_engine_can_be_imported(launcher: Launcher, tmp_path: Path) -> None:
    engine = Path(landlock.__file__).parents[1] / "arena"
    names = [f"arena.{path.stem}" for path in engine.glob("[!_]*.py") if path.stem != "rating"]  # it needs numpy
    names += [f"arena.bots.{path.stem}" for path in engine.glob("bots/[!_]*.py")]
    assert len(names) > 20
    source = f"""
    import importlib
    for name in {names}:
        importlib.import_module(name)
    print("all of them")
"""
    assert said(launcher, tmp_path, source) == "all of them\n"


@both
def test_a_traceback_shows_the_bots_lines(launcher: Launcher, tmp_path: Path) -> None:
    bundle = write_bot(tmp_path / "bot", "class Bot:\n def play(self, observation):\n  return 1 // 0  # here\n")
    with launcher.start(bundle) as box, box.match(AMPLE, "a") as session, pytest.raises(Forfeit) as raised:
        loaded(session).ask(question(1))
    assert "return 1 // 0  # here" in raised.value.traceback
    assert 'File "bot.py", line 3' in raised.value.traceback
