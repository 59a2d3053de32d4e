"""The table of a recorded game, drawn for a terminal: hands, lobby, piles, points, and the latest moves."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from rich.console import Group, RenderableType
from rich.panel import Panel
from rich.table import Table
from rich.text import Text

from arena.cli import screen, seen
from arena.cli.recorded import Recorded
from arena.outcome import SEATS
from arena.steps import SUIT_NAMES, Step

WIDTH = 80
RED = "DH"
MOVES = 8
"""Latest moves that are listed."""
KEYS = "→ ← n p move · r R round · g G game · q quit"


class Place(NamedTuple):
    """A step of a game in a record, as one view shows it."""

    recorded: Recorded
    game: int
    steps: Sequence[Step]
    move: int
    see: str


def draw(place: Place, width: int = WIDTH, keys: str = "") -> RenderableType:
    """The table at that place."""
    step = place.steps[place.move]
    table = Table.grid(padding=(0, 2, 0, 0))
    table.add_column(no_wrap=True, overflow="ellipsis", max_width=20)
    table.add_column(justify="right", no_wrap=True)
    table.add_column()
    table.add_row(*_player(place, 1))
    table.add_row()
    table.add_row(Text("lobby", "dim"), "", _lobby(place))
    table.add_row(Text("piles", "dim"), "", _piles(step))
    table.add_row()
    table.add_row(*_player(place, 0))
    return Panel(
        Group(table, Text(), *_moves(place)),
        title=Text(_title(place)),
        subtitle=Text(keys) if keys else None,
        width=min(width, WIDTH),
        padding=(1, 2),
        border_style="dim",
    )


def fault(recorded: Recorded, game: int) -> str:
    """Who forfeited the match in that game and why; empty where nobody did."""
    outcome = recorded.record.outcome
    if not outcome.forfeits or game < len(recorded.record.games):
        return ""
    losers = " and ".join(recorded.called(seat) for seat in outcome.forfeits)
    verb = "forfeits" if len(outcome.forfeits) == 1 else "forfeit"
    return f"{losers} {verb} the match: {screen.printable(outcome.reason)}"


def _title(place: Place) -> str:
    record = place.recorded.record
    a, b = (sum(game.points[seat] for game in record.games[: place.game - 1]) for seat in range(2))
    before = f" · {a} : {b} before" if place.game > 1 else ""
    step = place.steps[place.move]
    return (
        f"game {place.game} of {len(record.games)}{before} · round {step.round} · "
        f"move {place.move} of {len(place.steps) - 1}"
    )


def _player(place: Place, seat: int) -> tuple[Text, Text, Text]:
    step = place.steps[place.move]
    to_move = step.to_move == seat
    who = Text(("▶ " if to_move else "  ") + place.recorded.called(seat), "bold" if to_move else "")
    return who, Text(f"{step.scores[seat]} points"), _cards(seen.hand(step, seat, place.see))


def _lobby(place: Place) -> Text:
    step = place.steps[place.move]
    if not step.lobby:
        return Text("–", "dim")
    shown = _cards([card.text for card in step.lobby])
    worth = seen.lobby_worth(step, place.recorded.record)
    whose = "nobody's yet" if step.last_layer is None else f"now {SEATS[step.last_layer]}'s, for {worth}"
    kind = "" if step.kind == "open" else f"{step.kind}, "
    return shown.append(f"\n{kind}{whose}", "dim")


def _piles(step: Step) -> Text:
    shown = Text()
    for suit, size in step.piles.items():
        shown.append(f"{SUIT_NAMES[suit]} ", "red" if suit in RED else "")
        shown.append(f"{size:<4}", "bold" if size else "dim")
    return shown


def _cards(some: Sequence[str]) -> Text:
    shown = Text()
    for card in some:
        colour = "bright_black" if card.startswith("?") else "red" if card[-1] in RED else "black"
        shown.append(f" {card} ", f"bold {colour} on white").append(" ")
    return shown


def _moves(place: Place) -> list[Text]:
    """The latest moves up to this one, and what ended the match if this is where it broke off."""
    lines = []
    for step in place.steps[max(0, place.move - MOVES + 1) : place.move + 1]:
        here = step.number == place.move
        line = Text(f"{step.number:>4}  {seen.words(step, place.see)}", "bold" if here else "dim")
        if step.decision is not None:
            line.append(f"   decision {step.decision + 1}, {1000 * (step.cpu_s or 0):.1f} ms", "dim not bold")
        lines.append(line)
    lines += [Text()] * (MOVES - len(lines))
    if place.move == len(place.steps) - 1 and (reason := fault(place.recorded, place.game)):
        lines.append(Text(f"      {reason}", "bold red"))
    return lines
