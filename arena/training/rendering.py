"""A game as text, for eyes."""

from __future__ import annotations

from collections.abc import Sequence

from arena import SUITS, Phase, State, text
from arena.state import NOBODY


def table(game: State, names: Sequence[str]) -> str:
    """The whole table with both hands open, a line each: what is next, piles, lobby, both players."""
    piles = "  ".join(f"{suit} {len(pile)}" for suit, pile in zip(SUITS, game.piles, strict=True))
    lobby = text(game.lobby)
    if game.last_layer != NOBODY and lobby:
        lobby += f"  ({game.kind.name.lower()}, {names[game.last_layer]} laid last)"
    lines = [
        ("next", "game over" if game.phase == Phase.OVER else f"{names[game.to_move]}: {game.phase.name.lower()}"),
        ("piles", piles),
        ("lobby", lobby),
        *((name, f"{game.scores[seat]:3}  {text(game.hands[seat])}") for seat, name in enumerate(names)),
    ]
    return "\n".join(f"{name:9} {line}".rstrip() for name, line in lines)
