"""`arena check PATH`: the check that the site makes of each upload."""

from __future__ import annotations

import argparse
from typing import TYPE_CHECKING, Any

from arena.cli import contestant, options, screen, used
from arena.cli.boxes import opened
from arena.cli.failure import BOT_FAILED, PLATFORM_FAULT, Failure
from arena.qualification import GAMES, OPPONENT, OpponentForfeited, Verdict, qualify
from sandbox.cores import one_core

if TYPE_CHECKING:
    from sandbox.session import Session

EXAMPLES = """  arena check mybot.py
  arena check mybot.zip && echo "ready to upload"
"""


def add_to(commands: options.Commands) -> None:
    about = "Check a bot as the site does after an upload."
    parser = options.add_command(commands, run, "check", about, EXAMPLES)
    parser.add_argument("path", metavar="PATH", help="a .py or .zip file, a folder with bot.py, or a house bot's name")
    parser.add_argument("--json", action="store_true", help="print the verdict as JSON")
    options.add_sandbox(parser)
    options.add_rules(parser, leave_out=("games",))


def run(parsed: argparse.Namespace) -> int:
    ruleset, time_control = options.rules_of(parsed)
    bot = contestant.read(parsed.path)
    with opened((bot, contestant.read(OPPONENT)), parsed.sandbox) as (boxes, confinement):
        name = f"check of {bot.name}"
        with (
            boxes[0].match(time_control, name) as candidate,
            boxes[1].match(time_control, name) as opponent,
            one_core(),
        ):
            try:
                verdict = qualify(candidate, opponent, ruleset, time_control)
            except OpponentForfeited as error:
                raise Failure(f"the house bot {OPPONENT} failed: {error}", PLATFORM_FAULT) from None
    if parsed.json:
        screen.show_json(_as_dict(verdict, candidate))
    else:
        _show(verdict, candidate, parsed.path, confinement)
    return 0 if verdict.passed else BOT_FAILED


def _show(verdict: Verdict, candidate: Session, path: str, confinement: str) -> None:
    if verdict.passed:
        screen.say(f"{path} passed: {GAMES} games against {OPPONENT}", "bold green")
    else:
        screen.say(f"{path} failed: {screen.printable(verdict.reason)}", "bold red")
    for line in used.lines(used.used(candidate, verdict.calls)):
        screen.say(line)
    screen.say(f"bots ran as {confinement}")
    if verdict.traceback:
        screen.say(f"\n{screen.printable(verdict.traceback).rstrip()}")
    if candidate.output:
        screen.say(f"\nit printed:\n{screen.printable(candidate.output).rstrip()}")


def _as_dict(verdict: Verdict, candidate: Session) -> dict[str, Any]:
    return {
        "passed": verdict.passed,
        "reason": verdict.reason,
        "termination": verdict.record.outcome.termination.value,
        "traceback": verdict.traceback,
        "output": candidate.output,
        **used.used(candidate, verdict.calls).as_dict(),
    }
