"""The steps of a recorded game as everybody, or one seat, sees them."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import cycle
from typing import Any

from arena.cards import Card
from arena.outcome import SEATS
from arena.replay import Record
from arena.state import DEAL, DRAW, LEAD, LOBBY, Kind, score
from arena.steps import Step

EVERYBODY = "all"
VIEWS = (EVERYBODY, *SEATS)
OPENING = (LOBBY, LEAD)
"""The phases in which an action opens a round."""


def hand(step: Step, seat: int, see: str) -> list[str]:
    """The cards of that seat, as texts; `?S` is one of spades that this view hides."""
    return [_hidden(card) if hides(see, seat) else card.text for card in step.hands[seat]]


def words(step: Step, see: str) -> str:
    """What was done, without the card that this view hides."""
    if step.phase == DRAW and step.seat is not None and hides(see, step.seat):
        return step.text.replace(f" {step.cards[0]}", "", 1)
    return step.text


def lobby_worth(step: Step, record: Record) -> int:
    """Points that the lobby would score now."""
    return score(step.lobby, Kind[step.kind.upper()], record.ruleset.set_scoring)


def as_dict(step: Step, see: str) -> dict[str, Any]:
    """The step as plain data; decisions count from 1, as reasons name them."""
    plain = step._asdict()
    taken = step.taken
    return {
        **plain,
        "phase": step.phase.name.lower(),
        "text": words(step, see),
        "cards": _moved(step, see),
        "decision": None if step.decision is None else step.decision + 1,
        "hands": [hand(step, seat, see) for seat in range(2)],
        "lobby": _texts(step.lobby),
        "taken": taken and {**taken._asdict(), "cards": _texts(taken.cards)},
    }


def hides(see: str, seat: int) -> bool:
    """If that seat's cards are not seen."""
    return see not in (EVERYBODY, SEATS[seat])


def _moved(step: Step, see: str) -> list[str]:
    if step.seat is None or step.phase not in (DEAL, DRAW):
        return _texts(step.cards)
    # The cards of a deal go to the dealer's opponent and the dealer in turn.
    seats: Iterable[int] = cycle((1 - step.seat, step.seat)) if step.phase == DEAL else (step.seat,)
    return [_hidden(card) if hides(see, seat) else card.text for card, seat in zip(step.cards, seats, strict=False)]


def _hidden(card: Card) -> str:
    return f"?{card.suit}"


def _texts(some: Sequence[Card]) -> list[str]:
    return [card.text for card in some]
