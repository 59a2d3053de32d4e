"""The rows and the crosstable are kept between readers: whatever they show must be seen as soon as it changes."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from typing import Any

import pytest
from django.core.cache import cache
from django.test import Client
from django.utils import translation

from league.accounts.models import User
from league.bots import services as bots
from league.bots.models import Bot, Version
from league.matches import annulment, disqualification, roster
from league.matches.models import Match
from league.standings import services, views
from league.tournaments import services as tournaments

PlayAll = Callable[..., list[Match]]
Activate = Callable[..., Version]
NAMES = ("Pawn", "Rook", "King")


@pytest.fixture(autouse=True)
def in_english() -> Iterator[None]:
    """Requests leave their language active, which is nothing to other tests."""
    with translation.override("en"):
        yield


@pytest.fixture
def league(activate: Activate, play_all: PlayAll) -> list[Match]:
    for name in NAMES:
        activate(name)
    return play_all()


@pytest.fixture
def made(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """An entry for each time that the crosstable was made."""
    times: list[int] = []
    crosstable = views.crosstable

    def counted(*arguments: Any) -> Any:
        times.append(1)
        return crosstable(*arguments)

    monkeypatch.setattr(views, "crosstable", counted)
    return times


def table(browser: Client, query: str = "", **headers: str) -> str:
    page = browser.get(f"/leaderboard/{query}", headers=headers).content.decode()
    found = re.search(r'<div id="table".*<p class="small muted section">', page, re.DOTALL)
    assert found
    return found[0]


def pawn() -> Bot:
    return Bot.objects.get(name="Pawn")


def rename() -> None:
    bots.rename(pawn(), "Bishop")


def rename_author() -> None:
    User.objects.filter(username="ada").update(username="eve")


def delete() -> None:
    roster.delete(pawn())
    services.refresh_stale()


def disqualify() -> None:
    disqualification.disqualify(tournaments.ladder(), pawn(), "asked others' bots")
    services.refresh_stale()


def annul() -> None:
    annulment.annul(Match.objects.all()[0], "a mistake of ours")
    services.refresh_stale()


def fail() -> None:
    tournaments.ladder().table.delete()


@pytest.mark.parametrize("change", [rename, rename_author, delete, disqualify, annul, fail])
def test_a_change_is_seen_at_once(league: list[Match], client: Client, change: Callable[[], None]) -> None:
    before = table(client)
    change()
    after = table(client)
    assert after != before
    cache.clear()
    assert table(client) == after


def test_a_new_version_and_the_way_back_to_the_old_one_are_seen_at_once(
    league: list[Match], activate: Activate, play_all: PlayAll, client: Client
) -> None:
    first = pawn().versions.get()
    shown = [table(client)]
    activate("Pawn", b"class Bot:\n    def play(self, observation):\n        return ()\n")
    play_all()
    shown.append(table(client))
    roster.roll_back(first)
    services.refresh_stale()
    shown.append(table(client))
    assert len(set(shown)) == 3
    cache.clear()
    assert table(client) == shown[-1]


def test_a_renamed_bot_is_renamed_where_others_are_said_to_be_level_with_it(
    league: list[Match], client: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    Match.objects.update(outcome="draw", points_a=50, points_b=50)
    Match.objects.filter(version_a__bot__name="King").update(outcome="B")
    Match.objects.filter(version_b__bot__name="King").update(outcome="A")
    services.refresh(tournaments.ladder())
    monkeypatch.setattr(views, "PAGE", 1)
    page_of_rook = table(client, "?page=2")
    assert 'level with <span class="name">Pawn</span>' in page_of_rook
    bots.rename(pawn(), "Knight")
    assert 'level with <span class="name">Knight</span>' in table(client, "?page=2")


def test_readers_share_what_is_the_same_for_all(
    league: list[Match], people: dict[str, Client], made: list[int]
) -> None:
    for kind in ("anonymous", "other", "staff", "anonymous"):
        assert "is-mine" not in table(people[kind])
    assert len(made) == 1


def test_nobody_sees_anothers_bots_marked_as_his(league: list[Match], people: dict[str, Client]) -> None:
    for kind in ("anonymous", "owner", "other", "owner", "anonymous"):
        assert ("is-mine" in table(people[kind])) == (kind == "owner")


def test_each_address_and_language_has_its_own(league: list[Match], client: Client, made: list[int]) -> None:
    queries = ("", "?sort=bot", "?sort=-bot", "?q=ada", "?q=pawn", "?q=ada&sort=bot")
    shown = [table(client, query, **{"Accept-Language": code}) for query in queries for code in ("en", "ru")]
    assert len(set(shown)) == len(made) == 12
    assert [table(client, query, **{"Accept-Language": code}) for query in queries for code in ("en", "ru")] == shown
    assert len(made) == 12


def test_a_page_that_refreshes_itself_shares_it_too(league: list[Match], client: Client, made: list[int]) -> None:
    table(client)
    for seen in ("1", "2"):
        assert "Head to head" in client.get("/leaderboard/", {"seen": seen}, headers={"HX-Request": "true"}).text
    assert len(made) == 1
