"""The pages of bots and of their authors."""

from __future__ import annotations

import html
import re
from collections.abc import Callable

import pytest
from django.test import Client
from django.utils import timezone
from pytest_django import DjangoAssertNumQueries, Settings

from league.accounts.models import User
from league.bots import services as bots
from league.bots.models import Bot, Version
from league.bots.services import Finding
from league.matches.models import Match
from league.pages.histogram import Bar, histogram
from league.standings.models import Standing

PlayAll = Callable[..., list[Match]]
Activate = Callable[..., Version]


def read(client: Client, path: str) -> str:
    answer = client.get(path)
    assert answer.status_code == 200, path
    return html.unescape(answer.content.decode())


@pytest.fixture
def league(activate: Activate, play_all: PlayAll) -> list[Match]:
    for name in ("Pawn", "Rook", "King", "Queen", "Bishop"):
        activate(name)
    return play_all()


def section(page: str, name: str) -> str:
    start = page.index(f'aria-labelledby="{name}"')
    return page[start : page.index("</section>", start)]


def test_a_bots_page_shows_its_place_its_form_its_matches_and_its_versions(league: list[Match], client: Client) -> None:
    match = league[0]
    bot = match.version_a.bot
    page = read(client, f"/bots/{bot.pk}/")
    row = Standing.objects.get(version=match.version_a)
    assert f'<h1 class="name">{bot.name}</h1>' in page
    assert f"<dt>Place</dt><dd>{row.rank}</dd>" in page
    assert section(page, "form").count("<li>") == 4
    result = {"A": "won", "B": "lost", "draw": "drawn"}[match.outcome]
    shown = rf"mark-{result}.*?/bots/{match.version_b.bot_id}/.*?{match.points_a} : {match.points_b}"
    assert re.search(shown, section(page, "last"), re.DOTALL)
    assert f'href="/matches/?bot={bot.name}"' in page
    assert re.search(rf"active.*?>{row.won}–{row.drawn}–{row.lost}<", section(page, "versions"), re.DOTALL)


def test_the_best_and_the_worst_pairs_are_told_by_match_points_then_points(league: list[Match], client: Client) -> None:
    version = Version.objects.get(bot__name="Pawn")
    results = [("A", 300, 100), ("A", 400, 100), ("B", 100, 101), ("draw", 50, 50)]
    for match, (outcome, a, b) in zip(Match.objects.filter(version_a=version).order_by("pk"), results, strict=True):
        Match.objects.filter(pk=match.pk).update(outcome=outcome, points_a=a, points_b=b)
    page = read(client, f"/bots/{version.bot_id}/")
    assert re.findall(r"\d+ : \d+", section(page, "best")) == ["400 : 100", "300 : 100"]
    assert re.findall(r"\d+ : \d+", section(page, "worst")) == ["100 : 101", "50 : 50"]


def test_pairs_are_those_against_who_plays_now(league: list[Match], activate: Activate, client: Client) -> None:
    activate("Rook", b"class Bot:\n    def play(self, observation):\n        return ()\n")
    page = read(client, f"/bots/{Bot.objects.get(name='Pawn').pk}/")
    assert "Rook" not in section(page, "best") + section(page, "worst")
    assert "Rook" in section(page, "last")


def test_the_histogram_counts_every_game_once() -> None:
    counted = histogram([0, 9, 10, 11, 235], [3, 3, 120, 239, 230])
    assert counted.bars[:3] == [Bar(0, 9, 2, 2), Bar(10, 19, 2, 0), Bar(20, 29, 0, 0)]
    assert counted.bars[-1] == Bar(230, 239, 1, 2)
    assert len(counted.bars) == 24
    assert counted.games == 5
    assert counted.most == 2
    assert (counted.own_mean, counted.other_mean) == (53, 119)


@pytest.mark.parametrize("top", [0, 1, 23, 24, 99, 1_000, 10_000, 1_000_000])
def test_the_histogram_never_has_too_many_bars(top: int) -> None:
    bars = histogram([top], [0]).bars
    assert len(bars) <= 24
    assert sum(bar.own for bar in bars) == sum(bar.other for bar in bars) == 1
    assert bars[-1].low <= top <= bars[-1].high


def test_a_bot_without_an_active_version_says_so(upload: Callable[..., Version], client: Client) -> None:
    version = upload()
    assert "is being checked" in read(client, f"/bots/{version.bot_id}/")
    claimed = bots.claim_check()
    assert claimed is not None
    bots.finish_check(claimed, Finding("no"), passed=False)
    assert "No version of it is active" in read(client, f"/bots/{version.bot_id}/")


@pytest.mark.parametrize(("field", "said"), [("retired_at", "It is retired"), ("deleted_at", "has deleted it")])
def test_a_bot_that_left_says_so(league: list[Match], client: Client, field: str, said: str) -> None:
    bot = league[0].version_a.bot
    Bot.objects.filter(pk=bot.pk).update(**{field: timezone.now()})
    Standing.objects.filter(version__bot=bot).delete()
    page = read(client, f"/bots/{bot.pk}/")
    assert said in page
    assert str(league[0].points_a) in page


def test_a_message_is_for_the_owner(upload: Callable[..., Version], people: dict[str, Client]) -> None:
    version = upload(message="counts the suits")
    address = f"/bots/{version.bot_id}/"
    assert "counts the suits" in read(people["owner"], address)
    assert "counts the suits" not in read(people["other"], address)


def test_an_authors_page_shows_his_bots_by_place_and_their_matches(
    league: list[Match], activate: Activate, people: dict[str, Client], author: User
) -> None:
    page = read(people["anonymous"], f"/authors/{author.pk}/")
    ranked = Standing.objects.order_by("rank", "version__bot__name").values_list("version__bot__name", flat=True)
    assert re.findall(r'<th scope="row"><a class="row-link name" href="[^"]+">([^<]+)</a>', page) == list(ranked)
    assert page.count('class="result"') == len(league)
    assert 'href="/matches/?author=ada"' in page


def test_who_has_no_bot_has_no_page(people: dict[str, Client]) -> None:
    other = User.objects.get(username="bob")
    for number in (other.pk, 10**9, 10**17):
        assert people["anonymous"].get(f"/authors/{number}/").status_code == 404


def test_names_are_shown_as_text(activate: Activate, people: dict[str, Client]) -> None:
    version = activate("<b>Rook</b>")
    for address in (f"/bots/{version.bot_id}/", f"/authors/{version.bot.owner_id}/", "/leaderboard/", "/queue/"):
        page = people["anonymous"].get(address).content.decode()
        assert "<b>Rook</b>" not in page, address
    assert "&lt;b&gt;Rook&lt;/b&gt;" in people["anonymous"].get(f"/bots/{version.bot_id}/").content.decode()


def test_the_pages_take_the_same_few_queries_however_many_rows(
    league: list[Match], activate: Activate, people: dict[str, Client], settings: Settings,
    django_assert_max_num_queries: DjangoAssertNumQueries,
) -> None:  # fmt: skip
    settings.BOTS_PER_USER = 20
    bot = league[0].version_a.bot
    with django_assert_max_num_queries(12):
        people["owner"].get(f"/bots/{bot.pk}/")
    with django_assert_max_num_queries(7):
        people["owner"].get(f"/authors/{bot.owner_id}/")
