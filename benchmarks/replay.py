"""How long the longest replay takes to open in a browser: `make bench-replay`.

The last game of the longest match that the rules allow is opened again and again, each time by a browser that has
nothing of the site in its cache, from the navigation until the player's script has drawn the table and its controls can
be used. The goals are for a machine that has nothing else to do. Exit code 1 where one is not reached.
"""

import argparse
import json
import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, datetime
from pathlib import Path
from statistics import median
from typing import Any

from playwright.sync_api import Browser, sync_playwright

from benchmarks.server import ROOT, Server

FOLDER = ROOT / "build" / "bench-replay"
LEAGUE = {"bots": 12, "matches": 40, "replays": 20, "seed": 1}
OPENS_MS = 1_000.0
PAGE_BYTES = 200_000
WARM_UP = 4
"""Visits that are not counted: each of the server's processes compiles its templates once."""
CHROMIUM = os.environ.get("CHROMIUM", "/usr/bin/chromium")
FLAGS = ["--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-background-networking"]
AWAIT_PLAYER = """new MutationObserver((_, observer) => {
  if (!document.querySelector("[data-play]:not([hidden])")) return;
  observer.disconnect();
  requestAnimationFrame(() => { window.openedMs = performance.now(); });
}).observe(document, {subtree: true, childList: true, attributes: true, attributeFilter: ["hidden"]});"""


def main() -> None:
    options = _options()
    server = Server(FOLDER, LEAGUE)
    server.prepare()
    path = server.probe("longest_game")["path"]
    with server.running() as site, _browser() as browser:
        address = f"http://127.0.0.1:{site.port}{path}"
        opened = [_open(browser, address) for _ in range(WARM_UP + options.visits)][WARM_UP:]
    opens_ms = sorted(took_ms for took_ms, _ in opened)
    page_bytes = opened[0][1]
    figures = {
        "at": datetime.now(UTC).isoformat(timespec="seconds"),
        "python": sys.version.split()[0],
        "cores": os.cpu_count(),
        "load": os.getloadavg(),
        "visits": len(opens_ms),
        "median_ms": round(median(opens_ms), 1),
        "slowest_ms": round(opens_ms[-1], 1),
        "goal_ms": OPENS_MS,
        "page_bytes": page_bytes,
        "goal_bytes": PAGE_BYTES,
    }
    options.output.parent.mkdir(parents=True, exist_ok=True)
    options.output.write_text(json.dumps(figures, indent=1) + "\n")
    sys.exit(_report(figures))


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="benchmarks.replay", description="time and size of the longest replay")
    parser.add_argument("--visits", type=int, default=10, help="default: 10")
    parser.add_argument("--output", type=Path, default=ROOT / "build" / "bench-replay.json", metavar="FILE")
    return parser.parse_args()


@contextmanager
def _browser() -> Iterator[Browser]:
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=FLAGS)
        yield browser
        browser.close()


def _open(browser: Browser, address: str) -> tuple[float, int]:
    """Milliseconds until the player could be used, and the bytes of its page."""
    context = browser.new_context(viewport={"width": 1280, "height": 900}, bypass_csp=True)
    try:
        page = context.new_page()
        page.add_init_script(AWAIT_PLAYER)
        answer = page.goto(address)
        page.wait_for_function("window.openedMs")
        took_ms: float = page.evaluate("window.openedMs")
        return took_ms, len(answer.body()) if answer else 0
    finally:
        context.close()


def _report(figures: dict[str, Any]) -> int:
    """Print the figures beside their goals; the exit code."""
    late = figures["median_ms"] > OPENS_MS
    large = figures["page_bytes"] > PAGE_BYTES
    times = f"median {figures['median_ms']:.0f} ms, slowest of {figures['visits']} {figures['slowest_ms']:.0f} ms"
    print(f"opens in   {times}; goal: {OPENS_MS:.0f} ms{' - short' * late}")
    print(f"page       {figures['page_bytes'] / 1000:.0f} KB; goal: {PAGE_BYTES / 1000:.0f} KB{' - short' * large}")
    print(f"load average {figures['load'][0]:.1f} on {figures['cores']} cores")
    return int(late or large)


if __name__ == "__main__":
    main()
