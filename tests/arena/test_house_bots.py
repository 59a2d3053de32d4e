import ast
import importlib
import itertools
import sys
from types import ModuleType
from typing import Any

import pytest

from arena import bots
from arena.match import play
from arena.players import LocalPlayer
from arena.replay import verify
from arena.ruleset import Ruleset, TimeControl

OTHER_RULES = [
    Ruleset(games=1, decks=3, run_direction="both", set_scoring="worth"),
    Ruleset(games=1, decks=2, unclaimed="other_leader", endgame="stop"),
]


def module(name: str) -> ModuleType:
    return importlib.import_module(f"arena.bots.{name}")


def points(a: str, b: str, seed: int, **options: Any) -> tuple[int, int]:
    """Points of a and b in a match by those rules, which also must be in order."""
    players = LocalPlayer(module(a).Bot), LocalPlayer(module(b).Bot)
    record = play(players, Ruleset(**options), TimeControl(bank_s=2.5 * options.get("games", 12)), seed)
    assert record.outcome.forfeits == (), record.outcome.reason
    verify(record)
    return record.points


def wins(stronger: str, weaker: str, matches: int, **options: Any) -> int:
    """Matches that the stronger one wins, half of them in either seat."""
    won = 0
    for seed in range(matches):
        if seed % 2:
            mine, other = points(stronger, weaker, seed, **options)
        else:
            other, mine = points(weaker, stronger, seed, **options)
        won += mine > other
    return won


@pytest.fixture
def steady_clock(monkeypatch: pytest.MonkeyPatch) -> None:
    """A CPU clock that goes on by 1 ms whenever it is read: a search is as deep on each machine."""
    ticks = itertools.count()
    monkeypatch.setattr(module("montecarlo").time, "process_time", lambda: next(ticks) * 0.001)


def test_there_are_six_and_each_is_one_file() -> None:
    assert bots.HOUSE == ("passer", "random", "longest", "points", "counting", "montecarlo")
    assert [bots.path(name).name for name in bots.HOUSE] == [f"{name}.py" for name in bots.HOUSE]
    assert bots.source("passer") == bots.path("passer").read_bytes()


def test_an_unknown_house_bot_is_refused_by_name() -> None:
    with pytest.raises(LookupError, match=r"no house bot is called '\.\./x'; there are passer, random"):
        bots.path("../x")


@pytest.mark.parametrize("name", bots.HOUSE)
def test_a_house_bot_imports_the_standard_library_and_arena_alone(name: str) -> None:
    imported = set()
    for node in ast.walk(ast.parse(bots.source(name))):
        if isinstance(node, ast.Import):
            imported |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom):
            imported.add(node.module or "")
    own = {each for each in imported if each.startswith("arena.bots")}
    assert not own, "a bot is one file"
    assert {each.split(".")[0] for each in imported} <= {"arena", *sys.stdlib_module_names}


@pytest.mark.usefixtures("steady_clock")
@pytest.mark.parametrize("rules", OTHER_RULES, ids=["3 decks, both ends", "2 decks, stop"])
@pytest.mark.parametrize("name", bots.HOUSE)
def test_a_house_bot_plays_by_all_rules(name: str, rules: Ruleset) -> None:
    points(name, "random", 1, **rules.as_dict())


def test_passer_lays_only_where_it_must() -> None:
    players = LocalPlayer(module("passer").Bot), LocalPlayer(module("passer").Bot)
    record = play(players, Ruleset(games=1), TimeControl(), 1)
    # Nothing is taken while there are piles; then ten cards are led one by one and taken at once.
    assert 10 <= sum(record.points) <= 20


@pytest.mark.parametrize(("stronger", "weaker"), [("random", "passer"), ("longest", "random"), ("points", "random")])
def test_the_wide_gaps_among_the_simple_bots(stronger: str, weaker: str) -> None:
    assert wins(stronger, weaker, 6) == 6


@pytest.mark.parametrize("weaker", ["longest", "points"])
def test_counting_wins_at_least_three_of_four_against_those_that_do_not_count(weaker: str) -> None:
    assert wins("counting", weaker, 8) >= 6


@pytest.mark.usefixtures("steady_clock")
def test_montecarlo_beats_counting_even_in_a_hurry() -> None:
    assert wins("montecarlo", "counting", 4) >= 3


def test_montecarlo_spends_a_tenth_of_its_bank() -> None:
    bot = module("montecarlo").Bot()
    bot.match_start(0, Ruleset(games=10), TimeControl(bank_s=27.0))
    assert bot.decision_s == pytest.approx(0.1 * 27 / (27 * 10))
    bot.match_start(0, Ruleset(games=1), TimeControl(bank_s=3600.0, decision_s=0.1))
    assert bot.decision_s == pytest.approx(0.025), "no decision may come near its own limit"
