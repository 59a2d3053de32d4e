"""What docs/training.md shows works, and what it lists is complete."""

import doctest
import re
from inspect import signature
from pathlib import Path
from typing import Any

import pytest

import train_agent
from arena import Observation, Ruleset
from arena.cli import parser
from arena.ruleset import CHOICES
from arena.training.candidate_v0 import raw_env
from arena.training.encoding import ACTIONS, LENGTHS, SIZE

GUIDE = Path(__file__).resolve().parents[3] / "docs" / "training.md"
TEXT = GUIDE.read_text(encoding="utf-8")


def blocks() -> list[str]:
    return re.findall(r"^```python\n(.*?)^```$", TEXT, re.MULTILINE | re.DOTALL)


def rows_after(heading: str) -> list[list[str]]:
    section = TEXT.partition(f"\n## {heading}\n")[2].partition("\n## ")[0]
    return [line.strip("| ").split(" | ") for line in section.splitlines() if line.startswith("| `")]


def test_every_session_goes_as_shown() -> None:
    session = "\n".join(block for block in blocks() if block.startswith(">>>"))
    found: list[str] = []
    runner = doctest.DocTestRunner()
    runner.run(doctest.DocTestParser().get_doctest(session, {}, GUIDE.name, str(GUIDE), 0), out=found.append)
    assert "".join(found) == ""
    assert runner.summarize(verbose=False).attempted > 8


def test_the_bot_shown_answers_with_what_is_legal() -> None:
    namespace: dict[str, Any] = {}
    (shown,) = [block for block in blocks() if not block.startswith(">>>")]
    exec(compile(shown, GUIDE.name, "exec"), namespace)
    seen = Observation(Ruleset(games=1), seat=0, game=1, dealer=0)
    assert namespace["Bot"]().choose_pile(seen, "deal") == "C"


def test_the_table_of_parts_is_that_of_the_encoding() -> None:
    lengths: dict[str, int] = {}
    for names, numbers, _ in rows_after("Spaces"):
        parts = re.findall(r"`(\w+)`", names)
        for name, length in zip(parts, numbers.split(", "), strict=True):
            rows, _, columns = length.partition(" x ")
            lengths[name] = int(rows) * int(columns or 1)
    assert lengths == LENGTHS
    assert f"`float32[{SIZE}]`" in TEXT
    assert f"`int8[{ACTIONS}]`" in TEXT


def test_the_table_of_options_is_complete() -> None:
    named = {name for row in rows_after("Options") for name in re.findall(r"`(\w+)`", row[0])}
    assert named == set(CHOICES) | set(signature(raw_env).parameters) - {"rules"}


def test_the_commands_are_accepted(monkeypatch: pytest.MonkeyPatch) -> None:
    commands = re.findall(r"^\$ \.venv/bin/arena (.+)$", TEXT, re.MULTILINE)
    assert len(commands) == 2
    for command in commands:
        assert callable(parser().parse_args(command.split()).run)
    (options,) = re.findall(r"^\$ \.venv/bin/python examples/train_agent.py (.+)$", TEXT, re.MULTILINE)
    assert train_agent.parser().parse_args(options.split()).folder == Path("mylearner")
