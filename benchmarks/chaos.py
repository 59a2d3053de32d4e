"""Whether anything is lost while everything breaks: `make chaos`.

The platform runs as the Procfile starts it, on a PostgreSQL, a Redis and a Docker engine of its own in scratch folders.
A league of bots grows to 500 matches while workers, servers and the engine are killed, stopped and started again, and
messages and results come twice and late (`benchmarks.chaos_faults`): every kind of fault several times, in an order
that the seed draws. Then each match is played again in this one process, and what must be true is counted
(`benchmarks.chaos_counts`). Exit code 1 where a count is not 0.
"""

import argparse
import json
import os
import shutil
import signal
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, datetime
from functools import partial
from pathlib import Path
from random import Random
from typing import Any, NamedTuple

from benchmarks import chaos_remains
from benchmarks.servers import demand
from benchmarks.stack import ROOT, Stack, running
from tests.own_engine import OwnEngine

MATCHES, ROUNDS = 500, 3
WORKERS = 3
LEASE_S = 10
"""Short, so that leases pass; a match takes a second where the machine is idle."""
BETWEEN_S = 6.0
"""The next fault comes after so long at most, or after its share of the matches."""
DONE_S, SETTLED_S = 300.0, 60.0
SHOWN = 20
LOGS = ROOT / "build" / "chaos-logs"


class Run(NamedTuple):
    """What happened."""

    faults: dict[str, int]
    offenders: dict[str, list[str]]
    played: int
    given_back: int
    attempts: int
    """Of those given back, that were counted as the platform's faults."""
    seconds: float


def main() -> int:
    options = _options()
    if os.geteuid() != 0:
        print("only root can start a Docker engine of its own: run it as root", file=sys.stderr)
        return 2
    demand({"dockerd": "docker.io", "redis-server": "redis-server"})
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(143))
    with _stack() as (stack, engine):
        run = _run(stack, engine, options)
    _write(options, run)
    return _report(options, run)


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="benchmarks.chaos", description="whether anything is lost under faults")
    parser.add_argument("--matches", type=int, default=MATCHES, help="at least; default: %(default)s")
    parser.add_argument("--rounds", type=int, default=ROUNDS, help="of all kinds of faults; default: %(default)s")
    parser.add_argument("--seed", type=int, default=1, help="of the faults; default: %(default)s")
    parser.add_argument("--output", type=Path, default=ROOT / "build" / "chaos.json", metavar="FILE")
    return parser.parse_args()


@contextmanager
def _stack() -> Iterator[tuple[Stack, OwnEngine]]:
    """The platform without its processes, and the engine that they will use."""
    folder = Path(tempfile.mkdtemp(prefix="arena-chaos-"))
    folder.chmod(0o755)  # in a container bots are nobody
    for name in ("engine", "temporary"):
        (folder / name).mkdir()
    engine = OwnEngine(folder / "engine")
    settings = {
        "DOCKER_HOST": engine.host,
        "TMPDIR": str(folder / "temporary"),
        "ARENA_SANDBOX_DIR": str(folder / "temporary"),
        "ARENA_SANDBOX": "docker",
        "ARENA_LEASE_S": str(LEASE_S),
    }
    try:
        engine.start()
        with running(settings) as stack:
            stack.run("manage.py", "rehearse")
            os.environ |= stack.environment
            try:
                yield stack, engine
            finally:
                shutil.rmtree(LOGS, ignore_errors=True)
                LOGS.mkdir(parents=True)
                for log in stack.folder.rglob("*log"):
                    if log.is_file():
                        shutil.copy(log, LOGS / log.relative_to(stack.folder).as_posix().replace("/", "-"))
    finally:
        engine.stop()
        chaos_remains.clear_away(folder)


def _run(stack: Stack, engine: OwnEngine, options: argparse.Namespace) -> Run:
    import django

    django.setup()
    from benchmarks import chaos_counts, chaos_league
    from benchmarks.chaos_crew import Crew
    from benchmarks.chaos_faults import Faults
    from benchmarks.chaos_late import Latecomer
    from league.matches.models import Attempt, Match

    began = time.monotonic()
    chance = Random(options.seed)
    league = chaos_league.League(options.matches)
    late = Latecomer(league)
    crew = Crew(stack, chance, WORKERS)
    faults = Faults(stack, engine, crew, late, chance)
    league.grow(0)
    faults.until(partial(chaos_league.has_recorded, 1), DONE_S)
    order = [kind for _ in range(options.rounds) for kind in chance.sample(list(faults.kinds), len(faults.kinds))]
    share = options.matches / len(order)
    for number, kind in enumerate(order):
        league.grow(number / len(order))
        faults.until(partial(chaos_league.has_recorded, chaos_league.recorded() + share), BETWEEN_S)
        _tell(began, chaos_league.recorded(), kind)
        faults.happen(kind)
    faults.await_end()
    crew.renew()
    league.grow(1)
    is_done = faults.until(lambda: chaos_league.has_settled() and not late.waits, DONE_S)
    stack.stop()
    temporary = Path(stack.environment["TMPDIR"])
    offenders = {
        **chaos_counts.of_league(league.bots),
        **chaos_remains.of_workers((stack.folder, temporary.parent), temporary, engine.host),
        "results that came late or twice and changed something": late.changed,
        "workers that ended by themselves": faults.ended,
        "workers that did not end when told to": faults.stayed,
        "kinds of faults that happened less than three times": [
            f"{kind}: {faults.happened[kind]}" for kind in faults.kinds if faults.happened[kind] < ROUNDS
        ],
        "deadlines for the end that passed": [] if is_done else [f"{DONE_S:.0f} s"],
    }
    matches = Match.objects.all()
    given_back = sum(match.attempt - 1 for match in matches)
    played = chaos_league.recorded()
    return Run(dict(faults.happened), offenders, played, given_back, Attempt.objects.count(), time.monotonic() - began)


def _tell(began: float, played: int, kind: str) -> None:
    print(f"{time.monotonic() - began:5.0f} s, {played:4} matches: {kind}", flush=True)


def _report(options: argparse.Namespace, run: Run) -> int:
    """Print the figures; the exit code."""
    print()
    for kind, times in run.faults.items():
        print(f"{kind:56} {times:5}")
    print(f"{'matches played':56} {run.played:5}   goal: {options.matches}")
    print(f"{'attempts given back':56} {run.given_back:5}, {run.attempts} of them counted as faults\n")
    for count, found in run.offenders.items():
        print(f"{count:56} {len(found):5}   goal: 0{' - short' * bool(found)}")
        for offender in found[:SHOWN]:
            print(f"  {offender}")
    print(f"{run.seconds:.0f} s, seed {options.seed}, load average {os.getloadavg()[0]:.1f} on {os.cpu_count()} cores")
    short = [count for count, found in run.offenders.items() if found]
    short += ["matches played"] * (run.played < options.matches)
    print(f"short of a goal: {', '.join(short)}; logs: {LOGS}" if short else "every goal is met")
    return int(bool(short))


def _write(options: argparse.Namespace, run: Run) -> None:
    told: dict[str, Any] = {
        "at": datetime.now(UTC).isoformat(timespec="seconds"),
        "seed": options.seed,
        "rounds": options.rounds,
        "cores": os.cpu_count(),
        "load": os.getloadavg(),
        **run._asdict(),
    }
    options.output.parent.mkdir(parents=True, exist_ok=True)
    options.output.write_text(json.dumps(told, indent=1) + "\n")


if __name__ == "__main__":
    sys.exit(main())
