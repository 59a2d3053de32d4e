"""What a bot sees at a decision: as lines for its author, and as data for programs."""

from __future__ import annotations

from typing import Any

from arena.cards import text
from arena.observation import Observation
from arena.outcome import SEATS
from arena.state import NOBODY


def as_dict(observation: Observation) -> dict[str, Any]:
    """The observation as plain data; a pass among the legal plays is an empty text."""
    return {
        "phase": observation.phase.name.lower(),
        "hand": text(observation.hand),
        "lobby": text(observation.lobby),
        "kind": observation.kind.name.lower(),
        "last_layer": observation.last_layer,
        "passes": observation.passes,
        "piles": observation.piles,
        "opponent_suits": observation.opponent_suits,
        "score": observation.score,
        "opponent_score": observation.opponent_score,
        "legal_plays": [text(cards) for cards in observation.legal_plays],
        "legal_piles": observation.legal_piles,
    }


def lines(observation: Observation) -> list[str]:
    """The same, a line for each thing that a bot may look at."""
    legal = [text(cards) or "pass" for cards in observation.legal_plays] or observation.legal_piles
    told = {
        "hand": text(observation.hand),
        "lobby": f"{text(observation.lobby)} ({_lobby(observation)})" if observation.lobby else "",
        "piles": _by_suit(observation.piles),
        "other": f"{observation.opponent_size} cards: {_by_suit(observation.opponent_suits)}",
        "points": f"{observation.score} : {observation.opponent_score}",
        "legal": " | ".join(legal),
    }
    return [f"  {name:<8}{value or '-'}" for name, value in told.items()]


def _lobby(observation: Observation) -> str:
    layer = observation.last_layer
    whose = "nobody has laid" if layer == NOBODY else f"{SEATS[layer]} laid last"
    passed = ", the other has passed" if observation.passes else ""
    return f"{observation.kind.name.lower()}, {whose}{passed}"


def _by_suit(counts: dict[str, int]) -> str:
    return " ".join(f"{suit}{count}" for suit, count in counts.items())
