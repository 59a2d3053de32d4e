"""`arena replay FILE`: a recorded game, step by step."""

from __future__ import annotations

import argparse
from collections.abc import Sequence

from arena.cli import board, keys, options, recorded, screen, seen
from arena.cli.board import Place
from arena.cli.failure import USAGE, Failure
from arena.steps import Step, steps

EXAMPLES = """  arena replay match-12.json
  arena replay match.txt --game 3 --move 40 --see A
  arena replay match.txt --game 3 | less -S

At a terminal these keys lead through the match: right or n, left or p: a move on, back; r, R: a round; g, G: a game;
q: the end. Elsewhere the game is printed, an action a line.
"""


def add_to(commands: options.Commands) -> None:
    about = "Show a recorded game, step by step."
    parser = options.add_command(commands, run, "replay", about, EXAMPLES)
    options.add_record(parser)
    parser.add_argument("--game", type=int, default=1, metavar="G", help="which game, from 1 (default 1)")
    parser.add_argument("--move", type=int, metavar="N", help="the table after that move; 0 is before the deal")
    parser.add_argument(
        "--see", choices=seen.VIEWS, default=seen.EVERYBODY, help="as one seat sees it: ?S is a spade not seen"
    )
    parser.add_argument("--json", action="store_true", help="print the game's moves as JSON, or the one of --move")


def run(parsed: argparse.Namespace) -> int:
    found = recorded.read(parsed.file)
    games = len(found.record.games)
    if not games:
        raise Failure(f"{parsed.file}: no game was begun: {board.fault(found, 0)}", USAGE)
    _check("--game", parsed.game, 1, games, "this match")
    shown = steps(found.record, parsed.game)
    if parsed.move is not None:
        _check("--move", parsed.move, 0, len(shown) - 1, f"game {parsed.game}")
    place = Place(found, parsed.game, shown, parsed.move or 0, parsed.see)
    if parsed.json:
        _show_json(place, shown if parsed.move is None else shown[parsed.move : parsed.move + 1])
    elif keys.are_there():
        _step_through(place)
    elif parsed.move is not None:
        screen.show(board.draw(place))
    else:
        _show_lines(place)
    return 0


def _check(option: str, given: int, least: int, most: int, where: str) -> None:
    if not least <= given <= most:
        raise Failure(f"{option}: expected {least} to {most} in {where}, got {given}", USAGE)


def _show_json(place: Place, shown: Sequence[Step]) -> None:
    record, names = place.recorded
    screen.show_json(
        {
            "bots": names,
            "seed": record.seed,
            "game": place.game,
            "points": record.games[place.game - 1].points,
            "fault": board.fault(place.recorded, place.game) or None,
            "steps": [seen.as_dict(step, place.see) for step in shown],
        }
    )


def _show_lines(place: Place) -> None:
    head = ("move", "decision", "ms", "what", "hand of A", "hand of B", "lobby", "piles", "A", "B")
    rows = []
    for step in place.steps:
        number, ms = "", ""
        if step.decision is not None:
            number, ms = str(step.decision + 1), f"{1000 * (step.cpu_s or 0):.1f}"
        hands = [" ".join(seen.hand(step, seat, place.see)) for seat in range(2)]
        lobby = " ".join(card.text for card in step.lobby)
        piles = " ".join(f"{suit}{size}" for suit, size in step.piles.items())
        rows.append((step.number, number, ms, seen.words(step, place.see), *hands, lobby, piles, *step.scores))
    names = " - ".join(place.recorded.called(seat) for seat in range(2))
    screen.say(f"{names}, game {place.game} of {len(place.recorded.record.games)}\n", "bold")
    screen.show_table(head, rows, left=range(3, 8))
    if reason := board.fault(place.recorded, place.game):
        screen.say(f"\n{reason}", "bold red")


def _step_through(place: Place) -> None:
    with screen.whole() as draw:

        def show() -> None:
            draw(lambda width: board.draw(place, width, board.KEYS))

        with keys.raw(on_resize=show):
            show()
            for key in keys.pressed():
                if key == "q":
                    return
                place = _after(key, place)
                show()


def _after(key: str, place: Place) -> Place:
    """Where that key leads."""
    last = len(place.steps) - 1
    if key in ("right", "n"):
        return place._replace(move=min(place.move + 1, last))
    if key in ("left", "p"):
        return place._replace(move=max(place.move - 1, 0))
    if key in ("r", "R"):
        opens = [step.number for step in place.steps if step.number and step.phase in seen.OPENING]
        if key == "r":
            return place._replace(move=min((move for move in opens if move > place.move), default=last))
        return place._replace(move=max((move for move in opens if move < place.move), default=0))
    game = place.game + {"g": 1, "G": -1}.get(key, 0)
    if game != place.game and 1 <= game <= len(place.recorded.record.games):
        return place._replace(game=game, steps=steps(place.recorded.record, game), move=0)
    return place
