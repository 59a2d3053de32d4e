"""`arena play A B`: a match between two bots."""

from __future__ import annotations

import argparse
import secrets
from pathlib import Path

from arena import chance, match, notation
from arena.cli import contestant, options, screen, used
from arena.cli.boxes import opened
from arena.cli.failure import BOT_FAILED, USAGE, Failure
from arena.outcome import SEATS
from arena.replay import Record, as_dict
from arena.ruleset import Ruleset, TimeControl
from arena.usage import Usage
from arena.witness import Witness
from sandbox.cores import one_core

EXAMPLES = """  arena play mybot.py counting
  arena play mybot.py montecarlo --games 12 --seed 1 --save match.txt
  arena play mybot.zip mybot_old.zip --decks 2 --json
"""


def add_to(commands: options.Commands) -> None:
    about = "Play a match between two bots."
    parser = options.add_command(commands, run, "play", about, EXAMPLES)
    parser.add_argument("a", metavar="A", help=options.BOT)
    parser.add_argument("b", metavar="B", help="the same")
    options.add_seed(parser, "match")
    parser.add_argument("--json", action="store_true", help="print the record as JSON, in one line")
    parser.add_argument("--output", action="store_true", help="show what the bots printed")
    parser.add_argument("--save", type=Path, metavar="FILE", help="write the record as text")
    options.add_sandbox(parser)
    options.add_rules(parser)


def run(parsed: argparse.Namespace) -> int:
    ruleset, time_control = options.rules_of(parsed)
    seed = secrets.randbits(chance.SEED_BITS) if parsed.seed is None else parsed.seed
    pair = contestant.read(parsed.a), contestant.read(parsed.b)
    if parsed.save and not parsed.save.resolve().parent.is_dir():
        raise Failure(f"{parsed.save}: there is no such folder", USAGE)
    with opened(pair, parsed.sandbox) as (boxes, confinement):
        name = f"{pair[0].name} - {pair[1].name}"
        with (
            boxes[0].match(time_control, name) as a,
            boxes[1].match(time_control, name) as b,
            one_core(),
            screen.progress(ruleset.games) as on_game,
        ):
            seats = Witness(a), Witness(b)
            record = match.play(seats, ruleset, time_control, seed, on_game)
    if parsed.save:
        _save(record, parsed.save)
    names = pair[0].name, pair[1].name
    usages = used.used(a, seats[0].calls), used.used(b, seats[1].calls)
    if parsed.json:
        found = {"bots": names, "points": record.points, "used": [each.as_dict() for each in usages]}
        screen.show_json({**found, **as_dict(record)})
    else:
        _show(record, names, usages, confinement)
        for bot, seat, session in zip(pair, seats, (a, b), strict=True):
            _show_for_author(bot.name, seat.traceback, session.output if parsed.output else "")
    return BOT_FAILED if record.outcome.forfeits else 0


def _save(record: Record, path: Path) -> None:
    try:
        path.write_text(notation.write(record), encoding="utf-8")
    except OSError as error:
        raise Failure(f"{path}: {error.strerror}", USAGE) from None


def _show(record: Record, names: tuple[str, str], usages: tuple[Usage, Usage], confinement: str) -> None:
    a, b = names
    head = ("game", "dealer", "rounds", f"A {a}", f"B {b}")
    rows = [(i, SEATS[game.dealer], game.rounds, *game.points) for i, game in enumerate(record.games, 1)]
    total = ("all", "", sum(game.rounds for game in record.games), *record.points)
    screen.show_table(head, rows, total)
    screen.say(f"\n{verdict(record, names)}", "bold")
    screen.say(f"seed {record.seed}; {_changed(record)}".rstrip("; "))
    for name, usage in zip(names, usages, strict=True):
        screen.say(f"{name}: {'; '.join(used.lines(usage))}")
    screen.say(f"bots ran as {confinement}")


def _show_for_author(name: str, traceback: str, output: str) -> None:
    if traceback:
        screen.say(f"\n{name}:\n{screen.printable(traceback).rstrip()}")
    if output:
        screen.say(f"\n{name} printed:\n{screen.printable(output).rstrip()}")


def verdict(record: Record, names: tuple[str, str]) -> str:
    """The result in one line."""
    outcome = record.outcome
    a, b = record.points
    if outcome.forfeits:
        losers = " and ".join(names[seat] for seat in outcome.forfeits)
        verb = "forfeits" if len(outcome.forfeits) == 1 else "forfeit"
        return f"{losers} {verb}: {screen.printable(outcome.reason)}"
    if outcome.winner is None:
        return f"a draw, {a} : {b}"
    return f"{SEATS[outcome.winner]} {names[outcome.winner]} wins, {a} : {b}"


def _changed(record: Record) -> str:
    """The rules that are not the default ones."""
    shown = ""
    for given, default in ((record.ruleset, Ruleset()), (record.time_control, TimeControl())):
        defaults = default.as_dict()
        shown += "".join(f"{name} {value}; " for name, value in given.as_dict().items() if value != defaults[name])
    return shown
