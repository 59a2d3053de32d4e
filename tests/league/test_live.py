from __future__ import annotations

import gzip
import re
from collections.abc import Callable, Iterator
from types import SimpleNamespace
from typing import Any

import pytest
from django.core.cache import cache
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.utils import translation
from pytest_django import Settings
from redis.exceptions import ConnectionError as NoRedis

from league import kept
from league.bots.models import Bot
from league.matches.models import Match

PAGES = "/", "/leaderboard/", "/leaderboard/?sort=bot", "/matches/"
FRAGMENTS = "/", "/leaderboard/"
HTMX = {"HX-Request": "true"}

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def kept_pages(settings: Settings) -> Iterator[None]:
    """Pages are kept for longer than any of these tests takes."""
    settings.PAGES_KEPT_S = 600
    with translation.override("en"):
        yield


@pytest.fixture
def match(queued: Match, play_all: Callable[..., list[Match]]) -> Match:
    return play_all()[0]


def rename(match: Match) -> None:
    Bot.objects.filter(pk=match.version_a.bot_id).update(name="Renamed")


@pytest.mark.parametrize("path", PAGES)
def test_all_visitors_get_the_page_that_was_made_for_one(match: Match, path: str) -> None:
    first = Client().get(path)
    rename(match)
    with CaptureQueriesContext(connection) as queries:
        second = Client().get(path)
    assert second.content == first.content
    assert "Renamed" not in second.text
    assert not queries.captured_queries
    cache.clear()
    assert "Renamed" in Client().get(path).text


@pytest.mark.parametrize("path", PAGES)
def test_whoever_is_logged_in_sees_at_once_what_he_did(match: Match, people: dict[str, Client], path: str) -> None:
    people["anonymous"].get(path)
    rename(match)
    mine = people["other"].get(path)
    assert "Renamed" in mine.text
    assert "ETag" not in mine
    cache.clear()
    people["other"].get(path)
    assert "csrfmiddlewaretoken" not in people["anonymous"].get(path).text, "a page of his went to visitors"


def test_each_address_language_and_part_has_its_own(match: Match, client: Client) -> None:
    pages = [
        client.get(path, headers=headers).text
        for path in ("/leaderboard/", "/leaderboard/?sort=bot")
        for headers in ({}, {"Accept-Language": "ru"}, HTMX)
    ]
    assert len(set(pages)) == len(pages)


@pytest.mark.parametrize("path", PAGES)
def test_a_browser_that_has_the_page_is_told_so(match: Match, path: str) -> None:
    first = Client().get(path)
    same = Client().get(path, headers={"If-None-Match": first["ETag"]})
    assert (same.status_code, same.content) == (304, b"")
    assert (same["ETag"], same["Cache-Control"]) == (first["ETag"], "private, no-cache")
    assert {"Cookie", "Accept-Language"} <= set(same["Vary"].split(", "))


@pytest.mark.parametrize("path", FRAGMENTS)
def test_what_htmx_has_seen_is_not_sent_until_it_changes(match: Match, client: Client, path: str) -> None:
    (seen,) = re.findall(r'hx-get="([^"]*seen=[^"]*)"', client.get(path).text)
    address = seen if seen.startswith("/") else f"{path}{seen}"
    assert client.get(address, headers=HTMX).status_code == 204
    assert client.get(address, headers=HTMX).status_code == 204
    other = client.get(re.sub("seen=[^&]*", "seen=other", address), headers=HTMX)
    assert (other.status_code, "<html" in other.text) == (200, False)


@pytest.mark.parametrize("path", PAGES)
def test_it_comes_packed_or_plain(match: Match, path: str) -> None:
    plain = Client().get(path)
    packed = Client().get(path, headers={"Accept-Encoding": "br, gzip"})
    assert not plain.has_header("Content-Encoding")
    assert packed["Content-Encoding"] == "gzip"
    assert gzip.decompress(packed.content) == plain.content
    assert "Accept-Encoding" in plain["Vary"]
    assert "Accept-Encoding" in packed["Vary"]


def test_what_is_wrong_is_not_kept(match: Match, client: Client) -> None:
    assert client.get("/matches/?bot=Renamed").status_code == 404
    rename(match)
    assert client.get("/matches/?bot=Renamed").status_code == 200
    assert client.get("/leaderboard/?page=0").status_code == 400


def test_while_the_cache_is_away_pages_are_made_anew(match: Match, monkeypatch: pytest.MonkeyPatch) -> None:
    def refused(*_: Any, **__: Any) -> None:
        raise NoRedis("connection refused")

    monkeypatch.setattr(kept, "cache", SimpleNamespace(get=refused, set=refused))
    assert Client().get("/matches/").status_code == 200
    rename(match)
    assert "Renamed" in Client().get("/matches/").text


def test_nothing_is_kept_where_that_is_switched_off(match: Match, client: Client, settings: Settings) -> None:
    settings.PAGES_KEPT_S = 0
    client.get("/matches/")
    rename(match)
    assert "Renamed" in client.get("/matches/").text


def test_visitors_get_no_cookie_and_choose_their_language_without_a_token(match: Match) -> None:
    browser = Client(enforce_csrf_checks=True)
    for path in (*PAGES, f"/matches/{match.pk}/", f"/matches/{match.pk}/games/1/"):
        page = browser.get(path)
        assert not page.cookies, path
        assert "csrfmiddlewaretoken" not in page.text, path
    assert browser.post("/language/", {"language": "ru"}).status_code == 302
    assert 'lang="ru"' in browser.get("/matches/").text
