"""How quickly whole leagues are played: `make bench-league`.

PostgreSQL, Redis, a worker and the upkeep of our own play the open ladder of 50 trivial bots from nothing: uploads are
checked, entered and paired, 1,225 matches played in containers, and recorded. The time begins with the first process of
the platform and ends with the last result. Then 600 matches are played with 1,000 and with 200,000 others stored, which
must take as long. The goals are for two cores that have nothing else to do. Exit code 1 where one is missed.
"""

import argparse
import json
import os
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Mapping
from datetime import UTC, datetime
from pathlib import Path
from statistics import median
from typing import Any, NamedTuple

import psycopg

from benchmarks import cpu, stack
from benchmarks.stack import ROOT
from sandbox import NoSandbox, open_launcher

INSIDE = "benchmarks.league_inside"
GAMES = 12
DAY_S = 86_400
STORED = {1_000: 46, 200_000: 633}
"""Matches -> the bots that have so many pairs, and hardly more."""
NEW_BOTS = 12
MEASURED = 600
PATIENCE_S = 900.0
UNFINISHED = "SELECT count(*) FROM matches_match WHERE finished_at IS NULL AND status IN ('queued', 'running')"
CHECKING = "SELECT count(*) FROM bots_version WHERE status = 'checking'"
SINCE = "SELECT count(*), min(finished_at), max(finished_at) FROM matches_match WHERE finished_at > %s"
VALID = "SELECT count(*) FROM matches_match WHERE status = 'played' AND json_array_length(games::json) = 12"
WRITTEN = "SELECT sum(n_tup_ins + n_tup_upd + n_tup_del) FROM pg_stat_user_tables"
SIZE = "SELECT sum(pg_total_relation_size(relid)) FROM pg_stat_user_tables"
SIZES = "SELECT relname, pg_total_relation_size(relid) FROM pg_stat_user_tables ORDER BY 2 DESC LIMIT 6"
WAL = "SELECT pg_current_wal_lsn() - '0/0'"
BOTS_CPU = "SELECT sum(cpu_s) FROM matches_log"


class Figure(NamedTuple):
    name: str
    value: float
    goal: float | None = None
    at_most: bool = False

    @property
    def missed(self) -> bool:
        if self.goal is None:
            return False
        return self.value > self.goal if self.at_most else self.value < self.goal

    def __str__(self) -> str:
        goal = "" if self.goal is None else f"{'<=' if self.at_most else '>='} {self.goal:,g}"
        return f"{self.name:48} {self.value:14,.2f}  {goal}{' - short' * self.missed}"


def main() -> int:
    options = _options()
    try:
        open_launcher(options.sandbox).close()
    except NoSandbox as missing:
        print(f"{missing}; ARGS='--sandbox process' measures without an engine")
        return 2
    figures = _from_nothing(options.sandbox, options.bots)
    figures += _growth(options.sandbox, options.repeats) if options.repeats else []
    print(f"load average {os.getloadavg()[0]:.1f} on {os.cpu_count()} cores")
    missed = [figure.name for figure in figures if figure.missed]
    print(f"short of a goal: {', '.join(missed)}" if missed else "every goal is met")
    found = {
        "at": datetime.now(UTC).isoformat(timespec="seconds"),
        "cores": os.cpu_count(),
        "sandbox": options.sandbox,
        "figures": [{**figure._asdict(), "missed": figure.missed} for figure in figures],
    }
    options.output.parent.mkdir(parents=True, exist_ok=True)
    options.output.write_text(json.dumps(found, indent=1) + "\n")
    return int(bool(missed))


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="benchmarks.league", description="how quickly leagues are played")
    parser.add_argument("--sandbox", choices=("docker", "process"), default="docker")
    parser.add_argument("--bots", type=int, default=50, help="of the ladder from nothing; default: 50")
    parser.add_argument("--repeats", type=int, default=1, help="of the leagues with stored matches; default: 1")
    parser.add_argument("--output", type=Path, default=ROOT / "build" / "bench-league.json", metavar="FILE")
    return parser.parse_args()


def _from_nothing(sandbox: str, bots: int) -> list[Figure]:
    """The ladder of so many bots; prints and returns its figures."""
    with stack.running({"ARENA_SANDBOX": sandbox}) as platform, tempfile.TemporaryDirectory() as samples:
        platform.run("-m", INSIDE, "upload", str(bots))
        with psycopg.connect(platform.postgresql.url, autocommit=True) as database:
            before = _counts(database)
            began = datetime.now(UTC)
            upkeep = platform.start("upkeep")
            worker = platform.start("worker", application="benchmarks.sampled", settings={"ARENA_SAMPLES": samples})
            _await(database, lambda: not _one(database, CHECKING) and not _one(database, UNFINISHED))
            spent = {
                "worker and process sandboxes": cpu.used_s(worker.pid),
                "upkeep": cpu.used_s(upkeep.pid),
                "PostgreSQL": cpu.used_s(platform.postgresql.pid),
                "Redis": cpu.used_s(platform.redis.pid),
            }
            matches, _, ended = _row(database, SINCE, began)
            took_s = (ended - began).total_seconds()
            platform.stop()
            after = _counts(database)
            figures = [
                Figure("pairs with a valid match of 12 games", _one(database, VALID), bots * (bots - 1) / 2),
                Figure("matches a second, from nothing", matches / took_s, 10.0),
                Figure("games a day", DAY_S * GAMES * matches / took_s, 10_000_000),
                *_shares(Path(samples), _one(database, BOTS_CPU)),
                *(Figure(f"CPU of {who}, ms a match", 1e3 * used_s / matches) for who, used_s in spent.items()),
                Figure("rows written a match", (after["rows"] - before["rows"]) / matches),
                Figure(
                    "bytes of the database a match", (after["size"] - before["size"]) / matches, 4_096, at_most=True
                ),
                Figure("bytes written ahead (WAL) a match", (after["wal"] - before["wal"]) / matches),
            ]
            print(*figures, sep="\n")
            for name, size in database.execute(SIZES):
                print(f"    {name:44} {size / matches:14,.0f}  bytes a match")
            return figures


def _shares(samples: Path, bots_cpu_s: float) -> list[Figure]:
    """Of the time of the worker's processes, in percent."""
    found: Counter[str] = Counter()
    for path in samples.glob("*.json"):
        found.update(json.loads(path.read_text()))
    total = sum(found.values())
    waited, bots = found.pop("waits for bots", 0), 100 * bots_cpu_s
    found["bots"] = round(bots)
    found["sandbox, exchange with bots"] = max(0, round(waited - bots))
    return [Figure(f"time in {name}, %", 100 * count / total) for name, count in found.most_common()]


def _growth(sandbox: str, repeats: int) -> list[Figure]:
    """What a match costs with few and with many stored."""
    rates: dict[int, list[float]] = {stored: [] for stored in STORED}
    for _ in range(repeats):
        for stored, bots in STORED.items():
            rates[stored].append(_rate(sandbox, stored, bots))
    middle = {stored: median(found) for stored, found in rates.items()}
    few, many = middle.values()
    figures = [Figure(f"matches a second with {stored:,} stored", rate) for stored, rate in middle.items()]
    figures.append(Figure("the second as a share of the first", many / few, 0.9))
    print(*figures, sep="\n")
    return figures


def _rate(sandbox: str, stored: int, bots: int) -> float:
    """Matches a second of new bots in a league of so many matches and bots."""
    with stack.running({"ARENA_SANDBOX": sandbox}) as platform:
        platform.manage("seed_league", f"--bots={bots}", f"--matches={stored}", "--replays=10")
        platform.run("-m", INSIDE, "make_trivial")
        platform.run("-m", INSIDE, "upload", str(NEW_BOTS))
        with psycopg.connect(platform.postgresql.url, autocommit=True) as database:
            database.execute("VACUUM ANALYZE")
            platform.start("upkeep")
            platform.start("worker")
            _await(database, lambda: not _one(database, CHECKING))
            began = datetime.now(UTC)
            _await(database, lambda: _row(database, SINCE, began)[0] >= MEASURED)
            count, _, ended = _row(database, SINCE, began)
            return float(count / (ended - began).total_seconds())


def _counts(database: psycopg.Connection[Any]) -> Mapping[str, float]:
    """What the tables hold and have written so far; without what a vacuum frees."""
    database.execute("VACUUM")
    database.execute("SELECT pg_stat_clear_snapshot()")
    return {"rows": _one(database, WRITTEN), "size": _one(database, SIZE), "wal": _one(database, WAL)}


def _await(database: psycopg.Connection[Any], done: Any) -> None:
    ends = time.monotonic() + PATIENCE_S
    while not done():
        if time.monotonic() > ends:
            sys.exit(f"not done within {PATIENCE_S:.0f} s: {_one(database, UNFINISHED)} matches are left")
        time.sleep(0.25)


def _one(database: psycopg.Connection[Any], query: str) -> float:
    return float(_row(database, query)[0])


def _row(database: psycopg.Connection[Any], query: str, *parameters: Any) -> tuple[Any, ...]:
    found = database.execute(query, parameters).fetchone()
    if found is None:
        sys.exit(f"no row for {query}")
    return tuple(found)


if __name__ == "__main__":
    sys.exit(main())
