"""`arena league PATH...`: a round robin on one's own machine."""

from __future__ import annotations

import argparse
import contextlib
import os
import secrets
import shlex
import tempfile
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from hashlib import sha256
from itertools import pairwise
from pathlib import Path
from typing import Any, NamedTuple

from arena import bots, chance, standings
from arena.cli import contestant, jobs, options, screen
from arena.cli.boxes import opened, prepare
from arena.cli.contestant import Contestant
from arena.cli.crosstable import crosstable
from arena.cli.failure import BOT_FAILED, USAGE, Failure
from arena.cli.jobs import Pairing, Played, Terms
from arena.outcome import SEATS
from arena.pairing import round_robin
from arena.ruleset import Ruleset, TimeControl
from arena.standings import Decided, Result, Row

EXAMPLES = """  arena league
  arena league mybot.py mybot_old.py longest counting --seed 1
  arena league v1 v2 v3 --games 100 --jobs 4 --json

Each pair plays one match. With the same seed it meets with the same cards,
whoever else plays and with however many jobs, so that the same command gives the
same table. Bots that search by the clock, as montecarlo does, are the exception.
"""


def add_to(commands: options.Commands) -> None:
    about = "Play a round robin: every bot against every other."
    parser = options.add_command(commands, run, "league", about, EXAMPLES)
    parser.add_argument("paths", metavar="PATH", nargs="*", help=f"{options.BOT} (default: all house bots)")
    options.add_seed(parser, "league")
    cores = len(os.sched_getaffinity(0))
    parser.add_argument(
        "--jobs", type=int, default=cores, metavar="N", help=f"matches at the same time (default: {cores}, the cores)"
    )
    parser.add_argument("--json", action="store_true", help="print table and matches as JSON")
    options.add_sandbox(parser)
    options.add_rules(parser)


class League(NamedTuple):
    names: Sequence[str]
    paths: Sequence[str]
    """As the bots were named in the command."""
    seed: int
    ruleset: Ruleset
    time_control: TimeControl
    played: Sequence[Played]
    """In the order of the pairs."""
    rows: Sequence[Row]


def run(parsed: argparse.Namespace) -> int:
    ruleset, time_control = options.rules_of(parsed)
    if parsed.jobs < 1:
        raise Failure(f"--jobs: expected at least 1, got {parsed.jobs}", USAGE)
    seed = secrets.randbits(chance.SEED_BITS) if parsed.seed is None else parsed.seed
    paths = parsed.paths or list(bots.HOUSE)
    entered = [contestant.read(path) for path in paths]
    names = _names(paths, entered)
    with opened((), parsed.sandbox) as (_, confinement), tempfile.TemporaryDirectory(prefix="arena-league-") as folder:
        bundles = [prepare(each, Path(folder) / str(number)) for number, each in enumerate(entered)]
        terms = Terms(bundles, names, ruleset, time_control, parsed.sandbox)
        played = _played(terms, seed, parsed.jobs)
    rows = standings.table(map(_result, played), range(len(names)))
    league = League(names, paths, seed, ruleset, time_control, played, rows)
    if parsed.json:
        screen.show_json(_as_dict(league))
    else:
        _show(league, confinement)
    return BOT_FAILED if any(each.record.outcome.forfeits for each in played) else 0


def _names(paths: Sequence[str], entered: Sequence[Contestant]) -> list[str]:
    """A name for each bot; those of the same name go by the end of their paths, or by the whole of them."""
    if len(paths) < 2:
        known = ", ".join(bots.HOUSE)
        raise Failure(f"expected at least two bots, got {paths[0]!r} alone; house bots are {known}", USAGE)
    twice = [path for path, count in Counter(paths).items() if count > 1]
    if twice:
        raise Failure(f"{twice[0]}: named twice; to let a bot meet itself, give it a copy", USAGE)
    ends = ["/".join(Path(path).parts[-2:]) for path in paths]
    names = [each.name for each in entered]
    for longer in (ends, paths):
        shared = Counter(names)
        names = [other if shared[name] > 1 else name for name, other in zip(names, longer, strict=True)]
    return [screen.printable(name) for name in names]


def _played(terms: Terms, seed: int, at_once: int) -> list[Played]:
    names = terms.names
    pairings = [Pairing(a, b, match_seed(seed, names[a], names[b])) for a, b in round_robin(range(len(names)))]
    played = []
    with (
        screen.counted(len(pairings), "matches") as on_match,
        contextlib.closing(jobs.play(pairings, terms, at_once)) as matches,
    ):
        for each in matches:
            played.append(each)
            on_match(f"{names[each.pairing.a]} - {names[each.pairing.b]}")
    return sorted(played, key=lambda each: each.pairing)


def match_seed(seed: int, a: str, b: str) -> int:
    """The seed of a pair's match: it follows from the league's and from their names."""
    digest = sha256(f"candidate league seed={seed} {a} - {b}".encode()).digest()
    return int.from_bytes(digest, "big") % (1 << chance.SEED_BITS)


def _result(played: Played) -> Result:
    outcome = played.record.outcome
    forfeits = "".join(SEATS[seat] for seat in outcome.forfeits)
    return Result(played.pairing.a, played.pairing.b, outcome.letter, *played.record.points, forfeits)


def _per_game(row: Row, league: League) -> float:
    return row.points_for / (row.played * league.ruleset.games)


def _as_dict(league: League) -> dict[str, Any]:
    return {
        "seed": league.seed,
        "ruleset": league.ruleset.as_dict(),
        "table": [_row_as_dict(row, league) for row in league.rows],
        "matches": [_match_as_dict(each, league) for each in league.played],
    }


def _row_as_dict(row: Row, league: League) -> dict[str, Any]:
    return {
        "rank": row.rank,
        "bot": league.names[row.entrant],
        "played": row.played,
        "won": row.won,
        "drawn": row.drawn,
        "lost": row.lost,
        "match_points": row.match_points,
        "points_for": row.points_for,
        "points_against": row.points_against,
        "per_game": round(_per_game(row, league), 2),
        "faults": row.faults,
        "sonneborn_berger": row.sonneborn_berger,
        "decided": row.decided,
    }


def _match_as_dict(played: Played, league: League) -> dict[str, Any]:
    pairing, record, tracebacks = played
    outcome = record.outcome
    return {
        "bots": [league.names[pairing.a], league.names[pairing.b]],
        "seed": pairing.seed,
        "outcome": outcome.letter,
        "points": record.points,
        "termination": outcome.termination.value,
        "forfeits": [SEATS[seat] for seat in outcome.forfeits],
        "reason": outcome.reason,
        "tracebacks": tracebacks,
    }


def _show(league: League, confinement: str) -> None:
    head = ("", "bot", "played", "W-D-L", "match pts", "for", "against", "per game", "faults")
    rows = [
        (
            row.rank,
            league.names[row.entrant],
            row.played,
            f"{row.won}-{row.drawn}-{row.lost}",
            row.match_points,
            row.points_for,
            row.points_against,
            f"{_per_game(row, league):.1f}",
            row.faults,
        )
        for row in league.rows
    ]
    screen.show_table(head, rows, left=(1,))
    for line in ties(league.rows, league.names):
        screen.say(line)
    screen.say("\nhead to head", "bold")
    screen.say("points more than the other made, from the side of the bot on the left; F: by forfeit")
    results = [_result(each) for each in league.played]
    for title, cells in crosstable(results, league.rows, league.names, screen.width()):
        screen.show_table(title, cells, left=(1,))
    games = f"{league.ruleset.games} games" if league.ruleset.games > 1 else "1 game"
    screen.say(f"\n{len(league.played)} matches of {games}, seed {league.seed}")
    screen.say(f"bots ran as {confinement}")
    _show_forfeits(league)


def ties(rows: Sequence[Row], names: Sequence[str] | Mapping[int, str]) -> Iterator[str]:
    """What breaks a tie, with its figures where the tables show none: a line for each two neighbours that are tied."""
    for above, row in pairwise(rows):
        name, below = names[above.entrant], names[row.entrant]
        ahead = f"{name} is ahead of {below} by {row.decided}"
        match row.decided:
            case Decided.SHARED:
                yield f"{name} is level with {below}"
            case Decided.DIRECT_ENCOUNTER:
                yield ahead
            case Decided.SONNEBORN_BERGER:
                yield f"{ahead}, {above.sonneborn_berger:.9g} : {row.sonneborn_berger:.9g}"
            case Decided.DIFFERENCE:
                yield f"{ahead}, {above.difference:+} : {row.difference:+}"


def _show_forfeits(league: League) -> None:
    for each in league.played:
        for seat in each.record.outcome.forfeits:
            pair = each.pairing.a, each.pairing.b
            name, other = league.names[pair[seat]], league.names[pair[1 - seat]]
            reason = screen.printable(each.record.outcome.reason)
            screen.say(f"\n{name} forfeited against {other}: {reason}", "bold red")
            words = [*(league.paths[number] for number in pair), "--seed", str(each.pairing.seed)]
            words += options.as_words(league.ruleset, league.time_control)
            screen.say(f"  arena play {shlex.join(words)}")
