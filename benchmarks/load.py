"""How the site bears readers while its workers play, on a large league: `make bench-load`.

A stack of our own (`benchmarks.stack`) is filled with a thousand bots and half a million matches, from a backup in
build/bench-load/ where there is one. Then its workers play what waits, by turns alone and beside readers
(`benchmarks.readers`). The goals are for a machine that has nothing else to do. Exit code 1 where one is not reached.
"""

import argparse
import json
import math
import os
import signal
import subprocess
import sys
import time
from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from datetime import UTC, datetime
from importlib.util import find_spec
from pathlib import Path
from statistics import median
from typing import Any, NamedTuple

import psycopg

from benchmarks import cpu, stack
from benchmarks.server import ROOT, await_answer, seeding_code
from benchmarks.servers import LOOPBACK, demand, free_port, postgresql_programs
from league.processes import die_with_parent
from sandbox import NoSandbox, engine

FOLDER = ROOT / "build" / "bench-load"
P95_MS = 300.0
LOSS = 0.15
"""Share of the matches that readers may cost."""
FAULTS = 5
REPLAYS = 1_000
LEAD_S = 15.0
"""How long whoever begins gets to come into its stride, before anything counts."""
IDLE = slice(3, 5)
"""Where the first line of /proc/stat has the time of no work, and of waiting for a disk."""
ROLES = ("site", "worker", "upkeep")


class Request(NamedTuple):
    at: float
    name: str
    took_ms: float
    status: int
    fault: str


class Span(NamedTuple):
    """A time that was measured."""

    began: float
    ended: float
    matches: int
    cores: Mapping[str, float]
    """How many were busy, by what used them."""


class League:
    """The stack while it plays."""

    def __init__(self, platform: stack.Stack, port: int) -> None:
        self.address = f"http://{LOOPBACK}:{port}"
        self._platform = platform
        processes = {role: platform.start(role) for role in ROLES}
        await_answer(port, processes["site"])
        servers = {"PostgreSQL": platform.postgresql.pid, "Redis": platform.redis.pid}
        self._pids = {**{role: process.pid for role, process in processes.items()}, **servers}

    def span(self, seconds: float, readers: int) -> Span:
        """Let so much time pass, beside those readers if there are any (0: none)."""
        began, before = time.time(), self._used_s(readers)
        time.sleep(seconds)
        ended, after = time.time(), self._used_s(readers)
        cores = {name: (after[name] - before[name]) / (ended - began) for name in after}
        return Span(began, ended, self._played(began, ended), cores)

    def _used_s(self, readers: int) -> dict[str, float]:
        """CPU seconds of each so far, and of what else the machine does: bots, their engine, strangers."""
        pids = {**self._pids, "readers": readers} if readers else self._pids
        used_s = {name: cpu.used_s(pid) for name, pid in pids.items()}
        busy = [int(field) for field in Path("/proc/stat").read_text().split()[1:8]]
        machine_s = (sum(busy) - sum(busy[IDLE])) / cpu.TICKS_A_S
        return {**used_s, "bots and others": machine_s - sum(used_s.values())}

    def _played(self, began: float, ended: float) -> int:
        """Matches that ended in that time."""
        asked = "SELECT count(*) FROM matches_match WHERE finished_at BETWEEN to_timestamp(%s) AND to_timestamp(%s)"
        with psycopg.connect(self._platform.postgresql.url) as connection:
            row = connection.execute(asked, (began, ended)).fetchone()
        return int(row[0]) if row else 0


def main() -> None:
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(143))  # so that all that was started ends
    options = _options()
    _demand()
    port = free_port()
    settings = {"ARENA_BIND": f"{LOOPBACK}:{port}", "GUNICORN_CMD_ARGS": "--log-level warning"}
    with stack.running(settings) as platform:
        _fill(platform, {"bots": options.bots, "matches": options.matches, "replays": REPLAYS, "seed": options.seed})
        league = League(platform, port)
        time.sleep(LEAD_S)
        alone: list[Span] = []
        beside: list[Span] = []
        requests: list[Request] = []
        for number in range(1, options.rounds + 1):
            alone.append(league.span(options.seconds, 0))
            with _reading(league.address, options, platform.folder / f"requests-{number}") as readers:
                time.sleep(LEAD_S)
                beside.append(league.span(options.seconds, readers))
            requests += _read(platform.folder / f"requests-{number}", beside[-1])
            _tell(alone[-1], beside[-1])
    if not requests:
        sys.exit("the readers read nothing; python -m locust --locustfile benchmarks/readers.py says why")
    figures = _figures(options, alone, beside, requests)
    options.output.parent.mkdir(parents=True, exist_ok=True)
    options.output.write_text(json.dumps(figures, indent=1) + "\n")
    sys.exit(_report(figures))


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="benchmarks.load", description="what readers cost, and how long they wait")
    parser.add_argument("--bots", type=int, default=1_000, help="default: 1000")
    parser.add_argument("--matches", type=int, default=500_000, help="default: 500000")
    parser.add_argument("--seed", type=int, default=1, help="of the league; default: 1")
    parser.add_argument("--readers", type=int, default=50, help="default: 50")
    parser.add_argument("--rounds", type=int, default=4, help="each without readers and with them; default: 4")
    parser.add_argument("--seconds", type=float, default=60.0, help="of each half of a round; default: 60")
    parser.add_argument("--output", type=Path, default=ROOT / "build" / "bench-load.json", metavar="FILE")
    return parser.parse_args()


def _demand() -> None:
    """End with code 2 where something is missing, and say how to get it."""
    postgresql_programs()
    demand({"redis-server": "redis-server", "pg_dump": "postgresql-client", "psql": "postgresql-client"})
    if not find_spec("locust"):
        print("Locust is missing; scripts/environment.sh bench installs it", file=sys.stderr)
        sys.exit(2)


def _fill(platform: stack.Stack, numbers: Mapping[str, int]) -> None:
    """The league of those numbers: from the backup of an earlier time, if the same code made it."""
    backup, mark = FOLDER / "league.backup", FOLDER / "seeded.json"
    wanted = {**numbers, "code": seeding_code()}
    if mark.exists() and json.loads(mark.read_text()) == wanted:
        platform.manage("restore", "--yes", str(backup))
        platform.manage("migrate", "--verbosity", "0")
    else:
        FOLDER.mkdir(parents=True, exist_ok=True)
        mark.unlink(missing_ok=True)
        backup.unlink(missing_ok=True)
        platform.manage("seed_league", *(f"--{name}={value}" for name, value in numbers.items()))
        platform.manage("backup", str(backup))
        mark.write_text(json.dumps(wanted))
    with psycopg.connect(platform.postgresql.url, autocommit=True) as connection:
        connection.execute("ANALYZE")  # it does so by itself within a minute


@contextmanager
def _reading(address: str, options: argparse.Namespace, log: Path) -> Iterator[int]:
    """Readers at work, whose requests go into that file; the number of their process."""
    command = [
        sys.executable, "-m", "locust", "--locustfile", str(ROOT / "benchmarks" / "readers.py"), "--headless",
        "--users", str(options.readers), "--spawn-rate", str(options.readers / LEAD_S * 2), "--host", address,
        "--only-summary", "--loglevel", "WARNING",
    ]  # fmt: skip
    readers = subprocess.Popen(  # noqa: S603 - our own interpreter
        command,
        env={**os.environ, "READERS_LOG": str(log)},
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        preexec_fn=die_with_parent(signal.SIGTERM),
    )
    try:
        yield readers.pid
        if readers.poll() is not None:
            sys.exit(f"the readers ended by themselves, exit code {readers.returncode}")
    finally:
        readers.terminate()
        readers.wait()


def _read(log: Path, span: Span) -> list[Request]:
    """The requests of that file which were answered in that time."""
    rows = (Request(*json.loads(line)) for line in log.read_text().splitlines())
    return [each for each in rows if span.began <= each.at < span.ended]


def _figures(
    options: argparse.Namespace, alone: list[Span], beside: list[Span], requests: list[Request]
) -> dict[str, Any]:
    by_name: dict[str, list[Request]] = defaultdict(list)
    for each in requests:
        by_name[each.name].append(each)
    reading_s = sum(span.ended - span.began for span in beside)
    site_s = sum((span.ended - span.began) * span.cores["site"] for span in beside)
    before, during = _rate(alone), _rate(beside)
    return {
        "at": datetime.now(UTC).isoformat(timespec="seconds"),
        "seeded": {"bots": options.bots, "matches": options.matches, "seed": options.seed},
        "python": sys.version.split()[0],
        "cores": os.cpu_count(),
        "load": os.getloadavg(),
        "sandbox": _sandbox(),
        "readers": options.readers,
        "requests_a_second": round(len(requests) / reading_s, 1),
        "p95_ms": _p95([each.took_ms for each in requests]),
        "faults": Counter(each.fault for each in requests if each.fault),
        "matches_a_second_alone": round(before, 2),
        "matches_a_second_beside": round(during, 2),
        "loss": round(1 - during / before, 3) if before else 1.0,
        "site_cpu_ms": round(1000 * site_s / len(requests), 1),
        "cores_alone": _cores(alone),
        "cores_beside": _cores(beside),
        "pages": [_page(name, some) for name, some in sorted(by_name.items())],
        "spans": {"alone": [span._asdict() for span in alone], "beside": [span._asdict() for span in beside]},
    }


def _page(name: str, requests: list[Request]) -> dict[str, Any]:
    took_ms = [each.took_ms for each in requests]
    unchanged = sum(each.status in (204, 304) for each in requests)
    return {
        "name": name,
        "requests": len(requests),
        "unchanged": unchanged,
        "median_ms": round(median(took_ms), 1),
        "p95_ms": _p95(took_ms),
    }


def _rate(spans: list[Span]) -> float:
    return sum(span.matches for span in spans) / sum(span.ended - span.began for span in spans)


def _cores(spans: list[Span]) -> dict[str, float]:
    return {name: round(sum(span.cores[name] for span in spans) / len(spans), 2) for name in spans[0].cores}


def _p95(took_ms: list[float]) -> float:
    return round(sorted(took_ms)[math.ceil(0.95 * len(took_ms)) - 1], 1) if took_ms else math.inf


def _sandbox() -> str:
    try:
        engine.connect().close()
    except NoSandbox:
        return "process"
    return "docker"


def _tell(alone: Span, beside: Span) -> None:
    print(f"{alone.matches} matches alone, {beside.matches} beside readers", flush=True)


def _report(figures: dict[str, Any]) -> int:
    """Print the figures beside their goals; the exit code."""
    width = max((len(page["name"]) for page in figures["pages"]), default=4)
    print(f"\n{'page':{width}}  requests  unchanged  median ms  p95 ms")
    for page in figures["pages"]:
        counts = f"{page['requests']:9} {page['unchanged']:10}"
        print(f"{page['name']:{width}} {counts} {page['median_ms']:10.1f} {page['p95_ms']:7.1f}")
    print(f"\n{'cores busy':{width}}     alone     beside")
    for name, beside in figures["cores_beside"].items():
        print(f"{name:{width}} {figures['cores_alone'].get(name, 0):9.2f} {beside:10.2f}")
    print(f"\n{figures['requests_a_second']} requests a second, {figures['site_cpu_ms']} ms of the site's CPU for each")
    errors = sum(figures["faults"].values())
    before, during = figures["matches_a_second_alone"], figures["matches_a_second_beside"]
    short = {
        f"p95      {figures['p95_ms']:.0f} ms; goal: {P95_MS:.0f} ms": figures["p95_ms"] > P95_MS,
        f"errors   {errors}; goal: none": errors > 0,
        f"matches  {before:.2f} a second alone, {during:.2f} beside {figures['readers']} readers: "
        f"{100 * figures['loss']:.1f} % fewer; goal: at most {100 * LOSS:.0f} %": figures["loss"] > LOSS,
    }
    for line, is_short in short.items():
        print(f"{line}{' - short' * is_short}")
    for fault, count in Counter(figures["faults"]).most_common(FAULTS):
        print(f"  {count} times: {fault}")
    print(f"sandbox {figures['sandbox']}, load average {figures['load'][0]:.1f} on {figures['cores']} cores")
    return int(any(short.values()))


if __name__ == "__main__":
    main()
