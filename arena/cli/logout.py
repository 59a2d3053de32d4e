"""`arena logout`: forgets the token of the last login."""

from __future__ import annotations

import argparse

from arena.cli import credentials, options, screen

EXAMPLES = """  arena logout
  arena logout --json

The token itself holds until it expires, or is revoked on the site at
/accounts/tokens/.
"""


def add_to(commands: options.Commands) -> None:
    about = "Forget the token of the last login."
    parser = options.add_command(commands, run, "logout", about, EXAMPLES)
    parser.add_argument("--json", action="store_true", help="print what was removed as JSON")


def run(parsed: argparse.Namespace) -> int:
    path = credentials.place()
    removed = credentials.forget()
    if parsed.json:
        screen.show_json({"file": str(path), "removed": removed})
    else:
        screen.say(f"removed {path}" if removed else "nobody was logged in")
    return 0
