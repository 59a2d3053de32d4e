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
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any

from benchmarks import chaos_remains
from benchmarks.servers import demand
from benchmarks.stack import ROOT, Stack, running
from tests.own_engine import OwnEngine

if TYPE_CHECKING:
    from benchmarks.chaos_run import Run

MATCHES, ROUNDS = 500, 3
LEASE_S = 10
"""Short, so that leases pass; a match takes a second where the machine is idle."""
SHOWN = 20
LOGS = ROOT / "build" / "chaos-logs"


def main() -> int:
    options = _options()
    if os.geteuid() != 0:
        print("expected root, which alone can start a Docker engine of its own: use sudo", file=sys.stderr)
        return 2
    demand({"dockerd": "docker.io", "redis-server": "redis-server"})
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(143))
    with _stack() as (stack, engine):
        import django

        django.setup()
        from benchmarks.chaos_run import run

        found = run(stack, engine, options.matches, options.rounds, options.seed)
    _write(options, found)
    return _report(options, found)


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
            stack.manage("rehearse")
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


def _report(options: argparse.Namespace, run: "Run") -> int:
    """Print the figures; the exit code."""
    print()
    for kind, times in run.faults.items():
        print(f"{kind:56} {times:5}")
    print(f"{'matches played':56} {run.played:5}   goal: {options.matches}")
    print(f"{'attempts given back':56} {run.given_back:5}, {run.counted} of them counted as faults\n")
    for count, found in run.offenders.items():
        print(f"{count:56} {len(found):5}   goal: 0{' - short' * bool(found)}")
        for offender in found[:SHOWN]:
            print(f"  {offender}")
    print(f"{run.seconds:.0f} s, seed {options.seed}, load average {os.getloadavg()[0]:.1f} on {os.cpu_count()} cores")
    short = [count for count, found in run.offenders.items() if found]
    short += ["matches played"] * (run.played < options.matches)
    print(f"short of a goal: {', '.join(short)}; logs: {LOGS}" if short else "every goal is met")
    return int(bool(short))


def _write(options: argparse.Namespace, run: "Run") -> None:
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
