from __future__ import annotations

import re
from collections.abc import Callable

import pytest
from django.test import Client
from pytest_django import DjangoAssertNumQueries

from league.accounts.models import User
from league.bots.models import Version
from league.matches.models import Match
from league.standings import services
from league.standings.models import Standing, Table
from league.tournaments import services as tournaments

PlayAll = Callable[..., list[Match]]
Activate = Callable[..., Version]


def names(page: str) -> list[str]:
    return re.findall(r'<th scope="row"><a class="row-link name" href="[^"]+">([^<]+)</a>', page)


def test_the_table_is_in_the_order_of_ranks(activate: Activate, play_all: PlayAll, client: Client) -> None:
    for name in ("Pawn", "Rook", "King", "Queen"):
        activate(name)
    play_all()
    page = client.get("/leaderboard/").content.decode()
    ranked = Standing.objects.order_by("rank", "version__bot__name")
    assert names(page) == [row.version.bot.name for row in ranked.select_related("version__bot")]
    assert "All 6 pairs have been played." in page
    assert 'hx-trigger="every 15s"' in page


def test_bots_that_have_not_played_come_last_without_a_rank(
    activate: Activate, play_all: PlayAll, client: Client
) -> None:
    activate("Pawn")
    activate("Rook")
    play_all()
    activate("Abbot")
    services.refresh(tournaments.ladder())
    page = client.get("/leaderboard/").content.decode()
    assert names(page)[-1] == "Abbot"
    assert '<td class="rank">–</td>' in page
    assert "1 of 3 pairs played (33 %)" in page


def test_the_table_refreshes_itself_more_often_while_results_are_on_their_way(
    activate: Activate, client: Client
) -> None:
    activate("Pawn")
    activate("Rook")
    services.refresh(tournaments.ladder())
    page = client.get("/leaderboard/").content.decode()
    assert 'hx-get="/leaderboard/" hx-trigger="every 3s"' in page
    answer = client.get("/leaderboard/", headers={"HX-Request": "true"})
    assert "<html" not in answer.content.decode()
    assert "HX-Request" in answer["Vary"]


def test_ranks_go_on_over_pages(
    activate: Activate, play_all: PlayAll, client: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("league.standings.views.PAGE", 2)
    for name in ("Pawn", "Rook", "King"):
        activate(name)
    play_all()
    first = client.get("/leaderboard/").content.decode()
    second = client.get("/leaderboard/?page=2").content.decode()
    ranks = re.findall(r'<td class="rank">(\d+)</td>', first + second)
    assert ranks == ["1", "2", "3"]
    assert client.get("/leaderboard/?page=3").status_code == 404


@pytest.mark.django_db
@pytest.mark.parametrize("page", ["abc", "0", "-1"])
def test_a_wrong_page_is_named(client: Client, page: str) -> None:
    answer = client.get("/leaderboard/", {"page": page})
    assert answer.status_code == 400
    assert "page: expected a whole number" in answer.content.decode()


@pytest.mark.django_db
def test_an_empty_table_says_what_to_do(client: Client) -> None:
    page = client.get("/leaderboard/").content.decode()
    assert "No bot is active yet." in page


def test_a_table_that_could_not_be_computed_says_so_and_stays(
    activate: Activate, play_all: PlayAll, client: Client
) -> None:
    activate("Pawn")
    activate("Rook")
    play_all()
    Table.objects.update(error="ValueError: a poisoned row")
    page = client.get("/leaderboard/").content.decode()
    assert "This is the last good one." in page
    assert len(names(page)) == 2
    assert "poisoned" not in page


def test_ones_own_bots_are_marked(
    activate: Activate, play_all: PlayAll, people: dict[str, Client], author: User
) -> None:
    activate("Pawn")
    activate("Rook", owner=User.objects.get(username="bob"))
    play_all()
    assert people["owner"].get("/leaderboard/").content.decode().count("is-mine") == 1
    assert people["anonymous"].get("/leaderboard/").content.decode().count("is-mine") == 0


def test_the_page_takes_the_same_few_queries_however_many_rows(
    activate: Activate, play_all: PlayAll, client: Client, django_assert_max_num_queries: DjangoAssertNumQueries
) -> None:
    for name in ("Pawn", "Rook", "King", "Queen", "Bishop"):
        activate(name)
    play_all()
    with django_assert_max_num_queries(6):
        client.get("/leaderboard/")
