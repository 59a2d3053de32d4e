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


class Scene(NamedTuple):
    """A step of a game in a record, as one view shows it."""

    recorded: Recorded
    game: int
    steps: Sequence[Step]
    move: int
    see: str


def draw(scene: Scene, width: int = WIDTH, keys: str = "") -> RenderableType:
    """The table of that scene."""
    step = scene.steps[scene.move]
    table = Table.grid(padding=(0, 2, 0, 0))
    table.add_column(no_wrap=True, overflow="ellipsis", max_width=20)
    table.add_column(justify="right", no_wrap=True)
    table.add_column()
    table.add_row(*_player(scene, 1))
    table.add_row()
    table.add_row(Text("lobby", "dim"), "", _lobby(scene))
    table.add_row(Text("piles", "dim"), "", _piles(step))
    table.add_row()
    table.add_row(*_player(scene, 0))
    return Panel(
        Group(table, Text(), *_moves(scene)),
        title=Text(_title(scene)),
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


def _title(scene: Scene) -> str:
    record = scene.recorded.record
    a, b = (sum(game.points[seat] for game in record.games[: scene.game - 1]) for seat in range(2))
    before = f" · {a} : {b} before" if scene.game > 1 else ""
    step = scene.steps[scene.move]
    return (
        f"game {scene.game} of {len(record.games)}{before} · round {step.round} · "
        f"move {scene.move} of {len(scene.steps) - 1}"
    )


def _player(scene: Scene, seat: int) -> tuple[Text, Text, Text]:
    step = scene.steps[scene.move]
    to_move = step.to_move == seat
    who = Text(("▶ " if to_move else "  ") + scene.recorded.called(seat), "bold" if to_move else "")
    return who, Text(f"{step.scores[seat]} points"), _cards(seen.hand(step, seat, scene.see))


def _lobby(scene: Scene) -> Text:
    step = scene.steps[scene.move]
    if not step.lobby:
        return Text("–", "dim")
    shown = _cards([card.text for card in step.lobby])
    worth = seen.lobby_worth(step, scene.recorded.record)
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


def _moves(scene: Scene) -> list[Text]:
    """The latest moves up to this one, and what ended the match if this is where it broke off."""
    lines = []
    for step in scene.steps[max(0, scene.move - MOVES + 1) : scene.move + 1]:
        here = step.number == scene.move
        line = Text(f"{step.number:>4}  {seen.words(step, scene.see)}", "bold" if here else "dim")
        if step.decision is not None:
            line.append(f"   decision {step.decision + 1}, {1000 * (step.cpu_s or 0):.1f} ms", "dim not bold")
        lines.append(line)
    lines += [Text()] * (MOVES - len(lines))
    if scene.move == len(scene.steps) - 1 and (reason := fault(scene.recorded, scene.game)):
        lines.append(Text(f"      {reason}", "bold red"))
    return lines
