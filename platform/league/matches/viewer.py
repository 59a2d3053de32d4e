"""A game step by step as the replay page shows it: the table after each action, and the action in words."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from django.utils.translation import gettext as _
from django.utils.translation import gettext_noop

from arena.cards import Card
from arena.outcome import SEATS
from arena.replay import Record
from arena.ruleset import Ruleset
from arena.state import Kind, Phase, score
from arena.steps import Step, steps
from league import texts
from league.matches import words as wording
from league.matches.times import TimeUse, time_use
from league.matches.words import SUIT_NAMES, Words

DONE = {
    "start": gettext_noop("Four piles, one of each suit, are on the table"),
    "deal": gettext_noop("deals from %(suit)s"),
    "turn": gettext_noop("turns %(cards)s"),
    "lay": gettext_noop("lays %(cards)s"),
    "lead": gettext_noop("leads %(cards)s"),
    "pass": gettext_noop("passes"),
    "draw": gettext_noop("draws %(cards)s"),
    "take": gettext_noop("passes; %(seat)s takes %(cards)s for %(points)s"),
    "unclaimed": gettext_noop("passes; %(cards)s goes unclaimed"),
}
"""What the acting seat does, by what the frame is, without the seat's name."""
SECRET_DRAW = gettext_noop("draws a card of %(suit)s")
CALLED_PASS = gettext_noop("pass")
VIEWS = ("all", "A", "B")
HIDDEN = "?"
REASON_CHARS = 300


@dataclass(frozen=True, slots=True)
class Laid:
    """A card in the lobby."""

    card: str
    seat: int | None
    """Who laid it; none for the card turned from a pile."""


@dataclass(frozen=True, slots=True)
class Frame:
    """The table after one step. Cards are texts such as `9S`; `?S` is one of spades that this view hides."""

    number: int
    what: str
    """`start`, `deal`, `turn`, `lay`, `lead`, `pass`, `draw`, `take`, `unclaimed` or `fault`."""
    seat: int | None
    words: str
    hands: tuple[list[str], list[str]]
    piles: dict[str, int]
    lobby: list[Laid]
    kind: str
    worth: str
    """What the lobby, or what was just taken, scores: `3 × 4 = 12`."""
    holder: int | None
    """Who laid last and takes the lobby unless the other goes on, or who has just taken it."""
    says: tuple[str, str]
    """What each seat has just called out: a pass, or the points it took."""
    scores: tuple[int, int]
    round: int
    to_move: int | None
    opens_round: bool
    decision: int | None
    """Its number in the game, from 1; none where the action was forced."""
    time: str
    """CPU time of the decision; empty where there was none."""
    thought: tuple[str, str] = ("", "")
    """CPU time of each seat's latest decision in this game."""
    banks: tuple[str, str] = ("", "")
    """What decisions have left of each seat's time for the match."""
    points: int = 0
    """Of the sequence that was just taken."""
    fault: str = ""
    """What the seat did that forfeited the match."""
    wall: str = ""
    """Wall time of the decision (`matches.walls`): for the owner of the bot and staff alone."""

    @property
    def cards(self) -> str:
        """The lobby, or the sequence that has just left it, as text."""
        return wording.shown(laid.card for laid in self.lobby)

    @property
    def endgame(self) -> bool:
        return self.number > 0 and not any(self.piles.values())


def frames(record: Record, number: int, view: str = "all", use: tuple[TimeUse, TimeUse] | None = None) -> list[Frame]:
    """All frames of game `number` (1, 2, ...), as everybody or one seat sees them.

    `use` is what the whole record says of the time (`matches.times`), where that is known.

    Raises:
        ReplayError: the record is not a game by the rules.
    """
    hidden = None if view == "all" else 1 - SEATS.index(view)
    clocks = _Clocks(record, number, use or time_use(record))
    made: list[Frame] = []
    layers: list[int | None] = []
    for step in steps(record, number):
        if step.phase in (Phase.LOBBY, Phase.LEAD):
            layers = []
        if step.phase in (Phase.LOBBY, Phase.LEAD, Phase.TURN):
            layers += [None if step.phase == Phase.LOBBY else step.seat for _card in step.cards]
        clocks.run(step)
        made.append(_frame(step, layers, record.ruleset, hidden, clocks))
    if record.outcome.forfeits and number == len(record.games):
        made.append(_fault(made[-1], record, number))
    return made


class _Clocks:
    """Both seats' clocks in a game, from step to step."""

    def __init__(self, record: Record, number: int, use: tuple[TimeUse, TimeUse]) -> None:
        self.words = wording.words()
        self.time = ""
        """Of the last step; empty where there was no decision."""
        self.thought = ("", "")
        self._left = [record.time_control.bank_s - sum(seat.games[: number - 1]) for seat in use]
        self.banks = (self._bank(0), self._bank(1))

    def run(self, step: Step) -> None:
        self.time = "" if step.cpu_s is None else self.words.duration(step.cpu_s)
        if step.cpu_s is None or step.seat is None:
            return
        self._left[step.seat] -= step.cpu_s
        (a, b), (bank_a, bank_b) = self.thought, self.banks
        self.thought = (self.time, b) if step.seat == 0 else (a, self.time)
        self.banks = (self._bank(0), bank_b) if step.seat == 0 else (bank_a, self._bank(1))

    def _bank(self, seat: int) -> str:
        return self.words.duration(max(0.0, self._left[seat]))


def _fault(last: Frame, record: Record, number: int) -> Frame:
    """The table at which the match broke off, with what the bot did there."""
    seat = record.outcome.forfeits[0]
    place, _colon, what = record.outcome.reason.partition(": ")
    told = what if place.startswith(f"game {number},") else record.outcome.reason
    fault = texts.line(told, REASON_CHARS)
    called = _("forfeit")
    return replace(
        last,
        number=last.number + 1,
        what="fault",
        seat=seat,
        words=_("forfeits: %(reason)s") % {"reason": fault},
        says=(called, "") if seat == 0 else ("", called),
        to_move=seat,
        opens_round=False,
        decision=None,
        time="",
        points=0,
        fault=fault,
    )


def _frame(step: Step, layers: list[int | None], ruleset: Ruleset, hidden: int | None, clocks: _Clocks) -> Frame:
    left = step.taken
    on_table = step.lobby if left is None else left.cards
    secret = hidden is not None and step.seat == hidden and step.phase == Phase.DRAW
    what = _what(step)
    return Frame(
        number=step.number,
        what=what,
        seat=step.seat,
        words=_done(step, SECRET_DRAW if secret else DONE[what], clocks.words),
        hands=(_hand(step, 0, hidden), _hand(step, 1, hidden)),
        piles=step.piles,
        lobby=_lobby(on_table, layers),
        kind=_kind(on_table),
        worth=_worth(on_table, ruleset),
        holder=step.last_layer if left is None else left.seat,
        says=_says(step, clocks.words),
        scores=step.scores,
        round=step.round,
        to_move=step.to_move,
        opens_round=step.phase in (Phase.LOBBY, Phase.LEAD),
        decision=None if step.decision is None else step.decision + 1,
        time=clocks.time,
        thought=clocks.thought,
        banks=clocks.banks,
        points=left.points if left and left.seat is not None else 0,
    )


def _hand(step: Step, seat: int, hidden: int | None) -> list[str]:
    return [HIDDEN + card.suit if seat == hidden else str(card) for card in step.hands[seat]]


def _lobby(cards: Sequence[Card], layers: Sequence[int | None]) -> list[Laid]:
    """The cards as they lie, by rank; `layers` has who laid each, in the order laid."""
    laid = zip(cards, layers[: len(cards)], strict=True)
    return [Laid(str(card), seat) for card, seat in sorted(laid, key=lambda each: each[0].rank)]


def _kind(cards: Sequence[Card]) -> str:
    if len(cards) < 2:
        return ""
    return "set" if cards[0].rank == cards[1].rank else "run"


def _worth(cards: Sequence[Card], ruleset: Ruleset) -> str:
    if not cards:
        return ""
    kind = Kind.SET if _kind(cards) == "set" else Kind.RUN
    points = score(cards, kind, ruleset.set_scoring)
    return f"{len(cards)} × {points // len(cards)} = {points}"


def _says(step: Step, words: Words) -> tuple[str, str]:
    called = ["", ""]
    if step.action == "pass" and step.seat is not None:
        called[step.seat] = words.said(CALLED_PASS)
    if step.taken:
        called = [words.said(CALLED_PASS), words.said(CALLED_PASS)]
        if step.taken.seat is not None:
            called[step.taken.seat] = f"+{step.taken.points}"
    return called[0], called[1]


def _what(step: Step) -> str:
    if step.seat is None:
        return "start"
    if step.taken:
        return "unclaimed" if step.taken.seat is None else "take"
    if step.action == "pass":
        return "pass"
    return {
        Phase.DEAL: "deal",
        Phase.LOBBY: "turn",
        Phase.TURN: "lay",
        Phase.DRAW: "draw",
        Phase.LEAD: "lead",
    }[step.phase]


def _done(step: Step, message: str, words: Words) -> str:
    """What the acting seat does, without its name."""
    left = step.taken
    moved = step.cards if left is None else left.cards
    return words.said(message) % {
        "cards": words.cards(map(str, moved)),
        "suit": words.said(SUIT_NAMES[moved[0].suit]) if moved else "",
        "seat": SEATS[left.seat] if left and left.seat is not None else "",
        "points": left.points if left else 0,
    }
