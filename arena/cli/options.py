"""Options that several commands share."""

from __future__ import annotations

import argparse
import os
from dataclasses import fields
from typing import Any

from arena.cli.failure import USAGE, Failure
from arena.ruleset import CHOICES, Ruleset, TimeControl

Commands = Any
"""What `add_subparsers` returns; argparse has no public name for it."""


def add_command(commands: Commands, run: Any, name: str, about: str, examples: str) -> argparse.ArgumentParser:
    """A new command of that name; its help ends with the examples."""
    parser: argparse.ArgumentParser = commands.add_parser(
        name,
        help=about[0].lower() + about[1:].rstrip("."),
        description=about,
        epilog=f"examples:\n{examples}",
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


def _given(parsed: argparse.Namespace, options: type[Ruleset | TimeControl]) -> dict[str, Any]:
    return {each.name: getattr(parsed, each.name) for each in fields(options) if hasattr(parsed, each.name)}


def _flag(name: str) -> str:
    return f"--{name.replace('_', '-')}"
