"""How throughput grows with the machines that play: `make bench-scale`.

Four workers, of one pool process each, run on machines of their own (`benchmarks.machines`) and reach this one's
PostgreSQL and Redis by the network, with the rights that deploy/worker gives. Bots wait more than they think: what is
measured is not the cores, which all machines share. One, two and four workers play in turn; those that are too many
leave in the middle of their matches, and others join. At last one is killed and one joins in its place. Each pair must
have each of its matches once. Exit code 1 where a figure falls short of its goal.
"""

import argparse
import json
import os
import re
import signal
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, datetime
from itertools import pairwise
from pathlib import Path
from statistics import median
from typing import Any, NamedTuple
from urllib.request import urlopen

from benchmarks.crew import Crew
from benchmarks.machines import connected
from benchmarks.servers import LOOPBACK, free_port
from benchmarks.stack import ROOT, running

STEPS = (1, 2, 4)
"""Workers; each step doubles the one before."""
BOTS = 6
PAIRS = BOTS * (BOTS - 1) // 2
LEGS, MORE_LEGS = 3, 4
"""Matches of each pair for each round, and for what comes before and after all rounds."""
WAIT_S = 0.12
"""Of each bot in each game."""
WAITED_S = 2 * 12 * WAIT_S
EACH = 4
"""Matches a worker that are measured in each step."""
LEASE_S = 15
"""A machine that is gone costs its match so long, and the time until the next sweep."""
RATIO, WAITING = 1.8, 0.5
LEAGUE = "import django; django.setup(); from benchmarks import waiting; waiting.main({legs})"
PLAYED = """SELECT count(*) FROM matches_match JOIN matches_replay ON match_id = matches_match.id
    WHERE status = 'played' AND termination = 'completed'"""
LEFT = "SELECT count(*) FROM matches_match WHERE status IN ('queued', 'running')"
TOOK_S = """SELECT percentile_cont(0.5) WITHIN GROUP (ORDER BY extract(epoch FROM finished_at - started_at))
    FROM matches_match WHERE status = 'played'"""


class Figure(NamedTuple):
    name: str
    value: float
    goal: str
    reached: bool

    def __str__(self) -> str:
        return f"{self.name:42} {self.value:8.2f}   goal: {self.goal}{'' if self.reached else ' - short'}"


def main() -> None:
    options = _options()
    legs = LEGS * options.rounds + MORE_LEGS
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(143))  # so that all that was started ends
    with _league(legs) as (crew, site):
        rates: dict[int, list[float]] = {step: [] for step in STEPS}
        rows = []
        for _ in range(options.rounds):
            for step in STEPS:
                rates[step].append(_throughput(crew, step))
                print(f"{step} workers: {rates[step][-1]:.2f} matches/s", file=sys.stderr)
            rows.append(_workers_shown(site))
        figures = [*_growth(rates), _shown(rows), *_end(crew, legs * PAIRS)]
    _write(rates, figures, options.output)
    sys.exit(_report(rates, figures))


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="benchmarks.scale", description="throughput with 1, 2 and 4 machines")
    parser.add_argument("--rounds", type=int, default=3, choices=range(1, 4), help="of all steps; default: 3")
    parser.add_argument("--output", type=Path, default=ROOT / "build" / "bench-scale.json", metavar="FILE")
    return parser.parse_args()


@contextmanager
def _league(legs: int) -> Iterator[tuple[Crew, str]]:
    """Workers that have checked all bots, and the address of the site."""
    with (
        connected(max(STEPS)) as network,
        running({"ARENA_LEASE_S": str(LEASE_S)}, host=network.host, networks=(network.subnet,)) as platform,
    ):
        bind = f"{LOOPBACK}:{free_port()}"
        platform.start("site", settings={"ARENA_BIND": bind, "GUNICORN_CMD_ARGS": "--log-level warning"})
        platform.start("upkeep")
        platform.run("-c", LEAGUE.format(legs=legs))
        crew = Crew(platform, network.machines)
        crew.become(max(STEPS))
        active = "SELECT count(*) FROM bots_version WHERE status = 'active'"
        crew.expect(lambda: crew.number(active) == BOTS, f"{BOTS} bots that have passed their checks")
        yield crew, f"http://{bind}"


def _throughput(crew: Crew, workers: int) -> float:
    """Matches a second of so many workers, from when each of them has ended one."""
    crew.become(workers)
    joined = datetime.now(UTC)
    crew.expect(lambda: crew.all_played_since(joined), f"a match of each of {workers} workers")
    _, begun = crew.finished(joined)[-1]
    wanted = EACH * workers
    crew.expect(lambda: len(crew.finished(begun)) >= wanted, f"{wanted} matches of {workers} workers")
    _, ended = crew.finished(begun)[wanted - 1]
    return wanted / (ended - begun).total_seconds()


def _workers_shown(site: str) -> int:
    """How many the workers' page shows, all at work; -1 where its figure is another than its rows."""
    page = urlopen(f"{site}/workers/", timeout=10).read().decode()  # noqa: S310
    working = re.search(r"<dt>Working</dt><dd>(\d+)</dd>", page)
    rows = page.count('<th scope="row">')
    return rows if working and int(working[1]) == rows else -1


def _shown(rows: list[int]) -> Figure:
    most = max(STEPS)
    return Figure("workers on the page", min(rows), str(most), set(rows) == {most})


def _growth(rates: dict[int, list[float]]) -> list[Figure]:
    """How many times as much each doubling brings: the median of what it did in each round, as the load of others comes
    and goes.
    """
    grown = []
    for few, many in pairwise(STEPS):
        ratio = median(more / less for less, more in zip(rates[few], rates[many], strict=True))
        grown.append(Figure(f"from {few} to {many} workers, times", ratio, str(RATIO), ratio >= RATIO))
    return grown


def _end(crew: Crew, matches: int) -> list[Figure]:
    """A worker is killed, another joins; what has become of so many matches when all are over."""
    held = crew.kill()
    crew.join()
    crew.expect(lambda: crew.number(LEFT) == 0, "the end of all matches")
    lost = matches - int(crew.number(PLAYED))
    again = crew.number("SELECT count(*) FROM matches_attempt WHERE match_id = %s", held)
    others = crew.number("SELECT count(*) FROM matches_attempt WHERE match_id <> %s", held)
    waiting = WAITED_S / crew.number(TOOK_S)
    return [
        Figure(f"matches lost, of {matches}", lost, "0", lost == 0),
        Figure("times the killed worker's was given back", again, "1", again == 1),
        Figure("other faults of the platform", others, "0", others == 0),
        Figure("of a match its bots wait", waiting, f"{WAITING:.0%}", waiting >= WAITING),
    ]


def _report(rates: dict[int, list[float]], figures: list[Figure]) -> int:
    """Print the figures beside their goals; the exit code."""
    for step, found in rates.items():
        rounds = ", ".join(f"{rate:.2f}" for rate in found)
        print(f"{f'matches/s of {step} workers':42} {median(found):8.2f}   ({rounds})")
    for figure in figures:
        print(figure)
    print(f"load average {os.getloadavg()[0]:.1f} on {os.cpu_count()} cores")
    short = [figure.name for figure in figures if not figure.reached]
    print(f"short of a goal: {', '.join(short)}" if short else "every goal is met")
    return int(bool(short))


def _write(rates: dict[int, list[float]], figures: list[Figure], to: Path) -> None:
    kept: dict[str, Any] = {
        "at": datetime.now(UTC).isoformat(timespec="seconds"),
        "python": sys.version.split()[0],
        "cores": os.cpu_count(),
        "load": os.getloadavg(),
        "matches_a_second": {step: [round(rate, 3) for rate in found] for step, found in rates.items()},
        "figures": [figure._asdict() for figure in figures],
    }
    to.parent.mkdir(parents=True, exist_ok=True)
    to.write_text(json.dumps(kept, indent=1) + "\n")


if __name__ == "__main__":
    main()
