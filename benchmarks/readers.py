"""People who read the site, for `benchmarks.load`: Locust runs it, in a process of its own.

A reader opens the home page, the leaderboard, a match of its crosstable, the list of matches, one of those and its
replay, and begins anew; between two pages he takes time to think. His browser keeps cookies, has a page that it knows
revalidated, and refreshes those that refresh themselves while they are open.
"""

import json
import os
import random
import re
import time
from html import unescape
from typing import Any

import gevent
from locust import FastHttpUser, events, task

LEAST_S, MOST_S = 1.0, 5.0
"""How long a page is looked at."""
LANGUAGES = ("en", "ru")
ORDERS = ("bot", "-points", "-rating", "-won", "-for", "-played")
PAGES = 38
EARLIER = 0.3
"""Share of the visits to the list that go on to earlier matches."""
ELSEWHERE = 0.3
"""Share of the visits to the leaderboard that go on to another page of it, or to another order."""
GAMES = re.compile(r'href="(/matches/\d+/games/\d+/)"')
MATCHES = re.compile(r'class="result" href="(/matches/\d+/)"')
CELLS = re.compile(r'class="cell [a-z]+" href="(/matches/\d+/)"')
OLDER = re.compile(r'rel="next" href="(\?[^"]+)"')
FILES = re.compile(r'(?:href|src)="(/static/[^"]+)"')
LIVE = re.compile(r'hx-get="([^"]+)" hx-trigger="every (\d+)s"')
FINE = (200, 204, 304)


class Reader(FastHttpUser):  # type: ignore[misc]
    """One of them."""

    connection_timeout = network_timeout = 30.0

    def on_start(self) -> None:
        self._chance = random.Random()
        self._language = self._chance.choice(LANGUAGES)
        self._known: dict[str, tuple[str, str]] = {}
        for path in sorted(set(FILES.findall(self._open("home", "/")))):
            self.client.get(path, name="files", headers={"Accept-Encoding": "gzip, br"})

    @task  # type: ignore[untyped-decorator]
    def visit(self) -> None:
        self._look("home", "/")
        table = self._look("leaderboard", "/leaderboard/")
        if self._chance.random() < ELSEWHERE:
            page = self._chance.choice(
                (f"page={self._chance.randint(2, PAGES)}", f"sort={self._chance.choice(ORDERS)}")
            )
            table = self._look("leaderboard, elsewhere", f"/leaderboard/?{page}")
        self._look_at_one("match", CELLS.findall(table))
        matches = self._look("matches", "/matches/")
        if (older := OLDER.search(matches)) and self._chance.random() < EARLIER:
            matches = self._look("matches, earlier", f"/matches/{unescape(older[1])}")
        match = self._look_at_one("match", MATCHES.findall(matches))
        self._look_at_one("replay", GAMES.findall(match))

    def _look_at_one(self, name: str, paths: list[str]) -> str:
        return self._look(name, self._chance.choice(paths)) if paths else ""

    def _look(self, name: str, path: str) -> str:
        """Open that page and look at it for a while; what it says."""
        page = self._open(name, path)
        left_s = self._chance.uniform(LEAST_S, MOST_S)
        shown = page
        while (live := LIVE.search(shown)) and left_s > int(live[2]):
            gevent.sleep(int(live[2]))
            left_s -= int(live[2])
            query = unescape(live[1])
            address = f"{path.split('?')[0]}{query}" if query.startswith("?") else query
            shown = self._open(f"{name}, refreshed", address, fragment=True) or shown
        gevent.sleep(left_s)
        return page

    def _open(self, name: str, path: str, *, fragment: bool = False) -> str:
        """What the page says; of one that is as it was what it said then."""
        tag, before = self._known.get(path, ("", ""))
        headers = {"Accept": "text/html", "Accept-Encoding": "gzip", "Accept-Language": self._language}
        headers |= {"If-None-Match": tag} if tag else {}
        headers |= {"HX-Request": "true"} if fragment else {}
        with self.client.get(path, name=name, headers=headers, catch_response=True) as answer:
            if answer.status_code not in FINE:
                answer.failure(f"{path}: answered {answer.status_code}")
                return ""
            answer.success()
            if answer.status_code == 304:
                return before
            text: str = answer.text or ""
            if (tag := answer.headers.get("ETag", "")) and not fragment:
                self._known[path] = (tag, text)
            return text


@events.init.add_listener  # type: ignore[untyped-decorator]
def write_down(**_: Any) -> None:
    """Each request goes into the file that READERS_LOG names, as a line: when, what, ms, status, what went wrong."""
    log = open(os.environ["READERS_LOG"], "a", buffering=1)  # noqa: PTH123, SIM115 - as long as the process lives

    def requested(name: str, response_time: float, response: Any, exception: BaseException | None, **_: Any) -> None:
        status = getattr(response, "status_code", 0)
        row = time.time(), name, round(response_time, 1), status, str(exception) if exception else ""
        log.write(json.dumps(row) + "\n")

    events.request.add_listener(requested)
