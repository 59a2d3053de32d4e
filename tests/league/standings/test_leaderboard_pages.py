from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

import pytest
from django.test import Client
from pytest_django import DjangoAssertNumQueries

from league.accounts.models import User
from league.bots.models import Version
from league.matches.models import Match
from league.standings import listing, services
from league.standings.models import Standing, Table
from league.tournaments import services as tournaments

PlayAll = Callable[..., list[Match]]
Activate = Callable[..., Version]


HTMX = {"HX-Request": "true"}
KEYS: dict[str, Callable[[Standing], Any]] = {
    "rank": lambda row: row.rank,
    "bot": lambda row: row.version.bot.name.lower(),
    "author": lambda row: row.version.bot.owner.username,
    "points": lambda row: row.match_points,
    "rating": lambda row: row.elo,
    "won": lambda row: row.won,
    "drawn": lambda row: row.drawn,
    "lost": lambda row: row.lost,
    "for": lambda row: row.points_for / row.played,
    "against": lambda row: row.points_against / row.played,
    "played": lambda row: row.played,
    "faults": lambda row: row.faults,
}


def state_of(page: str) -> str:
    found = re.search(r'hx-get="\?(?:\S*&amp;)?seen=([^"&]+)"', page)
    assert found
    return found[1]


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


def test_bots_that_have_not_played_stand_apart_without_a_rank(
    activate: Activate, play_all: PlayAll, client: Client
) -> None:
    activate("Pawn")
    activate("Rook")
    play_all()
    activate("Abbot")
    services.refresh(tournaments.ladder())
    page = client.get("/leaderboard/").content.decode()
    assert sorted(names(page)) == ["Pawn", "Rook"]
    assert ">Abbot</a>" in page[page.index("Not ranked yet") :]
    assert "1 of 3 pairs played (33 %)" in page


def test_the_table_refreshes_itself_more_often_while_results_are_on_their_way(
    activate: Activate, client: Client
) -> None:
    activate("Pawn")
    activate("Rook")
    services.refresh(tournaments.ladder())
    page = client.get("/leaderboard/").content.decode()
    assert re.search(r'hx-get="\?seen=\d+" hx-trigger="every 3s"', page)
    answer = client.get("/leaderboard/", headers=HTMX)
    assert "<html" not in answer.content.decode()
    assert "HX-Request" in answer["Vary"]


def test_the_table_is_sent_again_only_when_it_shows_something_else(
    activate: Activate, play_all: PlayAll, client: Client
) -> None:
    activate("Pawn")
    activate("Rook")
    play_all()
    seen = state_of(client.get("/leaderboard/").content.decode())
    assert client.get("/leaderboard/", {"seen": seen}, headers=HTMX).status_code == 204
    assert client.get("/leaderboard/", {"seen": seen}).status_code == 200
    activate("King")
    play_all()
    answer = client.get("/leaderboard/", {"seen": seen}, headers=HTMX)
    assert answer.status_code == 200
    seen = state_of(answer.content.decode())
    Table.objects.update(error="ValueError: a poisoned row")
    assert client.get("/leaderboard/", {"seen": seen}, headers=HTMX).status_code == 200


@pytest.mark.parametrize("name", [column.name for column in listing.COLUMNS])
def test_each_column_sorts_both_ways_and_says_so(
    activate: Activate, play_all: PlayAll, client: Client, name: str
) -> None:
    for bot in ("Pawn", "rook", "King"):
        activate(bot)
    play_all()
    rising = client.get("/leaderboard/", {"sort": name}).content.decode()
    falling = client.get("/leaderboard/", {"sort": f"-{name}"}).content.decode()
    assert rising.count("aria-sort=") == falling.count("aria-sort=") == 1
    assert f'aria-sort="ascending"><a class="sort" href="?sort=-{name}"' in rising
    assert f'aria-sort="descending"><a class="sort" href="?sort={name}"' in falling
    rows = {row.version.bot.name: row for row in Standing.objects.select_related("version__bot__owner")}
    key = KEYS[name]
    assert [key(rows[bot]) for bot in names(rising)] == sorted(map(key, rows.values()))
    assert [key(rows[bot]) for bot in names(falling)] == sorted(map(key, rows.values()), reverse=True)


ROW = re.compile(
    r'<td class="rank">(?P<rank>\d+)</td>.*?<a class="row-link name" href="/bots/(?P<bot>\d+)/">.*?'
    r'<td class="number key">(?P<points>\d+)</td>\s*'
    r'<td class="number">(?P<elo>−?\d+) <span class="margin">± (?P<margin>\d+)</span></td>\s*'
    r'<td class="number fold">(?P<won>\d+)</td>\s*<td class="number fold">(?P<drawn>\d+)</td>\s*'
    r'<td class="number fold">(?P<lost>\d+)</td>',
    re.DOTALL,
)


def test_pages_show_each_row_of_the_table_once_as_it_is_stored(
    activate: Activate, play_all: PlayAll, client: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("league.standings.views.PAGE", 2)
    for bot in ("Pawn", "Rook", "King", "Queen", "Bishop"):
        activate(bot)
    play_all()
    for order in ("rank", "-rating", "rating"):
        shown, page = [], "?"
        while page:
            text = client.get(f"/leaderboard/{page}&sort={order}").content.decode()
            shown += [tuple(int(each.replace("−", "-")) for each in row.groups()) for row in ROW.finditer(text)]
            following = re.search(r'rel="next" href="[^"]*(page=\d+)', text)
            page = f"?{following[1]}" if following else ""
        stored = [
            (
                row.rank, row.version.bot_id, row.match_points, round(row.elo or 0), round(1.96 * (row.elo_error or 0)),
                row.won, row.drawn, row.lost,
            )
            for row in Standing.objects.select_related("version")
        ]  # fmt: skip
        assert sorted(shown) == sorted(stored)


@pytest.mark.parametrize("order", ["rating", "-rating"])
def test_who_has_no_rating_is_last_in_both_orders(
    activate: Activate, play_all: PlayAll, client: Client, order: str
) -> None:
    for name in ("Pawn", "Rook", "King"):
        activate(name)
    pawn = Match.objects.filter(version_a__bot__name="Pawn")
    play_all()
    pawn.update(outcome="none", forfeits="AB")
    activate("Abbot")
    services.refresh(tournaments.ladder())
    page = client.get("/leaderboard/", {"sort": order}).content.decode()
    assert names(page)[-1] == "Pawn"
    assert sorted(names(page)) == ["King", "Pawn", "Rook"]
    assert ">Abbot</a>" in page[page.index("Not ranked yet") :]


def test_the_table_leads_to_what_ratings_mean(activate: Activate, play_all: PlayAll, client: Client) -> None:
    activate("Pawn")
    activate("Rook")
    play_all()
    page = client.get("/leaderboard/").content.decode()
    assert 'href="/leaderboard/ladder/compare/#meaning"' in page
    assert 'id="meaning"' in client.get("/leaderboard/ladder/compare/").content.decode()


@pytest.mark.django_db
def test_a_wrong_order_is_named(client: Client) -> None:
    answer = client.get("/leaderboard/", {"sort": "elo"})
    assert answer.status_code == 400
    assert "sort: expected one of" in answer.content.decode()


@pytest.mark.parametrize(
    ("search", "found"),
    [
        ("канд", ["Кандидат"]),
        ("ROOK", ["Rook"]),
        ("bob", ["Rook"]),
        ("ada", ["Pawn", "Кандидат"]),
        ("<b>", []),
        ("%", []),
    ],
)
def test_a_search_finds_bots_and_authors_in_any_capitals_and_leaves_their_ranks(
    activate: Activate,
    play_all: PlayAll,
    people: dict[str, Client],
    search: str,
    found: list[str],
) -> None:
    activate("Pawn")
    activate("Кандидат")
    activate("Rook", owner=User.objects.get(username="bob"))
    play_all()
    page = people["anonymous"].get("/leaderboard/", {"q": search}).content.decode()
    assert sorted(names(page)) == found
    ranks = dict(Standing.objects.values_list("version__bot__name", "rank"))
    shown = map(int, re.findall(r'<td class="rank">(\d+)</td>', page))
    assert list(shown) == [ranks[name] for name in names(page)]
    assert found or "No bot and no author has" in page
    assert "<b>" not in page[page.index("<main") :]


@pytest.mark.django_db
@pytest.mark.parametrize(("search", "expected"), [("x" * 151, "q: expected at most 150"), ("a\0b", "q: expected text")])
def test_a_search_that_can_find_nothing_is_named(client: Client, search: str, expected: str) -> None:
    answer = client.get("/leaderboard/", {"q": search})
    assert answer.status_code == 400
    assert expected in answer.content.decode()


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
    assert 'rel="next" href="?page=2"' in first
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
    with django_assert_max_num_queries(10):
        client.get("/leaderboard/")
    with django_assert_max_num_queries(12):
        client.get("/leaderboard/?q=ada&sort=-won")
    seen = Table.objects.get().state
    with django_assert_max_num_queries(2):
        client.get("/leaderboard/", {"seen": seen}, headers=HTMX)
