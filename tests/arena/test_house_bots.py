import ast
import importlib
import itertools
import sys
from collections import Counter
from random import Random
from types import ModuleType
from typing import Any

import pytest
from games import random_game, rulesets, seeds
from hypothesis import given

from arena import bots
from arena.cards import SUITS, cards
from arena.endgame import Search, deduced, solve
from arena.events import told
from arena.lays import BLANK, count
from arena.match import play
from arena.observation import Observation
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
    """A CPU clock that goes on by half a millisecond whenever it is read: a search is as deep on each machine."""
    ticks = itertools.count()
    monkeypatch.setattr(module("montecarlo").time, "thread_time", lambda: next(ticks) * 0.0005)


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
    assert wins("montecarlo", "counting", 6) >= 5


@pytest.mark.usefixtures("steady_clock")
def test_montecarlo_plays_the_endgame_without_a_fault() -> None:
    lost = []

    class Watched(module("montecarlo").Bot):  # type: ignore[misc]
        def play(self, observation: Observation) -> Any:
            laid = super().play(observation)
            if endgame := deduced(observation):
                best = solve(endgame).margin
                lost.append(best - Search(endgame.ruleset).yields(endgame, endgame.lay(laid)))
            return laid

    play((LocalPlayer(Watched), LocalPlayer(module("counting").Bot)), Ruleset(games=3), TimeControl(bank_s=7.5), seed=1)
    assert lost == [0] * len(lost)
    assert len(lost) >= 3, "each game has an endgame"


@given(rulesets, seeds)
def test_what_montecarlo_imagines_agrees_with_what_it_knows(ruleset: Ruleset, seed: int) -> None:
    rng = Random(seed)
    moments = list(random_game(ruleset, seed))
    observation = Observation(ruleset, 0, 1, moments[0].before.dealer)
    for before, action, _ in moments[: rng.randrange(1, len(moments))]:
        observation.update(told(before, action)[observation.seat ^ before.to_move])
    deal = module("montecarlo").imagine(observation, rng)
    tops = [pile[-1] for pile in deal.piles if pile]
    assert max([*deal.hands[1], *tops], default=0) < BLANK, "all that a round needs is known"
    unseen = Counter([card for suit in SUITS for card in observation.unseen(suit)])
    assert Counter(deal.hands[1]) + Counter(tops) <= unseen
    assert [card & 3 for card in tops] == [suit for suit in range(4) if observation.state.piles[suit]]
    assert deal.hands[0] == observation.state.hands[0]


@pytest.mark.parametrize(("better", "worse"), [("AS", "KS"), ("9C", "3C"), ("QC KD", "QC QD"), ("QC KD", "QC 8D")])
def test_montecarlo_would_rather_keep_aces_and_honours_that_go_together_than_low_cards_and_pairs(
    better: str, worse: str
) -> None:
    prospects = module("montecarlo").prospects
    assert prospects(count(cards(better))) > prospects(count(cards(worse)))


def test_montecarlo_spends_a_tenth_of_its_bank() -> None:
    bot = module("montecarlo").Bot()
    bot.match_start(0, Ruleset(games=10), TimeControl(bank_s=24.0))
    assert bot.decision_s == pytest.approx(0.1 * 24 / (24 * 10))
    bot.match_start(0, Ruleset(games=1), TimeControl(bank_s=3600.0, decision_s=0.1))
    assert bot.decision_s == pytest.approx(0.025), "no decision may come near its own limit"
