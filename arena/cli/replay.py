"""`arena replay FILE`: a recorded game, step by step."""

from __future__ import annotations

import argparse
from collections.abc import Sequence

from arena.cli import board, keys, options, recorded, screen, seen
from arena.cli.board import Scene
from arena.cli.failure import USAGE, Failure
from arena.steps import Step, steps

EXAMPLES = """  arena replay match-12.json
  arena replay match.txt --game 3 --move 40 --see A
  arena replay match.txt --game 3 | less -S

At a terminal, keys lead through the match: right or n a move on, left or p a move
back, r and R a round, g and G a game, q the end. Elsewhere the game is printed, an
action a line.
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
    scene = Scene(found, parsed.game, shown, parsed.move or 0, parsed.see)
    if parsed.json:
        _show_json(scene, shown if parsed.move is None else shown[parsed.move : parsed.move + 1])
    elif keys.are_there():
        _step_through(scene)
    elif parsed.move is not None:
        screen.show(board.draw(scene))
    else:
        _show_lines(scene)
    return 0


def _check(option: str, given: int, least: int, most: int, where: str) -> None:
    if not least <= given <= most:
        raise Failure(f"{option}: expected {least} to {most} in {where}, got {given}", USAGE)


def _show_json(scene: Scene, shown: Sequence[Step]) -> None:
    record, names = scene.recorded
    screen.show_json(
        {
            "bots": names,
            "seed": record.seed,
            "game": scene.game,
            "points": record.games[scene.game - 1].points,
            "fault": board.fault(scene.recorded, scene.game) or None,
            "steps": [seen.as_dict(step, scene.see) for step in shown],
        }
    )


def _show_lines(scene: Scene) -> None:
    head = ("move", "decision", "ms", "what", "hand of A", "hand of B", "lobby", "piles", "A", "B")
    rows = []
    for step in scene.steps:
        number, ms = "", ""
        if step.decision is not None:
            number, ms = str(step.decision + 1), f"{1000 * (step.cpu_s or 0):.1f}"
        hands = [" ".join(seen.hand(step, seat, scene.see)) for seat in range(2)]
        lobby = " ".join(card.text for card in step.lobby)
        piles = " ".join(f"{suit}{size}" for suit, size in step.piles.items())
        rows.append((step.number, number, ms, seen.words(step, scene.see), *hands, lobby, piles, *step.scores))
    names = " - ".join(scene.recorded.called(seat) for seat in range(2))
    screen.say(f"{names}, game {scene.game} of {len(scene.recorded.record.games)}\n", "bold")
    screen.show_table(head, rows, left=range(3, 8))
    if reason := board.fault(scene.recorded, scene.game):
        screen.say(f"\n{reason}", "bold red")


def _step_through(scene: Scene) -> None:
    with screen.whole() as draw:

        def show() -> None:
            draw(lambda width: board.draw(scene, width, board.KEYS))

        with keys.raw(on_resize=show):
            show()
            for key in keys.pressed():
                if key == "q":
                    return
                scene = _after(key, scene)
                show()


def _after(key: str, scene: Scene) -> Scene:
    """Where that key leads."""
    last = len(scene.steps) - 1
    if key in ("right", "n"):
        return scene._replace(move=min(scene.move + 1, last))
    if key in ("left", "p"):
        return scene._replace(move=max(scene.move - 1, 0))
    if key in ("r", "R"):
        opens = [step.number for step in scene.steps if step.number and step.phase in seen.OPENING]
        if key == "r":
            return scene._replace(move=min((move for move in opens if move > scene.move), default=last))
        return scene._replace(move=max((move for move in opens if move < scene.move), default=0))
    game = scene.game + {"g": 1, "G": -1}.get(key, 0)
    if game != scene.game and 1 <= game <= len(scene.recorded.record.games):
        return scene._replace(game=game, steps=steps(scene.recorded.record, game), move=0)
    return scene
