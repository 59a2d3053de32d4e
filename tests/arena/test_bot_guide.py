"""The guide for authors: its examples, and its tables beside what they are of."""

import re

from documents import DOCS, run

from arena import bots
from arena.cli import parser
from arena.observation import Observation
from arena.outcome import Termination
from arena.ruleset import Ruleset, TimeControl
from arena.wire import METHODS
from sandbox import Limits

GUIDE = DOCS / "bot-guide.md"


def text() -> str:
    return GUIDE.read_text(encoding="utf-8")


def test_every_example_does_what_the_guide_says() -> None:
    outcome = run(GUIDE)
    assert outcome.failures == ""
    assert outcome.examples > 10


def table_after(heading: str) -> list[list[str]]:
    """The names in backticks in the first column of each row of that section's table."""
    section = text().partition(f"\n## {heading}\n")[2].partition("\n## ")[0]
    rows = [line.split("|")[1] for line in section.splitlines() if line.startswith("| `")]
    return [re.findall(r"`(\w+)", row) for row in rows]


def names_in(heading: str) -> set[str]:
    return {name for row in table_after(heading) for name in row}


def test_the_table_of_methods_is_complete() -> None:
    assert names_in("What a bot defines") == set(METHODS)


def test_the_table_of_the_observation_is_complete() -> None:
    observation = Observation(Ruleset(), seat=0, game=1, dealer=1)
    public = {name for name in dir(observation) if not name.startswith("_")}
    assert names_in("What an observation has") == public - {"update"}


def test_the_table_of_verdicts_is_complete() -> None:
    assert names_in("What the verdicts mean") == set(Termination) - {Termination.COMPLETED}


def test_the_limits_are_the_default_ones() -> None:
    rows = re.findall(r"\| ([\d.]+) (s|MiB) \|", text().partition("\n## Limits\n")[2])
    usual = TimeControl()
    assert [float(value) for value, _ in rows] == [
        usual.load_s,
        usual.decision_s,
        usual.bank_s,
        float(Limits().memory_mib),
    ]


def test_all_house_bots_are_named() -> None:
    assert f"house\nbots: {', '.join(f'`{name}`' for name in bots.HOUSE)}" in text()


def test_the_commands_are_accepted_by_the_command_line() -> None:
    commands = re.findall(r"^\$ arena (.+)$", text(), re.MULTILINE)
    assert len(commands) > 4
    for command in commands:
        assert callable(parser().parse_args(command.split()).run)
