"""`arena bench [BOT]`: how fast this machine, and a bot, are."""

from __future__ import annotations

import argparse
import os
import platform
from collections.abc import Callable
from random import Random
from statistics import median
from time import perf_counter
from typing import NamedTuple

from arena import chance, match
from arena.cli import contestant, here, options, screen
from arena.cli.boxes import opened
from arena.cli.contestant import Contestant
from arena.cli.failure import BOT_FAILED, USAGE, Failure
from arena.players import LocalPlayer, Player
from arena.ruleset import Ruleset, TimeControl
from arena.state import State
from arena.usage import Call, Usage
from arena.witness import Witness
from sandbox.cores import one_core

BOT = "longest"
LONGEST_ROUND_S = 600.0
EXAMPLES = """  arena bench
  arena bench mybot.py --rounds 3
  arena bench mybot.py --json

Two copies of the bot play each other, first in this process and without a
sandbox: bench your own code only.
"""


def add_to(commands: options.Commands) -> None:
    about = "Measure what this machine does: games, matches and a bot's decisions."
    parser = options.add_command(commands, run, "bench", about, EXAMPLES)
    parser.add_argument("bot", metavar="BOT", nargs="?", default=BOT, help=f"{options.BOT} (default: {BOT})")
    parser.add_argument("--rounds", type=int, default=5, metavar="N", help="rounds of each measurement (default 5)")
    parser.add_argument(
        "--round-s", type=float, default=1.0, metavar="SECONDS", help="how long a round lasts at least (default 1)"
    )
    parser.add_argument("--json", action="store_true", help="print the figures as JSON")
    options.add_sandbox(parser)
    options.add_rules(parser)


class Figures(NamedTuple):
    games_per_s: float
    """Played at random through `arena.state`."""
    matches_per_s: float
    """In this process."""
    sandbox_matches_per_s: float
    decision_us: float
    """CPU time of a decision in the sandbox."""
    confinement: str


def run(parsed: argparse.Namespace) -> int:
    ruleset, time_control = options.rules_of(parsed)
    if parsed.rounds < 1:
        raise Failure(f"--rounds: expected at least 1, got {parsed.rounds}", USAGE)
    if not 0 < parsed.round_s <= LONGEST_ROUND_S:
        raise Failure(f"--round-s: expected up to {LONGEST_ROUND_S:g} seconds, got {parsed.round_s:g}", USAGE)
    bot = contestant.read(parsed.bot)
    with screen.counted(3 * parsed.rounds, "rounds") as on_round:
        measure = Measure(parsed.rounds, parsed.round_s, on_round)
        figures = _figures(bot, ruleset, time_control, parsed.sandbox, measure)
    if parsed.json:
        screen.show_json({"bot": bot.name, "games": ruleset.games, "machine": _machine(), **figures._asdict()})
    else:
        _show(bot.name, ruleset, figures)
    return 0


class Measure(NamedTuple):
    rounds: int
    round_s: float
    on_round: Callable[[str], None]

    def rate(self, what: str, once: Callable[[int], None]) -> float:
        """How often a second that can be done, with a number that counts up from 1: the median of the rounds."""
        rates = []
        number = 0
        for _ in range(self.rounds):
            began, before, taken = perf_counter(), number, 0.0
            while taken < self.round_s:
                number += 1
                once(number)
                taken = perf_counter() - began
            rates.append((number - before) / taken)
            self.on_round(what)
        return median(rates)


def _figures(bot: Contestant, ruleset: Ruleset, time_control: TimeControl, sandbox: str, measure: Measure) -> Figures:
    rng = Random(0)
    calls: list[Call] = []

    def match_of(a: Player, b: Player, seed: int) -> None:
        outcome = match.play((a, b), ruleset, time_control, seed).outcome
        if outcome.reason.endswith(KeyboardInterrupt.__name__):  # it hit the bot, who is asked in this process
            raise KeyboardInterrupt
        if outcome.forfeits:
            raise Failure(f"{bot.name} failed: {screen.printable(outcome.reason)}", BOT_FAILED)

    def match_here(seed: int) -> None:
        match_of(LocalPlayer(loadable.factory), LocalPlayer(loadable.factory), seed)

    def match_in_sandbox(seed: int) -> None:
        with boxes[0].match(time_control, bot.name) as a, boxes[1].match(time_control, bot.name) as b, one_core():
            watched = Witness(a)
            match_of(watched, b, seed)
        calls.extend(watched.calls)

    games = measure.rate("random games", lambda seed: _play_at_random(ruleset, seed, rng))
    with here.unpacked(bot) as loadable, here.silent():
        matches = measure.rate("matches in this process", match_here)
    with opened((bot, bot), sandbox) as (boxes, confinement):
        in_sandbox = measure.rate("matches in the sandbox", match_in_sandbox)
    decisions = [call.cpu_s or 0.0 for call in Usage(0, 0.0, calls).decisions]
    return Figures(games, matches, in_sandbox, 1e6 * median(decisions or [0.0]), confinement)


def _play_at_random(ruleset: Ruleset, seed: int, rng: Random) -> None:
    state = State(ruleset, chance.piles(seed, 1, ruleset.decks), dealer=0)
    while actions := state.legal_actions():
        state.apply(rng.choice(actions))


def _machine() -> str:
    cores = len(os.sched_getaffinity(0))
    return f"{platform.python_implementation()} {platform.python_version()}, {cores} cores"


def _show(name: str, ruleset: Ruleset, figures: Figures) -> None:
    pair = f"{name} against itself, {ruleset.games} games"
    rows = [
        ("random games through the state API", f"{figures.games_per_s:,.0f}", "games/s"),
        (f"{pair}, in this process", f"{figures.matches_per_s:,.2f}", "matches/s"),
        (f"{pair}, in the sandbox", f"{figures.sandbox_matches_per_s:,.2f}", "matches/s"),
        (f"a decision of {name}, in the sandbox", f"{figures.decision_us:,.0f}", "µs CPU"),
    ]
    screen.show_table(("median of the rounds", "", ""), rows, left=(0, 2))
    screen.say(f"\n{_machine()}; bots ran as {figures.confinement}")
