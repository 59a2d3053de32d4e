from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import pytest
from django.utils import translation
from redis.exceptions import ConnectionError as NoRedis
from redis.exceptions import OutOfMemoryError

from league import kept, release


class Maker:
    """Makes the same part each time, and counts."""

    def __init__(self) -> None:
        self.times = 0

    def __call__(self) -> str:
        self.times += 1
        return "<b>Königin</b>"


@pytest.fixture
def maker() -> Maker:
    return Maker()


def test_a_part_is_made_once_for_what_it_shows(maker: Maker) -> None:
    assert [str(kept.part("a", (1, "x"), maker)) for _ in range(3)] == ["<b>Königin</b>"] * 3
    assert maker.times == 1


@pytest.mark.parametrize(
    ("name", "shows"), [("b", (1, "x")), ("a", (2, "x")), ("a", ("1", "x")), ("a", (1, "x", None))]
)
def test_whatever_else_it_shows_makes_another_part(maker: Maker, name: str, shows: tuple[object, ...]) -> None:
    kept.part("a", (1, "x"), maker)
    kept.part(name, shows, maker)
    assert maker.times == 2


def test_each_language_and_each_release_has_its_own(maker: Maker, monkeypatch: pytest.MonkeyPatch) -> None:
    for language in ("en", "ru"):
        with translation.override(language):
            kept.part("a", (), maker)
    assert maker.times == 2
    monkeypatch.setattr(release, "fingerprint", lambda: "the next")
    kept.part("a", (), maker)
    assert maker.times == 3


def test_while_the_cache_is_away_parts_are_made_anew(
    maker: Maker, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    def refused(*_: Any, **__: Any) -> None:
        raise NoRedis("connection refused")

    monkeypatch.setattr(kept, "cache", SimpleNamespace(get=refused))
    assert [str(kept.part("a", (), maker)) for _ in range(2)] == ["<b>Königin</b>"] * 2
    assert maker.times == 2
    assert "the cache is away, pages are made anew" in caplog.text


def test_a_full_cache_is_no_fault_of_the_page(maker: Maker, monkeypatch: pytest.MonkeyPatch) -> None:
    def full(*_: Any, **__: Any) -> None:
        raise OutOfMemoryError("command not allowed when used memory > 'maxmemory'")

    monkeypatch.setattr(kept, "cache", SimpleNamespace(get=lambda _key: None, set=full))
    assert kept.part("a", (), maker) == "<b>Königin</b>"
    assert maker.times == 1
