"""A recorded game step by step, with the whole table after each: what a viewer shows."""

from __future__ import annotations

from typing import NamedTuple

from arena.cards import CARDS, SUITS, Card, text
from arena.outcome import SEATS
from arena.replay import TICKS_A_S, Record, positions, start
from arena.state import DEAL, LEAD, LOBBY, NOBODY, OVER, PASS, PILE, Phase, State

SUIT_NAMES = {"C": "clubs", "D": "diamonds", "H": "hearts", "S": "spades"}


class Taken(NamedTuple):
    """A sequence that left the table."""

    seat: int | None
    """Who took it; none if it went unclaimed."""
    cards: tuple[Card, ...]
    points: int


class Step(NamedTuple):
    """The table after one action, forced ones included; step 0 is the table before the deal."""

    number: int
    seat: int | None
    """Who acted; none in step 0."""
    phase: Phase
    """In which the action was taken."""
    action: str
    """In notation: `pass`, cards such as `TH JH`, a suit such as `H`; empty in step 0."""
    text: str
    """In words."""
    cards: tuple[Card, ...]
    """That moved: laid, turned or drawn, or the ten of the deal."""
    forced: bool
    decision: int | None
    """Index of this decision in the record, from 0; none where it was forced."""
    cpu_s: float | None
    """CPU time of the decision."""
    hands: tuple[tuple[Card, ...], tuple[Card, ...]]
    piles: dict[str, int]
    lobby: tuple[Card, ...]
    kind: str
    """Of the lobby: `open`, `run` or `set`."""
    scores: tuple[int, int]
    round: int
    leader: int
    to_move: int | None
    last_layer: int | None
    taken: Taken | None
    """What this action ended."""


def steps(record: Record, number: int) -> list[Step]:
    """All steps of game `number` (1, 2, ...), from the table before the deal to the last recorded action.

    Raises:
        ReplayError: the record is not a game by the rules.
    """
    game = record.games[number - 1]
    shown = [_step(start(record, number), 0, text=f"{SEATS[game.dealer]} deals", phase=DEAL)]
    for state, action, decision in positions(record, number):
        before = state.clone()
        state = state.clone()
        state.apply(action)
        taken = _taken(before, state, action)
        shown.append(
            _step(
                state,
                len(shown),
                seat=before.to_move,
                phase=before.phase,
                action=before.action_text(action),
                text=_words(before, action, taken),
                cards=_moved(before, action),
                forced=decision is None,
                decision=decision,
                cpu_s=None if decision is None else game.times[decision] / TICKS_A_S,
                taken=taken,
            )
        )
    return shown


def _step(
    state: State,
    number: int,
    *,
    phase: Phase,
    text: str,
    seat: int | None = None,
    action: str = "",
    cards: tuple[Card, ...] = (),
    forced: bool = False,
    decision: int | None = None,
    cpu_s: float | None = None,
    taken: Taken | None = None,
) -> Step:
    a, b = state.hands
    return Step(
        number=number,
        seat=seat,
        phase=phase,
        action=action,
        text=text,
        cards=cards,
        forced=forced,
        decision=decision,
        cpu_s=cpu_s,
        hands=(_cards(a), _cards(b)),
        piles={suit: len(pile) for suit, pile in zip(SUITS, state.piles, strict=True)},
        lobby=_cards(state.lobby),
        kind=state.kind.name.lower(),
        scores=(state.scores[0], state.scores[1]),
        round=state.rounds,
        leader=state.leader,
        to_move=None if state.phase == OVER else state.to_move,
        last_layer=None if state.last_layer == NOBODY else state.last_layer,
        taken=taken,
    )


def _cards(some: list[int]) -> tuple[Card, ...]:
    return tuple([CARDS[card] for card in some])


def _moved(before: State, action: int) -> tuple[Card, ...]:
    if action < PILE:
        return before.cards_of(action)
    pile = before.piles[action - PILE]
    return _cards(pile[-1:-11:-1] if before.phase == DEAL else pile[-1:])


def _taken(before: State, after: State, action: int) -> Taken | None:
    if action != PASS or not before.passes:
        return None
    seat = None if before.last_layer == NOBODY else before.last_layer
    points = sum(after.scores) - sum(before.scores)
    return Taken(seat, _cards(before.lobby), points)


def _words(before: State, action: int, taken: Taken | None) -> str:
    who = SEATS[before.to_move]
    if action >= PILE:
        suit = SUIT_NAMES[SUITS[action - PILE]]
        card = text(before.piles[action - PILE][-1:])
        if before.phase == DEAL:
            return f"{who} deals five cards each from {suit}"
        if before.phase == LOBBY:
            return f"{who} turns {card} from {suit}"
        return f"{who} draws {card} from {suit}"
    if action != PASS:
        verb = "leads" if before.phase == LEAD else "lays"
        return f"{who} {verb} {text(before.cards_of(action))}"
    if taken is None:
        return f"{who} passes"
    if taken.seat is None:
        return f"{who} passes; {text(taken.cards)} goes unclaimed"
    return f"{who} passes; {SEATS[taken.seat]} takes {text(taken.cards)} for {taken.points}"
