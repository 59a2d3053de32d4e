"""A bot whose play a small network decides. `train_agent.py` finds its weights, and writes the folder to upload.

The network rates each legal action by what it would leave on the table: how long the lobby is, what it is worth, how
likely the other has an answer. It need not find out from raw cards that a seven follows a six; with these numbers a few
hundred games teach it to play. It was made for the usual rules: one deck, and runs that grow upward.
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from arena import SUITS, Card, Observation, Phase
from arena.training.encoding import encode, mask, split

Floats = NDArray[np.float32]

WEIGHTS = Path(__file__).with_name("weights.npz")
PILE = 32
"""The first action that takes from a pile; those below lay cards, or pass."""
LAYS = np.array([[action >> i & 1 for i in range(5)] for action in range(PILE)], np.float32)
"""By action, which of the five cards of the hand it lays."""
WORTH = np.array([1] * 9 + [2] * 4, np.float32)
OF_LAYS, OF_PILES = 11, 5
NUMBERS = OF_LAYS + 2 * OF_PILES


def describe(encoded: Floats, actions: NDArray[np.intp]) -> Floats:
    """A row of `NUMBERS` for each of these legal actions: of lays, of piles to draw from, of piles to turn from."""
    parts = split(encoded)
    hand = parts["hand"].reshape(13, 4).sum(axis=1)
    unseen = parts["unseen"].reshape(13, 4)
    chances = unseen / np.maximum(unseen.sum(axis=0), 1e-6)  # of each rank, for any hidden card of a suit
    his = chances @ (5 * parts["other"])  # how many cards of each rank the other has, on average
    rows = np.zeros((len(actions), NUMBERS), np.float32)
    if actions[0] < PILE:
        rows[:, :OF_LAYS] = _lays(parts, hand, his, LAYS[actions] @ parts["slots"].reshape(5, 13))
    else:
        first = OF_LAYS if parts["phase"][Phase.DRAW] else OF_LAYS + OF_PILES
        rows[:, first : first + OF_PILES] = _piles(hand, his, chances[:, actions - PILE].T)
    return rows


def _lays(parts: Mapping[str, Floats], hand: Floats, his: Floats, laid: Floats) -> Floats:
    """Of the lobby after each lay, given by its cards of each rank. To pass is to lay no cards."""
    lobby = parts["lobby"].reshape(13, 4).sum(axis=1) + laid
    left = hand - laid
    length = lobby.sum(axis=1)
    is_set = lobby.max(axis=1) > 1
    is_run = (length > 1) & ~is_set
    points = length * np.where(is_set, length, lobby @ WORTH) / 10
    lays = laid.any(axis=1)
    mine = np.where(lays, 1, parts["layer"][0] - parts["layer"][1])  # 1 if I would take it, -1 if the other would
    ended = parts["passed"] * ~lays
    rank = np.arange(13)
    top = np.where(lobby > 0, rank, 0).max(axis=1, keepdims=True)
    fits = (rank == top) & ~is_run[:, np.newaxis] | (rank == top + 1) & ~is_set[:, np.newaxis]
    his_answers = fits @ his
    my_answers = (fits * left).sum(axis=1)
    mine_after_his = ((rank == top + 2) * left).sum(axis=1) * ~is_set
    about_cards = [np.ones(len(laid)), lays, laid.sum(axis=1) / 5, laid @ WORTH / 5, length / 5]
    about_points = [mine * points, mine * points * ended, his_answers * points]
    return np.stack([*about_cards, *about_points, his_answers, my_answers, mine_after_his], axis=1)


def _piles(hand: Floats, his: Floats, chances: Floats) -> Floats:
    """Of the top card of each pile, given by its chances: how it goes with both hands, and its worth."""
    below, above, his_above = np.append(0, hand[:-1]), np.append(hand[1:], 0), np.append(his[1:], 0)
    return np.stack([chances @ each for each in (above, hand, below, his + his_above, WORTH)], axis=1)


class Policy:
    """A network of one hidden layer, from the numbers of an action to its score."""

    def __init__(self, first: Floats, second: Floats) -> None:
        self.first, self.second = first, second

    def scores(self, rows: Floats) -> Floats:
        scores: Floats = np.tanh(rows @ self.first) @ self.second
        return scores

    def chances(self, rows: Floats) -> Floats:
        """Of each action, adding up to 1."""
        scores = self.scores(rows)
        chances: Floats = np.exp(scores - scores.max())
        chances /= chances.sum()
        return chances


class Bot:
    def __init__(self, policy: Policy | None = None) -> None:
        self.policy = policy or Policy(**np.load(WEIGHTS))

    def play(self, observation: Observation) -> tuple[Card, ...]:
        return observation.state.cards_of(self.best(observation))

    def choose_pile(self, observation: Observation, purpose: str) -> str:
        return SUITS[self.best(observation) - PILE]

    def best(self, observation: Observation) -> int:
        actions = np.flatnonzero(mask(observation))
        return int(actions[self.policy.scores(describe(encode(observation), actions)).argmax()])
