from __future__ import annotations

import re
from collections.abc import Callable

import pytest
from django.test import Client

from league.accounts.models import User
from league.bots.models import Version
from league.standings import listing
from league.standings.models import Standing
from league.standings.ties import Tie, ties
from league.tournaments import services as tournaments

Activate = Callable[..., Version]
ROW = re.compile(r'<th scope="row"><a class="row-link name" [^>]+>([^<]+)</a>(.*?)</th>', re.DOTALL)

TABLE = (
    # name, rank, match points, Sonneborn-Berger, difference of points, what decided
    ("Pawn", 1, 8, 12, 90, ""),
    ("Rook", 2, 6, 10.5, 40, "match points"),
    ("King", 3, 6, 14, 10, "direct encounter"),
    ("Queen", 4, 6, 9.5, 30, "Sonneborn-Berger"),
    ("Bishop", 4, 6, 9.5, 30, "shared"),
    ("Knight", 6, 6, 9.5, -20, "difference of points"),
    ("Abbot", 7, 4, 3, -50, "match points"),
    ("Baron", 7, 4, 3, -50, "shared"),
    ("Count", 7, 4, 3, -50, "shared"),
)


@pytest.fixture
def board(activate: Activate, author: User) -> None:
    """A table with every kind of tie."""
    User.objects.filter(pk=author.pk).update(bots_allowed=len(TABLE))
    author.refresh_from_db()
    ladder = tournaments.ladder()
    Standing.objects.bulk_create(
        Standing(
            tournament=ladder, version=activate(name), rank=rank, match_points=points, sonneborn_berger=figure,
            points_for=500 + difference, points_against=500, decided=decided,
            played=4, possible=8, won=2, drawn=0, lost=2, faults=0,
        )
        for name, rank, points, figure, difference, decided in TABLE
    )  # fmt: skip


def said(client: Client, query: str = "", language: str = "en") -> dict[str, str]:
    """What the rows of that page say of ties, by the names of their bots, as text."""
    page = client.get(f"/leaderboard/?{query}", headers={"accept-language": language}).content.decode()
    found = {name: re.search(r'<span class="under">(.*)</span>', cell) for name, cell in ROW.findall(page)}
    texts = {name: re.sub(r"<[^>]+>", "", tie[1]) for name, tie in found.items() if tie}
    return {name: text.replace("&nbsp;", " ") for name, text in texts.items()}


EXPECTED = {
    "Rook": "ahead of King by direct encounter",
    "King": "ahead of Queen by Sonneborn-Berger, 14 : 9.5",
    "Queen": "level with Bishop; ahead of Knight by difference of points, +30 : −20",
    "Bishop": "level with Queen; ahead of Knight by difference of points, +30 : −20",
    "Abbot": "level with 2 others",
    "Baron": "level with 2 others",
    "Count": "level with 2 others",
}


@pytest.mark.usefixtures("board")
def test_rows_say_what_breaks_their_tie_and_others_nothing(client: Client) -> None:
    assert said(client) == EXPECTED


@pytest.mark.usefixtures("board")
@pytest.mark.parametrize(
    ("query", "names"),
    [("q=king", ["King"]), ("sort=bot", ["Abbot", "Baron", "Bishop"]), ("sort=-points", ["Rook", "King"])],
)
def test_a_tie_reads_the_same_in_any_order_and_on_any_page(
    client: Client, monkeypatch: pytest.MonkeyPatch, query: str, names: list[str]
) -> None:
    monkeypatch.setattr("league.standings.views.PAGE", 3)
    assert said(client, query) == {name: EXPECTED[name] for name in names}


@pytest.mark.usefixtures("board")
def test_a_tie_is_said_in_russian_too(client: Client) -> None:
    found = said(client, language="ru")
    assert found["Rook"] == "выше, чем King: личная встреча"
    assert found["King"] == "выше, чем Queen: коэффициент Бергера, 14 : 9,5"
    assert found["Queen"] == "наравне с Bishop; выше, чем Knight: разность очков, +30 : −20"
    assert found["Abbot"] == "наравне ещё с 2 ботами"


@pytest.mark.usefixtures("board")
def test_rows_of_a_table_that_is_computed_anew_meanwhile_have_no_tie() -> None:
    ladder = tournaments.ladder()
    rows = list(listing.ranked(ladder))
    Standing.objects.all().delete()
    assert ties(ladder, rows) == [Tie()] * len(TABLE)
