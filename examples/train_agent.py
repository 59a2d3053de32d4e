"""Trains a bot by letting it play against itself, measures it against the house bot `random`, and writes its folder.

    $ .venv/bin/python examples/train_agent.py --seed 1 --folder mylearner
    $ .venv/bin/arena check mylearner

This is REINFORCE, the plainest way to learn from rewards. A policy gives each legal action a chance, and one is drawn.
After some games each decision is looked at again: those that points followed are made likelier, the others less likely.
"""

from __future__ import annotations

import argparse
import math
import shutil
from pathlib import Path
from typing import NamedTuple

import numpy as np

import trained_bot
from arena import Ruleset, TimeControl
from arena.bots import random
from arena.match import play
from arena.players import LocalPlayer
from arena.training import candidate_v0, encoding
from trained_bot import NUMBERS, Bot, Floats, Policy, describe

HIDDEN = 16
BATCH = 16  # games between two changes of the weights
RATE = 0.02  # how much a weight changes at a time, at the start; in the end it is 0
DISCOUNT = 0.8  # how much a reward still counts for the decision before: what follows later has other reasons as well
MEASURED = 200  # games against `random` in the end


class Decision(NamedTuple):
    rows: Floats
    """What described its legal actions."""
    push: Floats
    """Which way the scores would have to move for the chosen action to be likelier."""
    gain: float
    """Points of who decided, less those of the other, discounted, from then on."""


class Adam:
    """Steps of a size that depends on how steady the slope has been, not on how steep it is (Kingma and Ba, 2014)."""

    def __init__(self, weights: Floats) -> None:
        self.weights = weights
        self.mean, self.square = np.zeros_like(weights), np.zeros_like(weights)
        self.steps = 0

    def climb(self, slope: Floats, rate: float) -> None:
        self.steps += 1
        self.mean += 0.1 * (slope - self.mean)
        self.square += 0.001 * (slope**2 - self.square)
        mean, square = self.mean / (1 - 0.9**self.steps), self.square / (1 - 0.999**self.steps)
        self.weights += rate * mean / (np.sqrt(square) + 1e-8)


def train(games: int, seed: int) -> Policy:
    """A policy after so many games against itself; the same numbers give the same policy."""
    rng = np.random.default_rng(seed)
    first = rng.normal(0, 0.5, (NUMBERS, HIDDEN)).astype(np.float32)
    policy = Policy(first, np.zeros(HIDDEN, np.float32))
    optimizers = Adam(policy.first), Adam(policy.second)
    env = candidate_v0.raw_env()
    env.reset(seed=seed)  # all later resets follow from this one
    batches = math.ceil(games / BATCH)
    for batch in range(batches):
        decisions = [decision for _ in range(BATCH) for decision in play_one(env, policy, rng)]
        improve(policy, optimizers, decisions, RATE * (1 - batch / batches))
    return policy


def play_one(env: candidate_v0.raw_env, policy: Policy, rng: np.random.Generator) -> list[Decision]:
    """The decisions of a game in which the policy plays both seats."""
    env.reset()
    made: list[tuple[str, Floats, Floats, float]] = []
    while not env.terminations["player_0"]:
        agent = env.agent_selection
        observed = env.observe(agent)
        actions = np.flatnonzero(observed["action_mask"])
        rows = describe(observed["observation"], actions)
        chances = policy.chances(rows)
        chosen = rng.choice(len(actions), p=chances)
        env.step(int(actions[chosen]))
        push = -chances
        push[chosen] += 1
        made.append((agent, rows, push, env.rewards["player_0"]))
    decisions = []
    ahead = 0.0
    for agent, rows, push, reward in reversed(made):
        ahead = reward + DISCOUNT * ahead
        decisions.append(Decision(rows, push, ahead if agent == "player_0" else -ahead))
    return decisions


def improve(policy: Policy, optimizers: tuple[Adam, Adam], decisions: list[Decision], rate: float) -> None:
    """Makes decisions that gained more than the average likelier, and the others less likely."""
    gains = np.array([decision.gain for decision in decisions], np.float32)
    gains = (gains - gains.mean()) / gains.std()
    rows = np.concatenate([decision.rows for decision in decisions])
    push = np.concatenate([decision.push * gain for decision, gain in zip(decisions, gains, strict=True)]) / len(gains)
    hidden = np.tanh(rows @ policy.first)
    first_slope = rows.T @ (np.outer(push, policy.second) * (1 - hidden**2))
    for optimizer, slope in zip(optimizers, (first_slope, hidden.T @ push), strict=True):
        optimizer.climb(slope, rate)


def share_won(policy: Policy, games: int) -> float:
    """The share of games won against `random`, a draw as half, both seats in turn."""
    won = 0.0
    for seed in range(games):
        seat = seed % 2
        mine, other = LocalPlayer(lambda: Bot(policy)), LocalPlayer(random.Bot)
        winner = play((other, mine) if seat else (mine, other), Ruleset(games=1), TimeControl(), seed).outcome.winner
        won += 0.5 if winner is None else winner == seat
    return won / games


def write_bot(folder: Path, policy: Policy) -> None:
    """Writes the bot, its weights, and the encoding as it is now, since the weights fit no other."""
    folder.mkdir(parents=True, exist_ok=True)
    source = Path(trained_bot.__file__).read_text(encoding="utf-8")
    (folder / "bot.py").write_text(source.replace("arena.training.encoding", "encoding"), encoding="utf-8")
    shutil.copy(encoding.__file__, folder / "encoding.py")
    np.savez(folder / "weights.npz", first=policy.first, second=policy.second)


def parser() -> argparse.ArgumentParser:
    command = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    command.add_argument("--games", type=int, default=3200, help="to learn from (default 3200)")
    command.add_argument("--seed", type=int, default=0, help="of all chance (default 0)")
    command.add_argument("--folder", type=Path, default=Path("build/learner"), help="of the bot (build/learner)")
    return command


def main() -> int:
    options = parser().parse_args()
    policy = train(options.games, options.seed)
    write_bot(options.folder, policy)
    share = share_won(policy, MEASURED)
    margin = 1.96 * math.sqrt(share * (1 - share) / MEASURED)
    print(f"{options.folder} won {share:.1%} +- {margin:.1%} (95 %) of {MEASURED} games against random")
    return 0 if share - margin > 0.5 else 1


if __name__ == "__main__":
    raise SystemExit(main())
