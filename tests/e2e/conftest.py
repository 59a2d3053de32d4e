"""The whole platform in processes of its own, as `make run` starts it, and a browser in front of it."""

from __future__ import annotations

import os
import signal
import socket
import subprocess
import sys
import time
import urllib.request
from collections.abc import Iterator
from pathlib import Path
from typing import IO
from urllib.error import URLError

import pytest
from playwright.sync_api import Browser, BrowserContext, Page, sync_playwright

ROOT = Path(__file__).parents[2]
CHROMIUM = os.environ.get("CHROMIUM", "/usr/bin/chromium")
FLAGS = [
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
]
HOUSE = ("passer", "random", "longest")
STACK = f"""
import sys
from arena import bots
bots.HOUSE = {HOUSE!r}  # the quick ones
from django.core.management import execute_from_command_line
execute_from_command_line(["manage.py", "stack"])
"""
OUTSIDE = ("DATABASE_URL", "REDIS_URL")
START_S = 60


@pytest.fixture(scope="session")
def site(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """Address of a running platform with an empty database and three house bots."""
    home = tmp_path_factory.mktemp("site")
    bind = f"127.0.0.1:{_free_port()}"
    environment = {
        **{name: value for name, value in os.environ.items() if name not in OUTSIDE},
        "ARENA_HOME": str(home),
        "ARENA_BIND": bind,
        "ARENA_SANDBOX": os.environ.get("ARENA_SANDBOX", "process"),
        "DJANGO_SETTINGS_MODULE": "league.settings",
    }
    with (home / "stack.log").open("w+") as log:
        stack = subprocess.Popen(
            [sys.executable, "-c", STACK], cwd=ROOT, env=environment, stdout=log, stderr=subprocess.STDOUT
        )
        try:
            _await(f"http://{bind}/status/", stack, log)
            yield f"http://{bind}"
        finally:
            stack.send_signal(signal.SIGINT)
            stack.wait(30)


@pytest.fixture(scope="session")
def browser() -> Iterator[Browser]:
    if not Path(CHROMIUM).exists():
        pytest.fail(f"{CHROMIUM} is missing: apt-get install chromium, or set CHROMIUM to its path")
    with sync_playwright() as playwright:
        started = playwright.chromium.launch(executable_path=CHROMIUM, args=FLAGS)
        yield started
        started.close()


@pytest.fixture
def context(browser: Browser, site: str) -> Iterator[BrowserContext]:
    opened = browser.new_context(base_url=site, viewport={"width": 1280, "height": 900})
    yield opened
    opened.close()


@pytest.fixture
def page(context: BrowserContext) -> Iterator[Page]:
    """A page that may not log an error: a script that fails, or something that the policy blocks."""
    errors: list[str] = []
    opened = context.new_page()
    opened.on("pageerror", lambda error: errors.append(str(error)))
    opened.on("console", lambda message: errors.append(message.text) if message.type == "error" else None)
    yield opened
    assert not errors


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
