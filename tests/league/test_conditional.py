from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import pytest
from django.contrib.messages import SUCCESS
from django.contrib.messages.storage.base import Message
from django.contrib.messages.storage.cookie import CookieStorage
from django.db import connection
from django.test import Client, RequestFactory
from django.test.utils import CaptureQueriesContext
from django.utils import translation

from league import release
from league.bots.models import Bot
from league.matches import annulment
from league.matches.models import Attempt, Match, Replay

PlayAll = Callable[..., list[Match]]
PAGES = (
    "/",
    "/leaderboard/",
    "/matches/",
    "/rules/",
    "/matches/{}/",
    "/matches/{}/games/1/",
    "/matches/{}/games/2/?see=A",
)


@pytest.fixture(autouse=True)
def in_english() -> Iterator[None]:
    """Requests leave their language active, which is nothing to other tests."""
    with translation.override("en"):
        yield


@pytest.fixture
def match(queued: Match, play_all: PlayAll) -> Match:
    return play_all()[0]


def again(browser: Client, path: str, etag: str, **headers: str) -> Any:
    return browser.get(path, headers={"If-None-Match": etag, **headers})


def test_a_page_that_a_browser_has_is_not_sent_again(match: Match, client: Client, subtests: Any) -> None:
    for page in PAGES:
        with subtests.test(page):
            path = page.format(match.pk)
            first = client.get(path)
            assert first["Cache-Control"] == "private, no-cache"
            same = again(client, path, first["ETag"])
            assert (same.status_code, same.content) == (304, b"")
            assert (same["ETag"], same["Cache-Control"]) == (first["ETag"], first["Cache-Control"])
            assert {"Cookie", "Accept-Language"} <= set(same["Vary"].split(", "))


def test_it_is_sent_to_whoever_has_another_one(match: Match, people: dict[str, Client], subtests: Any) -> None:
    client = people["anonymous"]
    tags = {page.format(match.pk): client.get(page.format(match.pk))["ETag"] for page in PAGES}
    for path, etag in tags.items():
        with subtests.test(path):
            assert again(client, path, etag, **{"Accept-Language": "ru"}).status_code == 200
            assert again(Client(), path, etag).status_code == 304, "visitors see the same"
            logged_in = again(people["other"], path, etag)
            assert logged_in.status_code == 200
            assert "ETag" not in logged_in
    Bot.objects.filter(pk=match.version_a.bot_id).update(name="Renamed")
    for path, etag in tags.items():
        with subtests.test(path):
            assert path == "/rules/" or "Renamed" in again(client, path, etag).text


@pytest.mark.parametrize("page", ["/matches/{}/", "/matches/{}/games/1/"])
def test_another_release_may_make_other_pages(
    match: Match, client: Client, page: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = page.format(match.pk)
    etag = client.get(path)["ETag"]
    monkeypatch.setattr(release, "fingerprint", lambda: "the next")
    assert again(client, path, etag).status_code == 200


@pytest.mark.parametrize("page", ["/matches/{}/", "/matches/{}/games/1/"])
def test_that_a_replay_is_as_it_was_takes_one_query(match: Match, client: Client, page: str) -> None:
    path = page.format(match.pk)
    etag = client.get(path)["ETag"]
    with CaptureQueriesContext(connection) as queries:
        assert again(client, path, etag).status_code == 304
    assert len(queries) == 1


def test_a_record_that_was_exchanged_is_sent_anew(match: Match, client: Client) -> None:
    pages = {path: client.get(path)["ETag"] for path in (f"/matches/{match.pk}/", f"/matches/{match.pk}/games/1/")}
    Replay.objects.update(sha256="f" * 64)
    assert [again(client, path, etag).status_code for path, etag in pages.items()] == [200, 200]


def test_an_annulled_match_is_sent_anew(match: Match, client: Client) -> None:
    path = f"/matches/{match.pk}/"
    etag = client.get(path)["ETag"]
    annulment.annul(match, "a mistake of ours")
    assert "a mistake of ours" in again(client, path, etag).text


def test_a_match_that_goes_on_or_says_how_long_ago_is_kept_by_nobody(queued: Match, client: Client) -> None:
    path = f"/matches/{queued.pk}/"
    assert "no-store" in client.get(path)["Cache-Control"]
    Attempt.objects.create(match=queued, number=1, worker="w", started_at=queued.created_at, fault="no engine")
    Match.objects.update(status="failed", attempt=2, finished_at=queued.created_at)
    answer = client.get(path)
    assert "no-store" in answer["Cache-Control"]
    assert "ETag" not in answer


def test_a_page_whose_record_is_damaged_is_kept_by_nobody(match: Match, client: Client) -> None:
    Replay.objects.update(data=b"not a record")
    for path in (f"/matches/{match.pk}/", f"/matches/{match.pk}/games/1/"):
        assert "ETag" not in client.get(path)


@pytest.mark.parametrize("page", ["/leaderboard/", "/matches/{}/"])
def test_what_was_to_be_said_once_is_not_kept(match: Match, people: dict[str, Client], page: str) -> None:
    path = page.format(match.pk)
    browser = people["anonymous"]
    quiet = browser.get(path)["ETag"]
    said = CookieStorage(RequestFactory().get("/"))
    browser.cookies[CookieStorage.cookie_name] = said._encode([Message(SUCCESS, "Said once.")])
    told = again(browser, path, quiet)
    assert told.status_code == 200
    assert "Said once." in told.text
    assert again(browser, path, quiet).status_code == 304


def test_a_refreshed_part_is_told_from_its_page(match: Match, client: Client) -> None:
    page = client.get("/leaderboard/")
    part = client.get("/leaderboard/", headers={"HX-Request": "true"})
    assert part["ETag"] != page["ETag"]
    assert "HX-Request" in page["Vary"]
    assert "HX-Request" in again(client, "/leaderboard/", part["ETag"], **{"HX-Request": "true"})["Vary"]


@pytest.mark.django_db
@pytest.mark.parametrize("path", ["/accounts/login/", "/status/", "/queue/", "/nowhere/"])
def test_what_may_not_be_kept_has_no_tag(client: Client, path: str) -> None:
    assert "ETag" not in client.get(path)
