from collections.abc import Callable
from pathlib import Path

import pytest
from terminal import Ran

from arena.cli import main


@pytest.fixture
def arena(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> Callable[..., Ran]:
    """Runs the command with those arguments, bots in processes of this machine."""
    monkeypatch.setenv("ARENA_SANDBOX", "process")

    def run(*arguments: str | Path) -> Ran:
        try:
            status = main([str(each) for each in arguments])
        except SystemExit as ended:
            status = int(str(ended.code))
        return Ran(status, *capsys.readouterr())

    return run


@pytest.fixture
def bot(tmp_path: Path) -> Callable[[str], Path]:
    def write(source: str, name: str = "mine.py") -> Path:
        path = tmp_path / name
        path.write_text(source)
        return path

    return write
