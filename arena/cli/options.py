"""Options that several commands share."""

from __future__ import annotations

import argparse
import os
from dataclasses import fields
from pathlib import Path
from typing import Any

from arena import chance
from arena.cli.failure import STATUSES, USAGE, Failure
from arena.ruleset import CHOICES, Ruleset, TimeControl

Commands = Any
"""What `add_subparsers` returns; argparse has no public name for it."""
BOT = "a house bot's name, a .py or .zip file, or a folder with bot.py"


def add_command(commands: Commands, run: Any, name: str, about: str, examples: str) -> argparse.ArgumentParser:
    """A new command of that name; its help ends with the examples."""
    parser: argparse.ArgumentParser = commands.add_parser(
        name,
        help=about[0].lower() + about[1:].rstrip("."),
        description=about,
        epilog=f"examples:\n{examples}\n{STATUSES}",
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.set_defaults(run=run)
    return parser


def add_rules(parser: argparse.ArgumentParser, leave_out: tuple[str, ...] = ()) -> None:
    """One option for each of the ruleset's and of the time control's."""
    rules = parser.add_argument_group("rules")
    for each in fields(Ruleset):
        if each.name not in leave_out:
            values = CHOICES[each.name]
            shown = f"{values[0]} to {values[-1]}" if isinstance(values, range) else ", ".join(map(str, values))
            rules.add_argument(
                _flag(each.name),
                type=type(each.default),
                default=each.default,
                metavar=each.name.split("_")[-1].upper(),
                help=f"{shown} (default {each.default})",
            )
    times = parser.add_argument_group("seconds of CPU time")
    for each in fields(TimeControl):
        about = {"load_s": "to load a bot", "decision_s": "for a decision", "bank_s": "for a match"}[each.name]
        times.add_argument(
            _flag(each.name),
            type=float,
            default=each.default,
            metavar="SECONDS",
            help=f"{about} (default {each.default:g})",
        )


def add_sandbox(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--sandbox",
        choices=("auto", "docker", "process"),
        default=os.environ.get("ARENA_SANDBOX", "auto"),
        help="what confines the bots (default ARENA_SANDBOX, else auto: docker where an engine answers)",
    )


def add_seed(parser: argparse.ArgumentParser, what: str) -> None:
    parser.add_argument("--seed", type=_seed, help=f"all chance of the {what}: 0 to 2^63 - 1 (default: drawn)")


def add_record(parser: argparse.ArgumentParser) -> None:
    about = "a record, as JSON or text: from a match's page of the site, or saved by arena play"
    parser.add_argument("file", type=Path, metavar="FILE", help=about)


def rules_of(parsed: argparse.Namespace) -> tuple[Ruleset, TimeControl]:
    """The ruleset and the time control that those arguments ask for; what was not asked for is the default.

    Raises:
        Failure: a value is out of range.
    """
    try:
        return Ruleset.from_dict(_given(parsed, Ruleset)), TimeControl.from_dict(_given(parsed, TimeControl))
    except ValueError as error:
        name, _, words = str(error).partition(": ")
        raise Failure(f"{_flag(name)}: {words}", USAGE) from None


def as_words(*chosen: Ruleset | TimeControl) -> list[str]:
    """The options that ask for those rules and times, without the default ones."""
    words = []
    for each in chosen:
        defaults = type(each)().as_dict()
        for name, value in each.as_dict().items():
            if value != defaults[name]:
                words += [_flag(name), f"{value:g}" if isinstance(value, float) else str(value)]
    return words


def _seed(text: str) -> int:
    try:
        seed = int(text)
    except ValueError:
        seed = -1
    if not 0 <= seed < 2**chance.SEED_BITS:
        raise argparse.ArgumentTypeError(f"expected an integer from 0 to 2^63 - 1, got {text!r:.40}")
    return seed


def _given(parsed: argparse.Namespace, options: type[Ruleset | TimeControl]) -> dict[str, Any]:
    return {each.name: getattr(parsed, each.name) for each in fields(options) if hasattr(parsed, each.name)}


def _flag(name: str) -> str:
    return f"--{name.replace('_', '-')}"
