"""`arena rerun FILE BOT`: asks a bot of one's own again what it was asked in a recorded match."""

from __future__ import annotations

import argparse
import re
from typing import Any

from arena.cli import contestant, here, options, recorded, screen, sight
from arena.cli.debugger import Debugger
from arena.cli.failure import BOT_FAILED, USAGE, Failure
from arena.cli.followed import Decision, Failed, Follower, Place, places
from arena.host import Host
from arena.observation import Observation
from arena.outcome import SEATS
from arena.replay import Record

EXAMPLES = """  arena rerun match-12.json mybot.py --seat A
  arena rerun match-12.json mybot.py --seat A --stop-at 3.14
  arena rerun match-12.json mybot.py --seat A --stop-at 3.14 --debug

The bot runs in this process, without a sandbox and without limits: run your
own code only. It sees what its seat saw in the match, and the recorded moves are
followed, whatever it says now. Where it hangs, Ctrl-C shows the place.
"""


def add_to(commands: options.Commands) -> None:
    about = "Ask your bot again what it was asked in a recorded match."
    parser = options.add_command(commands, run, "rerun", about, EXAMPLES)
    options.add_record(parser)
    parser.add_argument("bot", metavar="BOT", help=options.BOT)
    parser.add_argument("--seat", choices=tuple(SEATS), required=True, help="whose part the bot takes")
    parser.add_argument(
        "--stop-at", type=_place, metavar="G.M", help="show what it sees in game G before decision M, and end there"
    )
    parser.add_argument("--debug", action="store_true", help="there, enter pdb in the bot's method")
    parser.add_argument("--json", action="store_true", help="print all its decisions as JSON")


def run(parsed: argparse.Namespace) -> int:
    record = recorded.read(parsed.file).record
    seat = SEATS.index(parsed.seat)
    if parsed.debug and (parsed.json or not parsed.stop_at):
        raise Failure("--debug: expected --stop-at with it, and no --json", USAGE)
    if parsed.stop_at:
        _check(parsed.stop_at, record, seat)
    bot = contestant.read(parsed.bot)
    with here.unpacked(bot) as loadable, here.printing_aside(parsed.json):
        rerun = _Rerun(loadable, record, seat, parsed.stop_at, parsed.debug)
        rerun.run()
    if parsed.json:
        screen.show_json(rerun.as_dict())
    else:
        _show(rerun, bot.name, parsed.debug)
    return BOT_FAILED if rerun.failed or not all(each.legal for each in rerun.decisions) else 0


def _place(text: str) -> Place:
    found = re.fullmatch(r"(\d{1,3})\.(\d{1,4})", text, re.ASCII)
    if not found:
        raise argparse.ArgumentTypeError(f"expected a game and a decision, such as 3.14, got {text!r:.40}")
    return Place(int(found[1]), int(found[2]))


def _check(place: Place, record: Record, seat: int) -> None:
    own = places(record, seat)
    if place not in own:
        near = [each for each in own if each.game == place.game] or own
        near.sort(key=lambda each: abs(each.decision - place.decision))
        shown = ", ".join(f"{each.game}.{each.decision}" for each in sorted(near[:4])) or "none"
        raise Failure(
            f"--stop-at: expected a decision of {SEATS[seat]}, near it {shown}, got {place.game}.{place.decision}",
            USAGE,
        )


class _Rerun:
    """A bot led through a match: to its end, to the place to stop at, or to where it fails."""

    def __init__(self, bot: here.Loadable, record: Record, seat: int, stop_at: Place | None, debug: bool) -> None:
        self.decisions: list[Decision] = []
        self.failed: Failed | None = None
        self.stopped = False
        self.at: tuple[Place, Observation] | None = None
        """The decision that was reached last, and what the bot sees there."""
        self._stop_at = stop_at
        self._debug = debug
        self._debugger = Debugger(bot.factory)
        self._follower = Follower(Host(self._debugger, bot.folder), record, seat, self._asking)

    def run(self) -> None:
        try:
            for decision in self._follower.decisions():
                self.decisions.append(decision)
                if self.stopped:
                    return
        except Failed as failed:
            self.failed = None if self._debugger.left else failed

    def _asking(self, place: Place, observation: Observation) -> bool:
        self.at = place, observation
        self.stopped = place == self._stop_at
        self._debugger.on = self.stopped
        if not self.stopped:
            return True
        if self._debug:
            _show_sight(place, observation)
        return self._debug

    def as_dict(self) -> dict[str, Any]:
        """Ready for JSON."""
        told: dict[str, Any] = {
            "decisions": [each.as_dict() for each in self.decisions],
            "differ": sum(each.differs for each in self.decisions),
            "stopped": None,
            "failed": None,
        }
        if self.stopped and self.at:
            place, observation = self.at
            told["stopped"] = {**place._asdict(), **sight.as_dict(observation)}
        if self.failed:
            forfeit = self.failed.forfeit
            told["failed"] = {
                "where": self.failed.where,
                "reason": forfeit.reason,
                "traceback": forfeit.traceback,
            }
        return told


def _show(rerun: _Rerun, name: str, debugged: bool) -> None:
    differing = [each for each in rerun.decisions if each.differs]
    if differing:
        head = ("game", "decision", "asked", "hand", "lobby", "recorded", "now")
        rows = [
            (*each.place, each.call, each.hand, each.lobby, each.recorded or "nothing", _now(each))
            for each in differing
        ]
        screen.show_table(head, rows, left=range(2, 7))
        screen.say("")
    if rerun.decisions:
        screen.say(f"{len(rerun.decisions)} decisions, {len(differing) or 'none'} otherwise than recorded", "bold")
        slowest = max(rerun.decisions, key=lambda each: each.cpu_s)
        screen.say(f"slowest decision: {1000 * slowest.cpu_s:.1f} ms CPU, at {slowest.place}")
    if failed := rerun.failed:
        screen.say(f"{name} failed: {failed.where}: {screen.printable(failed.forfeit.reason)}", "bold red")
    if rerun.at and (rerun.stopped or (failed and failed.where == str(rerun.at[0]))) and not debugged:
        _show_sight(*rerun.at)
    if failed:
        screen.say(f"\n{screen.printable(failed.forfeit.traceback).rstrip()}")


def _now(decision: Decision) -> str:
    return screen.printable(decision.now if decision.legal else f"{decision.now}: not allowed")


def _show_sight(place: Place, observation: Observation) -> None:
    screen.say(f"{place}:", "bold")
    screen.say("\n".join(sight.lines(observation)))
