"""Goes the whole way through a running arena as a visitor would, and leaves it again: `make smoke`.

It says each step, and ends with 1 and the reason at the first that fails; its account and bot then stay to be seen.
"""

from __future__ import annotations

import argparse
import os
import re
import secrets
import sys
import time
from collections.abc import Callable, Sequence
from html import unescape
from pathlib import Path
from typing import Any, TypeVar

import httpx

from arena import replay
from arena.bots import HOUSE

EXAMPLE = Path(__file__).parents[1] / "platform/league/templates/bots/example_bot.txt"
LOCAL = "http://127.0.0.1:8000"
PATIENCE_S = 300.0
PAUSE_S = 1.0
TIMEOUT_S = 30.0
LONGEST_REASON = 300
T = TypeVar("T")


class Stumble(Exception):  # noqa: N818
    """A step failed; the text says which, and what was seen."""


class Visitor:
    """Somebody who fills in forms, and asks the API once he has a token."""

    def __init__(self, client: httpx.Client, patience_s: float) -> None:
        self.client = client
        self.name = f"smoke-{secrets.token_hex(4)}"
        """Of the account, and of its bot."""
        self.password = secrets.token_urlsafe(16)
        self._patience_s = patience_s
        self._token = ""

    def page(self, path: str) -> httpx.Response:
        return _well(self.client.get(path, follow_redirects=True))

    def send(self, path: str, fields: dict[str, Any], file: bytes | None = None) -> httpx.Response:
        """The page that the form at that path leads to."""
        form = self.page(path)
        token = re.search(r'name="csrfmiddlewaretoken" value="(\w+)"', form.text)
        if not token:
            raise Stumble(f"expected a form at {form.url}, found none")
        files = {"file": ("bot.py", file)} if file is not None else None
        sent = {**fields, "csrfmiddlewaretoken": token[1]}
        headers = {"Referer": str(form.url)}
        return _well(self.client.post(form.url, data=sent, files=files, headers=headers, follow_redirects=True))

    def sign_up(self) -> None:
        """Make an account, and a token for it."""
        self.send("/accounts/signup/", {"username": self.name, "password1": self.password, "password2": self.password})
        made = self.send("/accounts/tokens/", {"name": "smoke", "scopes": "logs", "days": "30"})
        shown = re.search(r'class="made".*?<code>(\S+?)</code>', made.text, re.DOTALL)
        if not shown:
            raise Stumble(f"expected a new token at {made.url}, found none")
        self._token = unescape(shown[1])

    def leave(self) -> None:
        """Close the account, and with it delete the bot."""
        self.send("/accounts/close/", {"password": self.password})
        self._token = ""

    def ask(self, path: str, **parameters: Any) -> Any:
        """What the API tells at that path."""
        headers = {"Authorization": f"Bearer {self._token}"} if self._token else {}
        return _well(self.client.get(f"/api/v1{path}", params=parameters, headers=headers)).json()

    def wait(self, what: str, look: Callable[[], T | None]) -> T:
        """What `look` finds, as soon as it finds it; `what` says what is waited for."""
        ends = time.monotonic() + self._patience_s
        while (found := look()) is None:
            if time.monotonic() >= ends:
                raise Stumble(f"{what}: not within {self._patience_s:g} s; see /queue/, /status/ and the worker's log")
            time.sleep(PAUSE_S)
        return found


def go(visitor: Visitor) -> None:
    """Every step, in order.

    Raises:
        Stumble, httpx.HTTPError: one failed.
    """
    say(f"the site answers, {fetch_a_style_sheet(visitor)} comes compressed and may be kept")
    visitor.sign_up()
    say(f"signed up as {visitor.ask('/me')['name']}, who has a token")
    version = upload(visitor)
    say(f"uploaded a bot, version {version} of all")
    bot = await_check(visitor, version)
    say("it passed its check")
    matches = await_house(visitor)
    say(f"it has played all {len(matches)} house bots")
    place = await_place(visitor, bot, len(matches))
    say(
        f"the leaderboard has it at {place['rank']}, with {place['match_points']} points from {place['played']} matches"
    )
    points = rerun(visitor, matches[0])
    say(f"match {matches[0]} can be watched, and comes to {points} when it is played again")
    visitor.leave()
    if visitor.ask(f"/bots/{bot}")["deleted_at"] is None:
        raise Stumble(f"the account is closed, but its bot {bot} is not deleted")
    say("the bot and its account are gone again; all is well")


def fetch_a_style_sheet(visitor: Visitor) -> str:
    """The address of the first one of the home page, served as whoever made it for the public wants it."""
    linked = re.search(r'<link rel="stylesheet" href="([^"]+\.[0-9a-f]{12}\.css)"', visitor.page("/").text)
    if not linked:
        raise Stumble("expected a style sheet with a hashed name on the home page: was collectstatic run?")
    headers = visitor.page(linked[1]).headers
    if "immutable" not in headers.get("Cache-Control", "") or "Content-Encoding" not in headers:
        raise Stumble(f"expected {linked[1]} compressed and immutable, got {dict(headers)}")
    return linked[1]


def upload(visitor: Visitor) -> int:
    """The number of the version that the form made of the example bot."""
    made = visitor.send("/bots/submit/", {"name": visitor.name, "how": "file"}, EXAMPLE.read_bytes())
    shown = re.search(r"/bots/versions/(\d+)/$", str(made.url))
    if not shown:
        raise Stumble(f"expected the page of a version after the upload, got {made.url}")
    return int(shown[1])


def await_check(visitor: Visitor, version: int) -> int:
    """The number of the bot, once that version plays."""

    def look() -> Any:
        told = visitor.ask(f"/versions/{version}")
        return None if told["status"] == "checking" else told

    told = visitor.wait("the check of the upload", look)
    if told["status"] != "active":
        raise Stumble(f"expected the example bot to pass its check, got {told['status']}: {told['report']}")
    return int(told["bot"]["id"])


def await_house(visitor: Visitor) -> list[int]:
    """The bot's matches against all house bots that play, once each is played to its end."""
    house = {bot["name"] for bot in visitor.ask("/bots", author="house", state="playing", limit=200)["bots"]}
    if not house:
        raise Stumble(f"expected the house bots {', '.join(HOUSE)} to play, found none: was upload_house_bots run?")
    found: dict[str, int] = {}

    def look() -> list[int] | None:
        cursor = ""
        while cursor is not None and len(found) < len(house):
            told = visitor.ask("/matches", author=visitor.name, tournament="ladder", limit=200, cursor=cursor)
            cursor = told["next"]
            for match in told["matches"]:
                other = next(name for side in "ab" if (name := match[side]["version"]["bot"]["name"]) != visitor.name)
                if other in house:
                    _refuse_broken(match)
                    found[other] = match["id"]
        return list(found.values()) if len(found) == len(house) else None

    return visitor.wait("the matches against the house bots", look)


def await_place(visitor: Visitor, bot: int, played: int) -> Any:
    """The bot's place on the open ladder, once that counts so many matches and the page of the table has it."""

    def look() -> Any:
        place = visitor.ask(f"/bots/{bot}")["place"]
        return place if place and place["rank"] and place["played"] >= played else None

    place = visitor.wait("its results in the table", look)
    if f"/bots/{bot}/" not in visitor.page(f"/leaderboard/?q={visitor.name}").text:
        raise Stumble(f"expected bot {bot} at /leaderboard/?q={visitor.name}, found others")
    return place


def rerun(visitor: Visitor, match: int) -> str:
    """The points of a match whose record keeps to the rules, and whose last game has its page."""
    told = visitor.ask(f"/matches/{match}/replay")
    try:
        record = replay.from_dict(told)
        replay.verify(record)
    except replay.ReplayError as error:
        raise Stumble(f"match {match}: {error}") from None
    visitor.page(f"/matches/{match}/games/{len(record.games)}/")
    return " : ".join(map(str, record.points))


def say(words: str) -> None:
    print(f"smoke: {words}", flush=True)


def _refuse_broken(match: dict[str, Any]) -> None:
    if match["termination"] != "completed":
        raise Stumble(f"match {match['id']} was not played to its end: {match['reason'] or match['status']}")


def _well(response: httpx.Response) -> httpx.Response:
    """The response, if it is what was asked for.

    Raises:
        Stumble: it is not; with what the page or the API says.
    """
    if response.is_success:
        return response
    said = re.findall(r'class="error"[^>]*>(.*?)</ul>', response.text, re.DOTALL) or [response.text]
    words = " ".join(unescape(re.sub(r"<[^>]*>", " ", " ".join(said))).split())
    request = response.request
    raise Stumble(f"{request.method} {request.url}: {response.status_code}: {words[:LONGEST_REASON]}")


def main(arguments: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(prog="smoke", description=__doc__)
    url = os.environ.get("ARENA_URL") or LOCAL
    parser.add_argument("url", nargs="?", default=url, help="the site (default: ARENA_URL, or %(default)s)")
    parser.add_argument("--patience", type=float, default=PATIENCE_S, help="seconds to wait for a step (%(default)g)")
    parsed = parser.parse_args(arguments)
    try:
        with httpx.Client(base_url=parsed.url, timeout=TIMEOUT_S) as client:
            go(Visitor(client, parsed.patience))
    except (Stumble, httpx.HTTPError, httpx.InvalidURL) as error:
        print(f"smoke: {parsed.url} failed: {error}", file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
