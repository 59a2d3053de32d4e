"""`arena doctor`: what this machine can do to confine bots, and how to get more."""

from __future__ import annotations

import argparse

from arena.cli import options, screen
from arena.cli.failure import PLATFORM_FAULT
from sandbox import NoSandbox, open_launcher
from sandbox.doctor import examine

EXAMPLES = """  arena doctor
  arena doctor --sandbox docker --json
"""


def add_to(commands: options.Commands) -> None:
    about = "Tell what this machine can do to confine bots, and how to get more."
    parser = options.add_command(commands, run, "doctor", about, EXAMPLES)
    parser.add_argument("--json", action="store_true", help="print the findings as JSON")
    options.add_sandbox(parser)


def run(parsed: argparse.Namespace) -> int:
    findings = examine()
    try:
        launcher = open_launcher(parsed.sandbox)
        confinement, missing = launcher.describe(), ""
        launcher.close()
    except NoSandbox as error:
        confinement, missing = "", str(error)
    if parsed.json:
        screen.show_json(
            {
                "findings": [finding._asdict() for finding in findings],
                "confinement": confinement or None,
                "missing": missing or None,
            }
        )
    else:
        for finding in findings:
            screen.say(f"{'ok  ' if finding.good else 'lack'} {finding.subject}: {finding.found}")
            if finding.advice:
                screen.say(f"     {finding.advice}")
        if missing:
            screen.say(f"bots can't run here: {missing}", "bold red")
        else:
            screen.say(f"bots run as {confinement}", "bold green")
    return PLATFORM_FAULT if missing else 0
