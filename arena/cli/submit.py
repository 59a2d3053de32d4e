"""`arena submit PATH`: uploads a bot to a site, and waits for its check if that is wanted."""

from __future__ import annotations

import argparse
import time
from typing import Any

from arena.cli import contestant, credentials, options, screen, used
from arena.cli.failure import BOT_FAILED, USAGE, Failure
from arena.cli.site import Site
from arena.usage import Call, Usage

FIRST_LOOK_S, LONGEST_PAUSE_S = 0.5, 5.0
EXAMPLES = """  arena submit mybot.py --message "counts what was seen" --wait
  arena submit mybot/ --bot Bishop
"""


def add_to(commands: options.Commands) -> None:
    about = "Upload a bot to the site that you are logged in to."
    parser = options.add_command(commands, run, "submit", about, EXAMPLES)
    parser.add_argument("path", metavar="PATH", help="a .py or .zip file, or a folder with bot.py")
    parser.add_argument(
        "--bot", metavar="NAME", help="a new bot's name, or that of one of yours (default: the file's, or the folder's)"
    )
    parser.add_argument("--message", metavar="M", default="", help="what is new, for yourself")
    parser.add_argument("--wait", action="store_true", help="wait for the check: status 0 if it passed, 1 if not")
    parser.add_argument("--json", action="store_true", help="print the version as JSON")


def run(parsed: argparse.Namespace) -> int:
    bot = contestant.read(parsed.path)
    with Site(credentials.load()) as site:
        version = site.submit(bot.filename, bot.content, parsed.bot or bot.name, parsed.message)
        if parsed.wait:
            version = _await(site, version)
        if parsed.json:
            screen.show_json(version)
        else:
            _show(version, site.login.url)
    return BOT_FAILED if version["status"] == "rejected" else 0


def _await(site: Site, version: Any) -> Any:
    """The version once its check is done.

    Raises:
        Failure: a newer upload came first.
    """
    pause_s = FIRST_LOOK_S
    while version["status"] == "checking":
        time.sleep(pause_s)
        pause_s = min(LONGEST_PAUSE_S, pause_s * 1.5)
        version = site.get(f"/versions/{version['id']}")
    if version["status"] == "superseded":
        raise Failure(f"{_named(version)} was not checked, or plays no more: another version took its place", USAGE)
    return version


def _show(version: Any, url: str) -> None:
    page = f"{url}{version['page']}"
    if version["status"] == "checking":
        screen.say(f"{_named(version)} is submitted and waits for its check: {page}", "bold green")
        return
    report = version["report"]
    if version["status"] == "active":
        screen.say(f"{_named(version)} is active: {page}", "bold green")
    else:
        reason = report["reason"] if report else "its report needs a token with the scope logs"
        screen.say(f"{_named(version)} was rejected: {screen.printable(reason)}", "bold red")
    if report:
        _show_report(report)
    if version["status"] != "active":
        screen.say(f"\n{page}")


def _show_report(report: Any) -> None:
    """As `arena check` tells it."""
    if report["used"]:
        for line in used.lines(_usage(report["used"])):
            screen.say(line)
    if report["traceback"]:
        screen.say(f"\n{screen.printable(report['traceback']).rstrip()}")
    if report["output"]:
        screen.say(f"\nit printed:\n{screen.printable(report['output']).rstrip()}")


def _usage(figures: Any) -> Usage:
    told = [figures[name] for name in ("load", "slowest", "failed")]
    return Usage(figures["memory_peak_kib"], figures["cpu_s"], [Call(**call) for call in told if call])


def _named(version: Any) -> str:
    return f"{screen.printable(version['bot']['name'])} v{version['number']}"
