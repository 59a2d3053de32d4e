import json
import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest
from terminal import Ran, one_line

from arena.cli import parser
from arena.cli.new import FILES


@pytest.fixture
def kit(arena: Callable[..., Ran], tmp_path: Path) -> Path:
    folder = tmp_path / "mine"
    assert arena("new", folder).status == 0
    return folder


def test_a_new_folder_has_a_bot_its_tests_and_the_commands(arena: Callable[..., Ran], tmp_path: Path) -> None:
    folder = tmp_path / "my bot"
    ran = arena("new", folder)
    assert (ran.status, ran.err) == (0, "")
    assert f"cd '{folder}'\n" in ran.out
    assert {path.name for path in folder.iterdir()} == {"bot.py", "test_bot.py", "README.md"}


def test_an_empty_folder_is_taken_and_told_as_json(
    arena: Callable[..., Ran], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    assert json.loads(arena("new", ".", "--json").out) == {"folder": str(tmp_path), "files": list(FILES)}


def test_its_bot_passes_the_check(arena: Callable[..., Ran], kit: Path) -> None:
    ran = arena("check", kit)
    assert ran.status == 0
    assert ran.out.startswith(f"{kit} passed: 2 games against random\n")


def test_its_own_tests_pass_with_the_standard_library_alone(kit: Path) -> None:
    ran = subprocess.run(
        [sys.executable, "-W", "error", "-m", "unittest"], cwd=kit, capture_output=True, text=True, check=False
    )
    assert ran.returncode == 0, ran.stderr
    assert "Ran 2 tests" in ran.stderr


def test_its_tests_fail_where_the_bot_does(kit: Path) -> None:
    source = (kit / "bot.py").read_text()
    (kit / "bot.py").write_text(source.replace("return max(observation.legal_plays", "return min(['2C'] or (", 1))
    ran = subprocess.run([sys.executable, "-m", "unittest"], cwd=kit, capture_output=True, text=True, check=False)
    assert ran.returncode == 1


def test_the_commands_that_it_names_are_there(kit: Path) -> None:
    lines = [line.partition("#")[0].split() for line in (kit / "README.md").read_text().splitlines()]
    commands = [words[1:] for words in lines if words[:1] == ["arena"]]
    assert [words[0] for words in commands] == ["check", "play", "league", "bench", "replay", "rerun", "rerun"]
    for words in commands:
        assert callable(parser().parse_args(words).run)


@pytest.mark.parametrize(
    ("name", "complaint"),
    [
        ("full", "full: the folder is not empty; give another name"),
        ("full/bot.py", "full/bot.py: expected a folder, got a file; give another name"),
        ("none/mine", "none/mine: there is no folder "),
        (".hidden", "expected a folder's name that a bot can have, such as mybot, got '.hidden'"),
        ("a\0b", "expected a folder's name that a bot can have, such as mybot, got 'a\\x00b'"),
        ("a\nb", "expected a folder's name that a bot can have, such as mybot, got 'a\\nb'"),
        ("/", "expected a folder's name that a bot can have, such as mybot, got ''"),
        ("x" * 41, "expected a name of at most 40 characters, got 41: 'xxx"),
    ],
)
def test_a_folder_that_can_not_be_begun_is_refused(
    arena: Callable[..., Ran], tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str, complaint: str
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "full").mkdir()
    (tmp_path / "full" / "bot.py").touch()
    ran = arena("new", name)
    assert ran.status == 2
    assert one_line(ran).startswith(f"arena: {complaint}")


@pytest.mark.skipif(os.geteuid() == 0, reason="root may write everywhere")
def test_a_place_where_nobody_may_write_is_named(arena: Callable[..., Ran], tmp_path: Path) -> None:
    tmp_path.chmod(0o500)
    assert one_line(arena("new", tmp_path / "mine")) == f"arena: {tmp_path}/mine: Permission denied"
