"""How long the site's pages take with a thousand bots and a hundred thousand matches: `make bench-site`.

A scratch database in build/bench-site/ is seeded (`manage.py seed_league`), or used again where it is there; the site
is started on it as the Procfile does, and every page (`benchmarks.pages`) is asked for many times, in turn with the
others. The goals are for a machine that has nothing else to do. Exit code 1 where a page falls short of one.
"""

import argparse
import gzip
import json
import math
import os
import random
import sys
import time
from collections.abc import Mapping
from datetime import UTC, datetime
from http.client import HTTPConnection
from pathlib import Path
from statistics import median
from typing import Any, NamedTuple
from zlib import crc32

from benchmarks.pages import PAGES, Page
from benchmarks.server import ROOT, Server, Site

FOLDER = ROOT / "build" / "bench-site"
FEW = {"bots": 130, "matches": 6_000, "replays": 30, "seed": 1}
"""Enough to fill a page of each list: the number of queries must not grow with the rows beyond."""
P95_MS = 150.0
PAGE_BYTES = 300_000
QUERIES = 12
REFRESH_S = 2.0
WARM_UP = 6
"""Visits to a page that are not counted: each of the server's processes compiles its templates once."""
TIMEOUT_S = 60.0
ACCEPTED = (200, 204)


class Times:
    """Visits to one page."""

    def __init__(self) -> None:
        self.took_ms: list[float] = []
        self.cpu_s = 0.0


class Visit(NamedTuple):
    took_ms: float
    status: int
    body: bytes
    """As it was sent."""
    encoding: str


class Size(NamedTuple):
    status: int
    page: int
    """Bytes of the page."""
    sent: int
    """Bytes of it that were sent to a browser that takes gzip and Brotli."""


class Measured(NamedTuple):
    name: str
    path: str
    median_ms: float
    p95_ms: float
    cpu_ms: float
    """Of the server, for a visit; on a busy machine it says more than the time by the clock."""
    size: Size
    queries: int
    queries_few: int
    """On the small database."""

    @property
    def shortfalls(self) -> list[str]:
        found = []
        if self.size.status not in ACCEPTED:
            found.append(f"answered {self.size.status}")
        if self.p95_ms > P95_MS:
            found.append(f"p95 {self.p95_ms:.0f} ms")
        if self.size.page > PAGE_BYTES:
            found.append(f"{self.size.page / 1000:.0f} KB")
        if self.queries > QUERIES:
            found.append(f"{self.queries} queries")
        if self.queries > self.queries_few:
            found.append(f"queries grow with the rows: {self.queries_few} with few")
        return found


class Browser:
    """Asks one server for pages, over one connection a round."""

    def __init__(self, port: int, cookies: Mapping[str, str]) -> None:
        self._port = port
        self._cookie = "; ".join(f"{name}={value}" for name, value in cookies.items())
        self.reconnect()

    def reconnect(self) -> None:
        self._connection = HTTPConnection("127.0.0.1", self._port, timeout=TIMEOUT_S)

    def visit(self, page: Page, path: str, encodings: str = "gzip, br") -> Visit:
        headers = {"Accept-Encoding": encodings}
        headers |= {"Cookie": self._cookie} if page.signed_in else {}
        headers |= {"HX-Request": "true"} if page.fragment else {}
        began = time.perf_counter()
        self._connection.request("GET", path, headers=headers)
        response = self._connection.getresponse()
        body = response.read()
        took_ms = 1000 * (time.perf_counter() - began)
        return Visit(took_ms, response.status, body, response.headers.get("Content-Encoding", ""))


def main() -> None:
    options = _options()
    many = {"bots": options.bots, "matches": options.matches, "replays": 300, "seed": options.seed}
    suffix = f"-{crc32(options.database.encode()):08x}" if options.database else ""
    large, small = Server(FOLDER / f"large{suffix}", many, options.database), Server(FOLDER / "small", FEW)
    for server in (small, large):
        server.prepare()
    few, found = small.probe(), large.probe()
    queries_few = {each["name"]: each["queries"] for each in few["pages"]}
    with large.running() as site:
        times, sizes = _measure(site, found, options.rounds, options.visits)
    measured = [
        Measured(
            each["name"],
            each["path"],
            *_summed(times[each["name"]]),
            sizes[each["name"]],
            each["queries"],
            each["queries"] if queries_few[each["name"]] is None else queries_few[each["name"]],
        )
        for each in found["pages"]
        if each["path"]
    ]
    missing = [each["name"] for each in found["pages"] if not each["path"]]
    _write(many, measured, missing, found["refresh_s"], options.output)
    sys.exit(_report(measured, missing, found["refresh_s"]))


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="benchmarks.site", description="time and size of the site's pages")
    parser.add_argument("--bots", type=int, default=1_000, help="default: 1000")
    parser.add_argument("--matches", type=int, default=100_000, help="default: 100000")
    parser.add_argument("--seed", type=int, default=1, help="of the league; default: 1")
    parser.add_argument("--rounds", type=int, default=5, help="default: 5")
    parser.add_argument("--visits", type=int, default=8, help="to each page in each round; default: 8")
    parser.add_argument("--database", default="", metavar="URL", help="an empty database; default: SQLite")
    parser.add_argument("--output", type=Path, default=ROOT / "build" / "bench-site.json", metavar="FILE")
    return parser.parse_args()


def _measure(
    site: Site, found: Mapping[str, Any], rounds: int, visits: int
) -> tuple[dict[str, Times], dict[str, Size]]:
    """The times of each page, and its size."""
    paths = {each["name"]: each["path"] for each in found["pages"] if each["path"]}
    pages = [page for page in PAGES if page.name in paths]
    times = {page.name: Times() for page in pages}
    sizes = {}
    browser = Browser(site.port, found["session"])
    for page in pages:
        for _ in range(WARM_UP):
            browser.reconnect()
            visit = browser.visit(page, paths[page.name])
        plain = gzip.decompress(visit.body) if visit.encoding == "gzip" else visit.body
        sizes[page.name] = Size(visit.status, len(plain), len(visit.body))
    order = random.Random(1)
    for _ in range(rounds):
        browser.reconnect()
        order.shuffle(pages)
        for page in pages:
            before = site.cpu_s()
            times[page.name].took_ms += [browser.visit(page, paths[page.name]).took_ms for _ in range(visits)]
            times[page.name].cpu_s += site.cpu_s() - before
    return times, sizes


def _summed(times: Times) -> tuple[float, float, float]:
    """Median, 95th percentile, and the server's CPU time for a visit, in ms."""
    number = len(times.took_ms)
    p95 = sorted(times.took_ms)[math.ceil(0.95 * number) - 1]
    return median(times.took_ms), p95, 1000 * times.cpu_s / number


def _report(measured: list[Measured], missing: list[str], refresh_s: float) -> int:
    """Print the table; the exit code."""
    width = max(len(each.name) for each in measured)
    print(f"\n{'page':{width}}  median ms  p95 ms  CPU ms   page KB   sent KB  queries")
    for each in measured:
        times = f"{each.median_ms:9.1f} {each.p95_ms:7.1f} {each.cpu_ms:7.1f}"
        sizes = f"{each.size.page / 1000:9.1f} {each.size.sent / 1000:9.1f}"
        print(f"{each.name:{width}}  {times} {sizes} {each.queries:8}  {', '.join(each.shortfalls)}")
    goal = f"{'goal':{width}}  {'':9} {P95_MS:7.1f} {'':7} {PAGE_BYTES / 1000:9.1f} {'':9} {QUERIES:8}"
    print(f"{goal}  constant in the rows")
    late = refresh_s > REFRESH_S
    print(f"standings computed in {refresh_s:.2f} s; goal: {REFRESH_S:.0f} s")
    if missing:
        print(f"not there: {', '.join(missing)}")
    short = [each.name for each in measured if each.shortfalls] + ["standings"] * late
    load = os.getloadavg()[0]
    print(f"load average {load:.1f} on {os.cpu_count()} cores")
    print(f"short of a goal: {', '.join(short)}" if short else "every goal is met")
    return 1 if short else 0


def _write(many: Mapping[str, int], measured: list[Measured], missing: list[str], refresh_s: float, to: Path) -> None:
    """Keep the figures for comparison."""
    figures = {
        "at": datetime.now(UTC).isoformat(timespec="seconds"),
        "seeded": many,
        "python": sys.version.split()[0],
        "cores": os.cpu_count(),
        "load": os.getloadavg(),
        "refresh_s": round(refresh_s, 3),
        "missing": missing,
        "pages": [{**each._asdict(), "size": each.size._asdict(), "shortfalls": each.shortfalls} for each in measured],
    }
    to.parent.mkdir(parents=True, exist_ok=True)
    to.write_text(json.dumps(figures, indent=1) + "\n")


if __name__ == "__main__":
    main()
