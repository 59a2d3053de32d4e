"""A player's knowledge of a game as one array of numbers, and the mask of what he may do.

This file needs numpy and what bots may import, so that a copy of it can go with a bot that was trained on it.

The array has these parts, in this order; their lengths are the same under all rules. Pairs are of me and the other.
Cards are counted by their values (`arena.cards`), as shares of the equal cards of all decks.

    hand        52   my cards, 0 to 1
    slots   5 x 13   a one for the rank of my i-th card, in ascending order: bit i of an action lays that card
    lobby       52   the cards on the table, 0 to 1
    unseen      52   the cards in the piles and in the other's hand, 0 to 1; the cards of no part are out of the game
    kind         3   a one for open, run or set; a table without cards is open
    low         13   a one for the lobby's lowest rank; none without a lobby
    high        13   a one for its highest rank
    piles        4   what is left of each pile, as a share of a full one, 0 to 1
    other        4   cards of each suit in the other's hand, in fifths, 0 to 1: their sum is the size of his hand
    phase        6   a one for what is decided (`arena.Phase`)
    mover        2   a one for who decides; none when the game is over
    passed       1   1 after a pass: one more ends the round. It stays until the next round, like the next two
    layer        2   a one for who laid last; none if nobody has
    leader       2   a one for who leads
    dealer       2   a one for who dealt
    rules        5   decks in thirds; 1 for each of `run_direction="both"`, `unclaimed="other_leader"`,
                     `endgame="stop"`, `set_scoring="worth"`
    game         1   the game's number as a share of the match's games, above 0 to 1
    points       3   in hundreds: mine and the other's in this game, and my lead from the games before, which alone of
                     all may be negative
"""

from __future__ import annotations

from collections.abc import Iterable
from functools import cache

import numpy as np
from numpy.typing import NDArray

from arena import SUITS, Observation, Phase, Ruleset
from arena.state import NOBODY

ACTIONS = 36
"""Of the action space: see `arena.state`."""
LENGTHS = {
    "hand": 52, "slots": 65, "lobby": 52, "unseen": 52, "kind": 3, "low": 13, "high": 13, "piles": 4, "other": 4,
    "phase": 6, "mover": 2, "passed": 1, "layer": 2, "leader": 2, "dealer": 2, "rules": 5, "game": 1, "points": 3,
}  # fmt: skip
SIZE = sum(LENGTHS.values())
ENDS = np.cumsum(list(LENGTHS.values())).tolist()
PARTS = {name: slice(end - LENGTHS[name], end) for name, end in zip(LENGTHS, ENDS, strict=True)}
"""Where each part is in the array."""
HUNDRED = 100.0
MOST_POINTS = 13 * 68
"""Of one deck in a game: its cards are worth 68, and no lobby is longer than 13 cards, a set of three decks neither."""


def encode(observation: Observation) -> NDArray[np.float32]:
    """What that player knows, as `SIZE` numbers."""
    state = observation.state
    ruleset = state.ruleset
    me = observation.seat
    hand = state.hands[me]
    low, high = (RANK[state.low], RANK[state.high]) if state.lobby else (NO_RANK, NO_RANK)
    counts = b"".join(
        (
            _count(hand),
            b"".join([RANK[card >> 2] for card in hand]).ljust(LENGTHS["slots"], b"\0"),
            _count(state.lobby),
            _count([card for suit in SUITS for card in observation.unseen(suit)]),
            KIND[state.kind],
            low,
            high,
            bytes(map(len, state.piles)),
            bytes(observation.opponent_suits.values()),
            PHASE[state.phase],
            NO_SEAT if observation.over else SEAT[state.to_move == me],
            bytes((state.passes,)),
            NO_SEAT if state.last_layer == NOBODY else SEAT[state.last_layer == me],
            SEAT[state.leader == me],
            SEAT[state.dealer == me],
            _rules(ruleset),
            bytes((observation.game,)),
            bytes(LENGTHS["points"]),
        )
    )
    encoded = np.frombuffer(counts, np.uint8).astype(np.float32)
    encoded /= units(ruleset)
    before = observation.match_scores
    encoded[-3] = state.scores[me] / HUNDRED
    encoded[-2] = state.scores[1 - me] / HUNDRED
    encoded[-1] = (before[me] - before[1 - me]) / HUNDRED
    return encoded


def mask(observation: Observation) -> NDArray[np.int8]:
    """1 for each of the `ACTIONS` that he may choose now: none when the other is to move, or the game is over."""
    allowed = np.zeros(ACTIONS, np.int8)
    state = observation.state
    if state.to_move == observation.seat:
        allowed[list(state.legal_actions())] = 1
    return allowed


def split(encoded: NDArray[np.float32]) -> dict[str, NDArray[np.float32]]:
    """The parts of an encoded observation by name, as views of it."""
    return {name: encoded[part] for name, part in PARTS.items()}


def bounds(ruleset: Ruleset) -> tuple[NDArray[np.float32], NDArray[np.float32]]:
    """The least and the greatest that each number can be."""
    low, high = np.zeros(SIZE, np.float32), np.ones(SIZE, np.float32)
    most = MOST_POINTS * ruleset.decks / HUNDRED
    high[PARTS["points"]] = most, most, most * ruleset.games
    low[-1] = -high[-1]
    return low, high


@cache
def units(ruleset: Ruleset) -> NDArray[np.float32]:
    """What each count is divided by."""
    units = np.ones(SIZE, np.float32)
    for name in ("hand", "lobby", "unseen"):
        units[PARTS[name]] = ruleset.decks
    units[PARTS["piles"]] = 13 * ruleset.decks
    units[PARTS["other"]] = 5
    units[PARTS["rules"].start] = 3
    units[PARTS["game"]] = ruleset.games
    return units


@cache
def _rules(ruleset: Ruleset) -> bytes:
    return bytes(
        (
            ruleset.decks,
            ruleset.run_direction == "both",
            ruleset.unclaimed == "other_leader",
            ruleset.endgame == "stop",
            ruleset.set_scoring == "worth",
        )
    )


def _count(cards: Iterable[int]) -> bytearray:
    counts = bytearray(52)
    for card in cards:
        counts[card] += 1
    return counts


def _one_hot(length: int) -> tuple[bytes, ...]:
    """By index, so many bytes of which that one is 1."""
    return tuple(bytes(i == place for i in range(length)) for place in range(length))


RANK, NO_RANK = _one_hot(13), bytes(13)
KIND = _one_hot(3)
PHASE = _one_hot(len(Phase))
SEAT, NO_SEAT = (b"\0\1", b"\1\0"), bytes(2)
"""By whether it is me."""
