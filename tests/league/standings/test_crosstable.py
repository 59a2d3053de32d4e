from __future__ import annotations

import re
from collections.abc import Callable
from datetime import timedelta

import pytest
from django.test import Client
from django.utils import timezone

from league.bots.models import Version
from league.matches.models import Match
from league.standings import listing, services
from league.standings.crosstable import Line, crosstable
from league.standings.models import Fit, Standing, Table
from league.tournaments import services as tournaments

PlayAll = Callable[..., list[Match]]
Activate = Callable[..., Version]
BOTS = ("Pawn", "Rook", "King", "Queen")


@pytest.fixture
def league(activate: Activate, play_all: PlayAll) -> list[Match]:
    for name in BOTS:
        activate(name)
    return play_all()


def lines() -> list[Line]:
    return crosstable(Table.objects.get(), list(listing.ranked(tournaments.ladder())))


def test_its_sums_are_the_tables_totals(league: list[Match]) -> None:
    Match.objects.filter(pk=league[0].pk).update(outcome="draw", points_a=50, points_b=50)
    Match.objects.filter(pk=league[1].pk).update(outcome="none", points_a=0, points_b=0, forfeits="AB")
    Match.objects.filter(pk=league[2].pk).update(outcome="A", points_a=1200, points_b=0, forfeits="B")
    services.refresh(tournaments.ladder())
    for line in lines():
        row = line.standing
        results = [cell.result for cell in line.played]
        assert [results.count(each) for each in ("won", "drawn", "lost")] == [row.won, row.drawn, row.lost]
        assert (line.match_points, line.points, line.against) == (row.match_points, row.points_for, row.points_against)
        assert len(line.played) == row.played


def test_the_page_shows_those_sums(league: list[Match], client: Client) -> None:
    page = client.get("/leaderboard/").content.decode()
    found = re.findall(r'<td class="sum">(\d+)</td><td class="sum">([+−]?\d+)</td>', page)
    rows = Standing.objects.order_by("rank", "version__bot__name")
    shown = [(int(points), int(difference.replace("−", "-"))) for points, difference in found]
    assert shown == [(row.match_points, row.points_for - row.points_against) for row in rows]


def test_each_match_is_seen_from_both_sides_and_opens(league: list[Match], client: Client) -> None:
    cells = {(line.standing.version_id, cell.match): cell for line in lines() for cell in line.played}
    for match in league:
        a, b = cells[match.version_a_id, match.pk], cells[match.version_b_id, match.pk]
        assert (a.points, a.against) == (b.against, b.points) == (match.points_a, match.points_b)
        assert {a.result, b.result} in ({"won", "lost"}, {"drawn"})
    page = client.get("/leaderboard/").content.decode()
    for match in league:
        assert page.count(f'href="/matches/{match.pk}/" title=') == 2


def test_nobody_meets_itself(league: list[Match]) -> None:
    for place, line in enumerate(lines()):
        assert [at for at, pair in enumerate(line.pairs) if pair is None] == [place]


def test_it_shows_what_the_table_counts_and_no_newer_match(league: list[Match], client: Client) -> None:
    Match.objects.filter(pk=league[0].pk).update(finished_at=timezone.now() + timedelta(hours=1))
    assert sum(len(line.played) for line in lines()) == 2 * (len(league) - 1)


def test_a_forfeit_is_marked_in_letters(league: list[Match], client: Client) -> None:
    Match.objects.filter(pk=league[0].pk).update(forfeits="A", termination="crash", outcome="B")
    page = client.get("/leaderboard/").content.decode()
    assert page.count("<i>F</i></a>") == 2


def test_a_page_has_its_own_bots_alone(league: list[Match], client: Client, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("league.standings.views.PAGE", 2)
    page = client.get("/leaderboard/?page=2").content.decode()
    assert len(re.findall(r'<a class="cell ', page)) == 2


def test_pairs_are_marked_where_the_ratings_differ(activate: Activate, client: Client) -> None:
    """One match tells nothing; by chance thirty won in a row are a matter of 2 in 2^30."""
    ladder = tournaments.ladder()
    for name in ("Pawn", "Rook", "King"):
        activate(name)
    pawn, rook, king = Version.objects.order_by("pk")
    ended = {"status": "played", "finished_at": timezone.now(), "tournament": ladder, "seed": 1, "outcome": "A"}
    Match.objects.all().delete()
    Match.objects.bulk_create(
        Match(version_a=a, version_b=b, leg=leg, **ended)
        for a, b, legs in ((pawn, rook, 30), (rook, king, 1))
        for leg in range(1, legs + 1)
    )
    services.refresh(ladder)
    found = {
        (line.standing.version_id, other.standing.version_id)
        for line in lines()
        for other, pair in zip(lines(), line.pairs, strict=True)
        if pair and pair.differs
    }
    assert (pawn.pk, rook.pk) in found
    assert (rook.pk, king.pk) not in found
    assert found == {(b, a) for a, b in found}
    page = client.get("/leaderboard/").content.decode()
    assert page.count("<td><sup>*</sup>") == len(found)
    assert "the ratings differ significantly" in page


def test_without_ratings_that_can_be_read_nothing_is_marked(league: list[Match], client: Client) -> None:
    Fit.objects.update(ratings=b"damaged")
    assert not any(pair.differs for line in lines() for pair in line.pairs if pair)
    assert client.get("/leaderboard/").status_code == 200
    Fit.objects.all().delete()
    assert not any(pair.differs for line in lines() for pair in line.pairs if pair)
