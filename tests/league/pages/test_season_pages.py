from __future__ import annotations

import re
from collections.abc import Callable
from datetime import UTC, datetime, timedelta

import pytest
from django.test import Client
from pytest_django import DjangoAssertNumQueries

from league.accounts.models import User
from league.bots.models import Bot, Version
from league.matches import pairing, roster, seasons
from league.matches.models import Match
from league.tournaments import registration
from league.tournaments.models import Disqualification, Registration, Season
from tests.league.conftest import Clock

Activate = Callable[..., Version]
DEADLINE = datetime(2026, 5, 8, 18, 0, tzinfo=UTC)


@pytest.fixture
def season(clock: Clock, db: None) -> Season:
    return seasons.announce("Spring", "spring", clock.now, DEADLINE, bots_per_user=9, about="For <all>.")


@pytest.fixture
def ada(client: Client, author: User, clock: Clock) -> Client:
    client.force_login(author)
    return client


def text_of(client: Client, address: str, status: int = 200) -> str:
    answer = client.get(address)
    assert answer.status_code == status
    return answer.content.decode()


def begin(clock: Clock, season: Season) -> None:
    clock.now = DEADLINE + timedelta(seconds=5)
    assert seasons.start_due() == 1
    pairing.fill_all()


def test_a_season_shows_its_deadline_in_utc_and_for_the_readers_zone(client: Client, season: Season) -> None:
    page = text_of(client, "/seasons/spring/")
    assert "For &lt;all&gt;." in page
    assert '<time datetime="2026-05-08T18:00:00+00:00">2026-05-08 18:00:00 UTC</time>' in page
    assert '<time datetime="2026-05-08T18:00:00+00:00" data-exact></time>' in page


def test_seasons_are_listed_with_their_phase(client: Client, season: Season, clock: Clock) -> None:
    seasons.announce("Summer", "summer", DEADLINE, DEADLINE + timedelta(days=30))
    page = text_of(client, "/seasons/")
    assert page.index("Summer") < page.index("Spring")
    assert "Announced" in page
    assert "Registration" in page


def test_an_author_registers_a_bot_and_takes_it_back(ada: Client, season: Season, activate: Activate) -> None:
    bot = activate("Pawn").bot
    answer = ada.post("/seasons/spring/register/", {"bot": bot.pk}, follow=True)
    assert "Pawn is registered." in answer.content.decode()
    assert Registration.objects.get().bot == bot
    answer = ada.post("/seasons/spring/withdraw/", {"bot": bot.pk}, follow=True)
    assert "Pawn is registered no more." in answer.content.decode()
    assert not Registration.objects.exists()


def test_who_comes_too_late_is_told_so_and_nothing_changes(
    ada: Client, season: Season, activate: Activate, clock: Clock
) -> None:
    bot = activate("Pawn").bot
    clock.now = DEADLINE
    answer = ada.post("/seasons/spring/register/", {"bot": bot.pk}, follow=True)
    assert "the deadline has passed" in answer.content.decode()
    assert not Registration.objects.exists()


@pytest.mark.parametrize("number", ["", "x", "-1", "9" * 30, "987654321"])
def test_a_bot_that_does_not_exist_is_404(ada: Client, season: Season, number: str) -> None:
    assert ada.post("/seasons/spring/register/", {"bot": number}).status_code == 404


def test_nobody_registers_the_bot_of_another(client: Client, season: Season, activate: Activate) -> None:
    bot = activate("Pawn").bot
    client.force_login(User.objects.create_user("boris"))
    assert client.post("/seasons/spring/register/", {"bot": bot.pk}).status_code == 403
    assert not Registration.objects.exists()


def test_the_page_says_what_a_frozen_season_waits_for(
    client: Client, season: Season, activate: Activate, upload: Activate, clock: Clock
) -> None:
    clock.now = DEADLINE
    assert "Fewer than two bots" in text_of(client, "/seasons/spring/")
    clock.now = DEADLINE - timedelta(seconds=1)
    for name in ("Pawn", "Rook"):
        registration.register(season, activate(name).bot)
    upload("Pawn", b"class Bot:\n    def play(self, observation):\n        return ()\n")
    clock.now = DEADLINE
    assert "the check of 1 bot that was submitted in time" in text_of(client, "/seasons/spring/")


def test_a_closed_season_shows_its_table_holes_and_who_left(
    client: Client, season: Season, activate: Activate, play_all: Callable[..., list[Match]], clock: Clock
) -> None:
    versions = [activate(name) for name in ("Pawn", "Rook", "Queen", "King", "Knight")]
    for version in versions:
        registration.register(season, version.bot)
    begin(clock, season)
    king, knight = versions[3:]
    pairs = Match.objects.filter(tournament=season.tournament)
    pairs.filter(version_a=versions[0], version_b=versions[1]).update(status="failed", finished_at=clock.now)
    play_all()
    Disqualification.objects.create(tournament=season.tournament, bot=king.bot, reason="copied <Rook>")
    pairing.withdraw(season.tournament, king)
    roster.delete(knight.bot)
    seasons.close(season, insist=True)
    play_all()
    page = text_of(client, "/seasons/spring/")
    assert "Final table" in page
    assert "copied &lt;Rook&gt;" in page
    assert "Deleted by their authors:" in page
    assert '<span class="name">Pawn</span> – <span class="name">Rook</span>' in page
    table = text_of(client, "/leaderboard/spring/")
    assert "Final table" in table
    assert "King" not in re.sub(r"(?s)^.*?<tbody>|</tbody>.*$", "", table)
    assert text_of(client, "/matches/?tournament=spring").count("<tr>") == 1 + 10  # the one that failed as well


def test_a_season_nobody_knows_is_404(client: Client, db: None) -> None:
    assert client.get("/seasons/nowhere/").status_code == 404
    assert client.get("/leaderboard/nowhere/").status_code == 404


def test_a_page_of_many_bots_takes_no_more_queries(
    ada: Client, season: Season, activate: Activate, django_assert_max_num_queries: DjangoAssertNumQueries
) -> None:
    for number in range(5):
        registration.register(season, activate(f"Pawn {number}").bot)
    with django_assert_max_num_queries(11):
        ada.get("/seasons/spring/")
    assert Bot.objects.count() == 5


def test_the_home_page_calls_for_bots_while_registration_is_open(client: Client, season: Season, clock: Clock) -> None:
    assert 'href="/seasons/spring/"' in text_of(client, "/")
    clock.now = DEADLINE
    assert 'href="/seasons/spring/"' not in text_of(client, "/")
