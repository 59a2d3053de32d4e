import json
from collections.abc import Callable
from pathlib import Path

import pytest
from terminal import Ran, one_line

from arena.cli.bench import Measure

QUICK = ("--rounds", "1", "--round-s", "0.001", "--games", "1")


def test_a_rate_is_the_median_of_the_rounds(monkeypatch: pytest.MonkeyPatch) -> None:
    clock = iter([0.0, 0.5, 1.0, 10.0, 14.0, 20.0, 21.0])
    monkeypatch.setattr("arena.cli.bench.perf_counter", lambda: next(clock))
    numbers: list[int] = []
    rounds: list[str] = []
    measure = Measure(3, 1.0, rounds.append)
    assert measure.rate("turns", numbers.append) == 1.0, "the rounds have 2, a quarter and 1 a second"
    assert (numbers, rounds) == ([1, 2, 3, 4], ["turns"] * 3)


def test_the_figures_are_printed_for_people_and_for_programs(
    arena: Callable[..., Ran], bot: Callable[[str], Path]
) -> None:
    path = bot(
        "print('hello')\nclass Bot:\n    def play(self, observation):\n        return observation.legal_plays[0]\n"
    )
    ran = arena("bench", path, *QUICK)
    assert (ran.status, ran.err) == (0, "")
    units = [" ".join(line.split()[-2:]) for line in ran.out.splitlines()[1:5]]
    assert [unit.split()[-1] for unit in units] == ["games/s", "matches/s", "matches/s", "CPU"]
    assert "hello" not in ran.out
    figures = json.loads(arena("bench", "passer", *QUICK, "--json").out)
    assert (figures["bot"], figures["games"]) == ("passer", 1)
    for name in ("games_per_s", "matches_per_s", "sandbox_matches_per_s", "decision_us"):
        assert figures[name] > 0, name


def test_a_bot_that_fails_is_named(arena: Callable[..., Ran], bot: Callable[[str], Path]) -> None:
    ran = arena("bench", bot("class Bot:\n    def play(self, observation):\n        return 1 / 0\n"), *QUICK)
    assert ran.status == 1
    assert one_line(ran).startswith("arena: mine failed: game 1, decision ")
    assert ran.err.endswith(": ZeroDivisionError: division by zero\n")


def test_ctrl_c_in_the_bot_ends_the_command(arena: Callable[..., Ran], bot: Callable[[str], Path]) -> None:
    source = "import signal\nclass Bot:\n    def play(self, observation):\n        signal.raise_signal(signal.SIGINT)\n"
    ran = arena("bench", bot(source), *QUICK)
    assert (ran.status, one_line(ran)) == (130, "arena: interrupted")


@pytest.mark.parametrize(
    ("arguments", "complaint"),
    [
        (["--rounds", "0"], "--rounds: expected at least 1, got 0"),
        (["--round-s", "-1"], "--round-s: expected up to 600 seconds, got -1"),
        (["--round-s", "nan"], "--round-s: expected up to 600 seconds, got nan"),
        (["nobody"], "nobody: neither a file nor a house bot"),
    ],
)
def test_bad_usage_is_one_line(arena: Callable[..., Ran], arguments: list[str], complaint: str) -> None:
    ran = arena("bench", *arguments)
    assert ran.status == 2
    assert one_line(ran).startswith(f"arena: {complaint}")
