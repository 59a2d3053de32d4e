"""An account that its user deletes, and every page that named it."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from django.test import Client

from league.accounts.models import User
from league.bots.models import Bot, Source, Version
from league.matches import roster
from league.matches.models import Match
from league.standings.models import Standing

PASSWORD = "a long enough one"
Activate = Callable[..., Version]


@pytest.fixture
def ada(client: Client, author: User) -> Client:
    client.force_login(author)
    return client


def test_an_account_whose_bots_never_played_is_gone(ada: Client, activate: Activate) -> None:
    activate("Pawn")
    answer = ada.post("/accounts/close/", {"password": PASSWORD}, follow=True)
    assert "Your account is deleted." in answer.content.decode()
    assert not User.objects.filter(username="ada").exists()
    assert not Bot.objects.exists()


def test_an_account_is_not_deleted_without_its_password(ada: Client, activate: Activate) -> None:
    activate("Pawn")
    answer = ada.post("/accounts/close/", {"password": "another"})
    assert answer.status_code == 400
    assert "This is not your password." in answer.content.decode()
    assert User.objects.get(username="ada").is_active
    assert Bot.objects.kept().count() == 1


def test_the_account_of_the_house_stays(client: Client, db: None) -> None:
    house = User.objects.create_user("house", password=PASSWORD)
    client.force_login(house)
    assert client.post("/accounts/close/", {"password": PASSWORD}).status_code == 403
    assert User.objects.filter(username="house").exists()


def test_every_page_that_named_the_account_still_opens_and_names_it_no_more(
    ada: Client, author: User, activate: Activate, play_all: Callable[..., list[Match]], client: Client
) -> None:
    pawn = activate("Pawn")
    other = activate("Rook", owner=User.objects.create_user("boris"))
    match = play_all()[0]
    ada.post("/accounts/close/", {"password": PASSWORD})
    play_all()
    gone = User.objects.get(pk=author.pk)
    assert not gone.is_active
    assert not client.login(username=gone.username, password=PASSWORD)
    assert not client.login(username="ada", password=PASSWORD)
    assert not Source.objects.filter(version=pawn).exists()
    assert list(Standing.objects.values_list("version", flat=True)) == [other.pk]
    games = f"/matches/{match.pk}/games/1/"
    bots = [f"/bots/{pawn.bot_id}/", f"/bots/{other.bot_id}/", f"/authors/{author.pk}/", f"/bots/versions/{pawn.pk}/"]
    for address in ["/", "/leaderboard/", "/matches/", "/queue/", f"/matches/{match.pk}/", games, *bots]:
        answer = client.get(address)
        assert answer.status_code == 200, address
        assert ">ada<" not in answer.content.decode(), address
    assert "deleted user" in client.get(f"/matches/{match.pk}/").content.decode()


def test_a_name_that_was_given_up_can_be_taken_by_somebody_else(
    author: User, activate: Activate, play_all: Callable[..., list[Match]]
) -> None:
    activate("Pawn")
    activate("Rook", owner=User.objects.create_user("boris"))
    play_all()
    roster.close_account(author)
    assert User.objects.create_user("ada") != author
