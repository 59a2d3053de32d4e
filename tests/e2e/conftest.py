"""The whole platform in processes of its own, as `make run` starts it, or the web server alone on a league that has
one of everything; and a browser in front of it.

With DATABASE_URL both have databases of their own on that server, which are dropped afterwards.
"""

from __future__ import annotations

import json
import os
import signal
import socket
import subprocess
import sys
import time
import urllib.request
from collections.abc import Callable, Iterator, Mapping
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import IO
from urllib.error import URLError

import environ
import psycopg
import pytest
from django.urls import reverse
from playwright.sync_api import Browser, BrowserContext, Page, sync_playwright

from league.processes import die_with_parent
from tests.e2e.pages import Page as Place
from tests.e2e.tabs import Tabs

ROOT = Path(__file__).parents[2]
CHROMIUM = os.environ.get("CHROMIUM", "/usr/bin/chromium")
FLAGS = [
    "--no-sandbox",
    "--disable-gpu",
    "--disable-software-rasterizer",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
]
HOUSE = ("passer", "random", "longest")
ORGANISER, PASSWORD = "judge", "a long enough one"
STACK = f"""
import sys
from arena import bots
bots.HOUSE = {HOUSE!r}  # the quick ones
import django
from django.core.management import call_command, execute_from_command_line
django.setup()
call_command("migrate", verbosity=0)
call_command("createsuperuser", "--noinput", username={ORGANISER!r}, email="", verbosity=0)
execute_from_command_line(["manage.py", "stack"])
"""
OUTSIDE = ("DATABASE_URL", "REDIS_URL")
START_S = 180
SESSION_COOKIE = "sessionid"
REPORT_VIOLATIONS = """addEventListener("securitypolicyviolation", (event) => {
  console.error(`the policy blocks ${event.violatedDirective}: ${event.blockedURI} ${event.sample}`);
});"""


@pytest.fixture(scope="session")
def site(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """Address of a running platform with an empty database, three house bots and an organiser."""
    home = tmp_path_factory.mktemp("site")
    bind = f"127.0.0.1:{_free_port()}"
    with (home / "stack.log").open("w+") as log, _database("site") as database:
        environment = {
            **_environment(home, database),
            "ARENA_BIND": bind,
            "DJANGO_SUPERUSER_PASSWORD": PASSWORD,
            "ARENA_SANDBOX": os.environ.get("ARENA_SANDBOX", "process"),
            "DJANGO_SETTINGS_MODULE": "league.settings",
        }
        stack = subprocess.Popen(
            [sys.executable, "-c", STACK], cwd=ROOT, env=environment, stdout=log, stderr=subprocess.STDOUT
        )
        try:
            _await(f"http://{bind}/status/", stack, log)
            yield f"http://{bind}"
        finally:
            stack.send_signal(signal.SIGINT)
            stack.wait(30)


class League:
    """A web server without workers, on a database that holds one of everything (`tests.e2e.scene`)."""

    def __init__(self, address: str, subjects: Mapping[str, int | str], sessions: Mapping[str, str]) -> None:
        self.address = address
        self.subjects = subjects
        self.sessions = sessions

    def path(self, place: Place) -> str:
        """Where that page is."""
        arguments = {name: self.subjects.get(str(of), of) for name, of in place.of.items()}
        path = reverse(place.view, kwargs=arguments)
        return f"{path}?{place.query}" if place.query else path

    def cookies(self, who: str) -> list[dict[str, str]]:
        """What the browser of that visitor sends."""
        session = self.sessions.get(who)
        return [{"name": SESSION_COOKIE, "value": session, "url": self.address}] if session else []


@pytest.fixture(scope="session")
def league(tmp_path_factory: pytest.TempPathFactory) -> Iterator[League]:
    home = tmp_path_factory.mktemp("league")
    bind = f"127.0.0.1:{_free_port()}"
    with (home / "server.log").open("w+") as log, _database("league") as database:
        environment = {
            **_environment(home, database),
            "DJANGO_SETTINGS_MODULE": "tests.e2e.settings",
            "PYTHONPATH": f"{ROOT}{os.pathsep}{ROOT / 'platform'}",
        }
        scene = [sys.executable, "-m", "tests.e2e.scene"]
        made = subprocess.run(scene, cwd=ROOT, env=environment, stdout=subprocess.PIPE, check=True)
        command = [sys.executable, "-m", "gunicorn", "league.wsgi", "--bind", bind, "--threads", "4"]
        server = subprocess.Popen(
            [*command, "--no-control-socket"],
            cwd=ROOT,
            env=environment,
            stdout=log,
            stderr=subprocess.STDOUT,
            preexec_fn=die_with_parent(signal.SIGTERM),
        )
        try:
            _await(f"http://{bind}/status/", server, log)
            yield League(f"http://{bind}", **json.loads(made.stdout))
        finally:
            server.terminate()
            server.wait(20)


@pytest.fixture(scope="session")
def visitors(league: League, browser: Browser) -> Iterator[Callable[..., BrowserContext]]:
    """A browser of its own for each kind of visitor, with or without script, kept from test to test."""
    opened: dict[tuple[str, bool], BrowserContext] = {}
    with ExitStack() as stack:

        def visitors(who: str = "visitor", script: bool = True) -> BrowserContext:
            if (who, script) not in opened:
                context = browser.new_context(
                    base_url=league.address,
                    java_script_enabled=script,
                    reduced_motion="reduce",
                    viewport={"width": 1440, "height": 900},
                )
                stack.callback(context.close)
                context.add_init_script(REPORT_VIOLATIONS)
                context.add_cookies(league.cookies(who))
                opened[who, script] = context
            return opened[who, script]

        yield visitors


@pytest.fixture(scope="session")
def tabs() -> Tabs:
    return Tabs()


@pytest.fixture
def visit(league: League, visitors: Callable[..., BrowserContext], tabs: Tabs) -> Iterator[Callable[..., Page]]:
    """Opens a page of the league; none may log an error: a script that fails, or something that the policy blocks."""
    with tabs.lent() as take:

        def visit(place: Place, width: int = 1440, script: bool = True) -> Page:
            page, errors = take(place.who, lambda: visitors(place.who, script), spare=script)
            page.set_viewport_size({"width": width, "height": 900})
            answer = page.goto(league.path(place))
            assert answer is not None
            assert answer.status == place.status, f"{place.name}: {answer.status}"
            if place.status != 200:
                errors[:] = [error for error in errors if "Failed to load resource" not in error]
            if place.press and script:
                page.get_by_label(place.press, exact=True).check(force=True)
            page.evaluate("document.fonts.ready") if script else None
            return page

        yield visit


@pytest.fixture(scope="session")
def browser() -> Iterator[Browser]:
    if not Path(CHROMIUM).exists():
        pytest.fail(f"{CHROMIUM} is missing: apt-get install chromium, or set CHROMIUM to its path")
    with sync_playwright() as playwright:
        started = playwright.chromium.launch(executable_path=CHROMIUM, args=FLAGS)
        yield started
        started.close()


@pytest.fixture
def page(browser: Browser, site: str, tabs: Tabs) -> Iterator[Page]:
    """A page of a visitor who was never there; it may not log an error, as with `visit`."""
    with tabs.lent() as take:
        page = take("site", lambda: browser.new_context(base_url=site)).page
        page.context.set_storage_state({"cookies": [], "origins": []})
        page.set_viewport_size({"width": 1280, "height": 900})
        yield page
        page.emulate_media(reduced_motion="no-preference")


def _environment(home: Path, database: str) -> dict[str, str]:
    """That of this process, with data in that folder and that database; SQLite where it is empty."""
    kept = {name: value for name, value in os.environ.items() if name not in OUTSIDE}
    kept["ARENA_PAGES_KEPT_S"] = "0"  # visitors look at what has just been done
    return {**kept, "ARENA_HOME": str(home), **({"DATABASE_URL": database} if database else {})}


@contextmanager
def _database(name: str) -> Iterator[str]:
    """The URL of a new database on the server of DATABASE_URL; empty where that names none."""
    url = os.environ.get("DATABASE_URL", "")
    if not url.startswith("postgres"):
        yield ""
        return
    found = environ.Env.db_url_config(url)
    name = f"e2e_{name}_{os.getpid()}"
    keys = {"HOST": "host", "PORT": "port", "USER": "user", "PASSWORD": "password", "NAME": "dbname"}
    options = {key: found[setting] for setting, key in keys.items() if found.get(setting)}
    with psycopg.connect(**options, autocommit=True) as connection:
        connection.execute(f'CREATE DATABASE "{name}"')
        try:
            yield f"{url.rpartition('/')[0]}/{name}"
        finally:
            connection.execute(f'DROP DATABASE "{name}" WITH (FORCE)')


def _free_port() -> int:
    with socket.create_server(("127.0.0.1", 0)) as probe:
        return int(probe.getsockname()[1])


def _await(address: str, stack: subprocess.Popen[bytes], log: IO[str]) -> None:
    ends = time.monotonic() + START_S
    while True:
        try:
            with urllib.request.urlopen(address, timeout=5):
                return
        except (URLError, OSError):
            if stack.poll() is not None or time.monotonic() > ends:
                log.seek(0)
                pytest.fail(f"the platform does not come up:\n{log.read()[-4000:]}")
            time.sleep(0.1)
