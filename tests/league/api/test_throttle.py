from __future__ import annotations

import logging
import re
from collections.abc import Callable
from typing import Any

import pytest
from django.core.cache import cache
from django.test import Client
from pytest_django import Settings
from redis.exceptions import ConnectionError as NoRedis

from league import throttle
from league.accounts.models import User
from tests.league.api.programs import Program


@pytest.fixture(autouse=True)
def noon(monkeypatch: pytest.MonkeyPatch) -> list[float]:
    """The time, 18.5 s into a minute; a test may change it."""
    now = [60_000_018.5]
    monkeypatch.setattr(throttle.time, "time", lambda: now[0])
    return now


def test_who_asks_too_often_is_told_when_to_come_again(
    settings: Settings, public: Program, db: None, noon: list[float]
) -> None:
    settings.API_ANONYMOUS_PER_MINUTE = 3
    assert [public.get("/queue").status for _ in range(4)] == [200, 200, 200, 429]
    told = public.get("/queue")
    assert told.json["code"] == "throttled"
    assert told.headers["Retry-After"] == "42"
    noon[0] += 42
    assert public.get("/queue").status == 200


def test_all_tokens_of_a_user_count_together_and_other_users_apart(
    settings: Settings, program: Callable[..., Program], db: None
) -> None:
    settings.API_USER_PER_MINUTE = 2
    one, another, other = program(), program(), program(User.objects.create_user("eve"))
    assert [each.get("/me").status for each in (one, another, one, other)] == [200, 200, 429, 200]


def test_requests_without_a_valid_token_count_for_their_address(settings: Settings, db: None) -> None:
    settings.API_ANONYMOUS_PER_MINUTE = 2
    statuses = [Program(token).get("/me").status for token in ("", "arena_guess", "arena_other", "")]
    assert statuses == [401, 401, 429, 429]


def asks(**headers: str) -> int:
    return Client().get("/api/v1/queue", headers=headers, REMOTE_ADDR="10.0.0.1").status_code


def test_behind_a_proxy_visitors_are_told_apart_by_what_it_adds(settings: Settings, db: None) -> None:
    settings.API_ANONYMOUS_PER_MINUTE = 1
    settings.PROXIES = 1
    assert asks(**{"X-Forwarded-For": "192.0.2.1"}) == 200
    assert asks(**{"X-Forwarded-For": "192.0.2.2"}) == 200
    assert asks(**{"X-Forwarded-For": "203.0.113.9, 192.0.2.1"}) == 429, (
        "what the visitor says himself counts for nothing"
    )
    settings.PROXIES = 0
    assert asks(**{"X-Forwarded-For": "192.0.2.3"}) == 200
    assert asks(**{"X-Forwarded-For": "192.0.2.4"}) == 429


@pytest.mark.parametrize(
    ("one", "other", "same"),
    [
        ("2001:db8:1:2::1", "2001:db8:1:2:ffff::9", True),
        ("2001:db8:1:2::1", "2001:db8:1:3::1", False),
        ("::ffff:192.0.2.1", "192.0.2.1", True),
        ("192.0.2.1", "192.0.2.2", False),
        ("not an address", "", True),
    ],
)
def test_an_address_stands_for_who_has_it(settings: Settings, db: None, one: str, other: str, same: bool) -> None:
    settings.API_ANONYMOUS_PER_MINUTE = 1
    statuses = [Client().get("/api/v1/queue", REMOTE_ADDR=each).status_code for each in (one, other)]
    assert statuses == [200, 429 if same else 200]


def test_without_the_cache_nobody_is_kept_out(
    settings: Settings, public: Program, db: None, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    def away(*_: Any, **__: Any) -> None:
        raise NoRedis("connection refused")

    settings.API_ANONYMOUS_PER_MINUTE = 0
    monkeypatch.setattr(type(cache._connections["default"]), "add", away)
    with caplog.at_level(logging.WARNING):
        assert public.get("/queue").status == 200
    assert re.search("the cache is away, requests are not counted: connection refused", caplog.text)


def test_the_cache_of_the_site_is_known_at_once_to_be_away(settings: Settings, public: Program, db: None) -> None:
    from league import settings as site

    nowhere = {**site.CACHES["default"], "LOCATION": f"unix://{settings.STATIC_ROOT}/none.sock"}
    settings.CACHES = {"default": nowhere}
    settings.API_ANONYMOUS_PER_MINUTE = 0
    assert public.get("/queue").status == 200
