"""`arena status [BOT]`: how one's own bots stand on a site."""

from __future__ import annotations

import argparse
from typing import Any

from arena.cli import credentials, options, screen
from arena.cli.failure import USAGE, Failure
from arena.cli.site import Site

EXAMPLES = """  arena status
  arena status Bishop
"""


def add_to(commands: options.Commands) -> None:
    about = "Tell how your bots stand, and what waits for its check."
    parser = options.add_command(commands, run, "status", about, EXAMPLES)
    parser.add_argument("bot", metavar="BOT", nargs="?", help="one of your bots, with all of its versions")
    parser.add_argument("--json", action="store_true", help="print it as JSON")


def run(parsed: argparse.Namespace) -> int:
    with Site(credentials.load()) as site:
        bots = site.get("/me/bots")["bots"]
        if parsed.bot is None:
            _show_all(site, bots, parsed.json)
        else:
            _show_one(site, _chosen(bots, parsed.bot), parsed.json)
    return 0


def _show_all(site: Site, bots: list[Any], as_json: bool) -> None:
    told = [{**bot, "newest": _newest(site, bot)} for bot in bots]
    if as_json:
        screen.show_json({"bots": told})
        return
    if not told:
        screen.say("you have no bot yet: arena submit PATH makes one")
        return
    head = ("bot", "state", "place", "points", "won", "drawn", "lost", "played", "faults", "newest")
    screen.show_table(head, [_row(bot) for bot in told], left=(0, 1, 9))


def _show_one(site: Site, bot: Any, as_json: bool) -> None:
    newest = _newest(site, bot)
    versions = list(site.every(f"/bots/{bot['id']}/versions", "versions"))
    if as_json:
        screen.show_json({"bot": {**bot, "newest": newest}, "versions": versions})
        return
    place = bot["place"]
    screen.say(f"{screen.printable(bot['name'])}: {_state(bot)}", "bold")
    if place:
        screen.say(
            f"place {place['rank'] or '-'}, {place['match_points']} points of {place['played']} matches "
            f"({place['possible']} in all): {place['won']} won, {place['drawn']} drawn, {place['lost']} lost, "
            f"{place['faults']} forfeited"
        )
    if newest and newest["status"] == "checking":
        screen.say(f"version {_progress(newest)}")
    rows = [
        (each["number"], each["status"], _minute(each["created_at"]), screen.printable(each["message"] or ""))
        for each in versions
    ]
    screen.say("")
    screen.show_table(("version", "status", "submitted (UTC)", "message"), rows, left=(1, 2, 3))


def _chosen(bots: list[Any], name: str) -> Any:
    found = [bot for bot in bots if bot["name"].casefold() == name.casefold()]
    if not found:
        known = ", ".join(screen.printable(bot["name"]) for bot in bots) or "none"
        raise Failure(f"expected one of your bots, which are {known}, got {name!r:.60}", USAGE)
    return found[0]


def _newest(site: Site, bot: Any) -> Any:
    """The last upload; with its place in the queue while it waits."""
    newest = bot["newest"]
    if newest is None or newest["status"] != "checking":
        return newest
    return site.get(f"/versions/{newest['id']}")


def _row(bot: Any) -> tuple[object, ...]:
    place = bot["place"]
    figures = (
        [place[name] for name in ("match_points", "won", "drawn", "lost", "played", "faults")] if place else [""] * 6
    )
    newest = _progress(bot["newest"]) if bot["newest"] else ""
    return (screen.printable(bot["name"]), _state(bot), (place or {}).get("rank") or "", *figures, newest)


def _state(bot: Any) -> str:
    if bot["retired_at"]:
        return "retired"
    return "plays" if bot["active"] else "does not play"


def _minute(moment: str) -> str:
    """That moment of an answer, in UTC, to the minute."""
    return moment[:16].replace("T", " ")


def _progress(version: Any) -> str:
    """The version's number, and how far it is."""
    waiting = version["waiting"]
    if waiting is None:
        return f"{version['number']} {version['status']}"
    if waiting["running"]:
        return f"{version['number']} is being checked"
    wait = f", about {waiting['wait_s']:.0f} s" if waiting["wait_s"] is not None else ""
    return f"{version['number']} waits behind {waiting['ahead']}{wait}"
