"""The environment by PettingZoo's own tests, and the game in it by the engine."""

import subprocess
import sys
from random import Random
from typing import Any

import numpy as np
import pytest
from games import new_game
from pettingzoo.test import api_test, render_test, seed_test

from arena import IllegalAction, Ruleset, chance
from arena.training import candidate_v0
from arena.training.candidate_v0 import ILLEGAL_REWARD, raw_env

RULES = [
    {},
    {"games": 2, "reward": "end"},
    {"decks": 3, "run_direction": "both", "set_scoring": "worth", "reward": "win"},
    {"decks": 2, "unclaimed": "other_leader", "endgame": "stop"},
]
# It warns of every dict that is not one of its own environments', and of the mask of a game that is over.
of_dicts = pytest.mark.filterwarnings("ignore:Observation", "ignore:Action mask numpy array is all zeros")


def choices(env: Any) -> list[int]:
    return np.flatnonzero(env.observe(env.agent_selection)["action_mask"]).tolist()


def play_on(env: Any, rng: Random) -> list[dict[str, float]]:
    """The rewards of each step of an episode that goes on by chance, to its end."""
    rewards = []
    while not any(env.terminations.values()):
        env.step(rng.choice(choices(env)))
        rewards.append(dict(env.rewards))
    return rewards


@of_dicts
@pytest.mark.parametrize("rules", RULES)
def test_it_passes_the_api_test_of_pettingzoo(rules: dict[str, Any], capsys: pytest.CaptureFixture[str]) -> None:
    api_test(candidate_v0.env(**rules), num_cycles=400)
    assert capsys.readouterr().out.endswith("Passed API test\n")


@pytest.mark.parametrize("rules", RULES)
def test_it_passes_the_seed_test_of_pettingzoo(rules: dict[str, Any]) -> None:
    seed_test(lambda: candidate_v0.env(**rules), num_cycles=100)


def test_it_passes_the_render_test_of_pettingzoo() -> None:
    render_test(candidate_v0.env)


def test_the_cards_are_those_of_the_match_with_that_seed() -> None:
    env = raw_env(games=2)
    env.reset(seed=1)
    assert env.game.piles == new_game(Ruleset(), seed=1).piles
    assert env.game.dealer == chance.dealer(1, 1)
    while env.seen[0].game == 1:
        env.step(choices(env)[0])
    # The deal and the first card of a game are choices, so that the second one has not begun yet.
    assert env.game.piles == new_game(Ruleset(), seed=1, game=2).piles
    assert env.game.dealer == chance.dealer(1, 2)


def test_episodes_after_a_seed_follow_from_it_and_differ() -> None:
    def seeds_of(env: raw_env) -> list[int]:
        env.reset(seed=5)
        seeds = [env.match_seed]
        for _ in range(2):
            env.reset()
            seeds.append(env.match_seed)
        return seeds

    first = seeds_of(raw_env())
    assert first == seeds_of(raw_env())
    assert first[0] == 5
    assert len(set(first)) == 3


@pytest.mark.parametrize("rules", RULES)
def test_whoever_is_to_move_has_a_choice(rules: dict[str, Any]) -> None:
    env = raw_env(**rules)
    for seed in range(5):
        env.reset(seed=seed)
        rng = Random(seed)
        while not any(env.terminations.values()):
            legal = choices(env)
            assert len(legal) > 1
            assert tuple(legal) == tuple(sorted(env.game.legal_actions()))
            env.step(rng.choice(legal))


def difference(env: raw_env) -> int:
    a, b = (env.points[seat] + env.game.scores[seat] for seat in range(2))
    return a - b


@pytest.mark.parametrize("games", [1, 3])
def test_rewards_at_each_taking_add_up_to_the_difference_of_points(games: int) -> None:
    env = raw_env(games=games)
    env.reset(seed=2)
    rewards = play_on(env, Random(2))
    assert all(each["player_0"] == -each["player_1"] for each in rewards)
    assert sum(each["player_0"] != 0 for each in rewards) > 1
    assert sum(each["player_0"] for each in rewards) == difference(env) != 0


@pytest.mark.parametrize("seed", [2, 3])
def test_rewards_at_the_end_are_the_difference_or_the_win(seed: int) -> None:
    for reward in ("end", "win"):
        env = raw_env(games=2, reward=reward)
        env.reset(seed=seed)
        *before, last = play_on(env, Random(seed))
        assert before
        assert all(each == {"player_0": 0, "player_1": 0} for each in before)
        expected = difference(env) if reward == "end" else np.sign(difference(env))
        assert last == {"player_0": expected, "player_1": -expected}


def test_an_episode_has_as_many_games_as_asked() -> None:
    env = raw_env(games=3)
    env.reset(seed=1)
    played = {env.seen[0].game}
    while not any(env.terminations.values()):
        env.step(choices(env)[-1])
        played.add(env.seen[0].game)
    assert played == {1, 2, 3}
    assert env.seen[0].over


def test_hidden_cards_do_not_show_in_what_an_agent_observes() -> None:
    env = raw_env()
    env.reset(seed=4)
    rng = Random(4)
    while not any(env.terminations.values()):
        before = {agent: env.observe(agent) for agent in env.agents}
        for seat, agent in enumerate(env.agents):
            game = env.game
            env.game = env.seen[seat].sample(rng)
            now = env.observe(agent)
            env.game = game
            assert now["observation"].tolist() == before[agent]["observation"].tolist()
            assert now["action_mask"].tolist() == before[agent]["action_mask"].tolist()
        env.step(rng.choice(choices(env)))


def test_what_the_rules_do_not_allow_is_refused_or_ends_the_episode() -> None:
    raw = raw_env()
    raw.reset(seed=1)
    with pytest.raises(IllegalAction, match=r"expected an action of the mask \(32, 33, 34, 35\), got 0"):
        raw.step(0)
    env = candidate_v0.env()
    env.reset(seed=1)
    loser = env.agent_selection
    env.step(0)
    assert env.terminations == {"player_0": True, "player_1": True}
    assert env.rewards[loser] == ILLEGAL_REWARD


def test_options_that_there_are_not_are_named() -> None:
    with pytest.raises(ValueError, match="render_mode: expected ansi, human or None, got 'rgb_array'"):
        raw_env(render_mode="rgb_array")
    with pytest.raises(ValueError, match="reward: expected taking, end, win, got 'points'"):
        raw_env(reward="points")
    with pytest.raises(ValueError, match="unknown option 'deck'; expected one of decks, "):
        raw_env(deck=2)


def test_the_table_shows_both_hands_and_who_laid_last() -> None:
    env = raw_env(render_mode="ansi")
    env.reset(seed=3)
    for _ in range(5):
        env.step(choices(env)[-1])
    assert (env.render() or "").splitlines() == [
        "next      player_0: turn",
        "piles     C 13  D 13  H 13  S 0",
        "lobby     4S 5S  (run, player_1 laid last)",
        "player_0    0  6S 7S JS QS KS",
        "player_1    0  8S 9S TS AS",
    ]


def test_the_human_mode_prints_the_table_after_each_step(capsys: pytest.CaptureFixture[str]) -> None:
    env = raw_env(render_mode="human")
    env.reset(seed=3)
    env.step(32)
    printed = capsys.readouterr().out
    assert printed.count("next ") == 2
    assert "piles     C 3  D 13  H 13  S 13" in printed


def test_to_import_arena_loads_neither_numpy_nor_pettingzoo() -> None:
    script = (
        "import sys, arena, arena.match, arena.bots; print({'numpy', 'gymnasium', 'pettingzoo'} & set(sys.modules))"
    )
    loaded = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)
    assert loaded.stdout == "set()\n"
