"""An author's own pages: his bots, and what he may do with one of them."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from django.test import Client
from pytest_django import DjangoAssertNumQueries, Settings

from league.bots import services as bots
from league.bots.findings import Finding
from league.bots.models import Bot, Source, Version
from league.matches.models import Match

Activate = Callable[..., Version]
OTHER = b"class Bot:\n    def play(self, observation):\n        return ()\n"


def read(browser: Client, address: str, status: int = 200) -> str:
    answer = browser.get(address)
    assert answer.status_code == status
    return " ".join(answer.content.decode().split())


def fail(upload: Activate, name: str, content: bytes) -> Version:
    upload(name, content)
    claimed = bots.claim_check()
    assert claimed is not None
    assert bots.finish_check(claimed, Finding("no"), passed=False)
    return claimed


@pytest.fixture
def owner(people: dict[str, Client]) -> Client:
    return people["owner"]


def test_a_failed_version_is_said_until_a_newer_one_passes(activate: Activate, upload: Activate, owner: Client) -> None:
    activate("Pawn")
    fail(upload, "Pawn", OTHER)
    upload("Pawn", OTHER + b"# 3\n")
    for page in (read(owner, "/bots/mine/"), read(owner, f"/bots/{Bot.objects.get().pk}/manage/")):
        assert "version 2 failed, version 1 playing" in page
    assert "version 3 being checked" in read(owner, "/bots/mine/")
    activate("Pawn", OTHER + b"# 4\n")
    page = read(owner, "/bots/mine/")
    assert "failed" not in page
    assert "version 4 playing" in page


def test_a_first_version_that_failed_says_so(upload: Activate, owner: Client) -> None:
    fail(upload, "Pawn", OTHER)
    assert "version 1 failed<" in read(owner, "/bots/mine/")


def test_the_place_and_record_of_each_bot_are_there(
    activate: Activate, play_all: Callable[..., list[Match]], owner: Client
) -> None:
    activate("Pawn")
    activate("Rook")
    play_all()
    page = read(owner, "/bots/mine/")
    assert page.count("<dt>Place</dt>") == 2
    assert '<dd>1<span class="against">/1</span></dd>' in page


def test_my_bots_are_nobody_elses(activate: Activate, people: dict[str, Client]) -> None:
    activate("Pawn")
    assert "You have no bot yet." in read(people["other"], "/bots/mine/")
    assert people["anonymous"].get("/bots/mine/")["Location"] == "/accounts/login/?next=/bots/mine/"


def test_my_bots_take_the_same_queries_however_many(
    activate: Activate, owner: Client, django_assert_max_num_queries: DjangoAssertNumQueries, settings: Settings
) -> None:
    settings.BOTS_PER_USER = 20
    for number in range(8):
        activate(f"Pawn {number}")
    with django_assert_max_num_queries(9):
        owner.get("/bots/mine/")


def test_a_bots_page_for_its_owner_takes_the_same_queries_however_many_versions(
    activate: Activate, owner: Client, django_assert_max_num_queries: DjangoAssertNumQueries
) -> None:
    for number in range(6):
        activate("Pawn", OTHER + f"# {number}\n".encode())
    with django_assert_max_num_queries(8):
        page = read(owner, f"/bots/{Bot.objects.get().pk}/manage/")
    assert page.count("/roll-back/") == 5


def test_a_bot_is_renamed_and_its_matches_with_it(queued: Match, owner: Client) -> None:
    bot = queued.version_a.bot
    answer = owner.post(f"/bots/{bot.pk}/manage/", {"name": " New  name "}, follow=True)
    assert "Its name is New name now." in answer.content.decode()
    assert "New name" in read(owner, f"/matches/{queued.pk}/")


@pytest.mark.parametrize(("name", "said"), [("rook", "There is a bot named rook already."), ("", "required")])
def test_a_refused_name_says_why_and_changes_nothing(queued: Match, owner: Client, name: str, said: str) -> None:
    bot = queued.version_a.bot
    answer = owner.post(f"/bots/{bot.pk}/manage/", {"name": name})
    assert answer.status_code == 400
    assert said in answer.content.decode()
    assert ">Bishop</a></h1>" in answer.content.decode()
    assert Bot.objects.get(pk=bot.pk).name == "Bishop"


def test_a_retired_bot_leaves_the_table_and_comes_back(queued: Match, owner: Client) -> None:
    bot = queued.version_a.bot
    assert "Bishop is retired." in owner.post(f"/bots/{bot.pk}/retire/", follow=True).content.decode()
    assert Match.objects.get().status == "cancelled"
    assert "retired" in read(owner, "/bots/mine/")
    assert "is retired" in read(owner, f"/bots/{bot.pk}/")
    assert "Bishop is back." in owner.post(f"/bots/{bot.pk}/come-back/", follow=True).content.decode()
    assert Match.objects.get().status == "queued"


def test_deleting_asks_first_and_leaves_matches_under_the_name(
    queued: Match, play_all: Callable[..., list[Match]], owner: Client
) -> None:
    play_all()
    bot = queued.version_a.bot
    assert "1 version with its source, report and logs" in read(owner, f"/bots/{bot.pk}/delete/")
    assert Bot.objects.get(pk=bot.pk).deleted_at is None
    assert "Bishop is deleted." in owner.post(f"/bots/{bot.pk}/delete/", follow=True).content.decode()
    assert not Source.objects.filter(version__bot=bot).exists()
    assert "Bishop" not in read(owner, "/bots/mine/")
    for page in ("/", "/matches/", f"/matches/{queued.pk}/", "/leaderboard/", f"/bots/versions/{queued.version_a_id}/"):
        read(owner, page)
    assert "Bishop" in read(owner, f"/matches/{queued.pk}/")
    assert "deleted it" in read(owner, f"/bots/{bot.pk}/")
    for gone in ("manage/", "delete/"):
        read(owner, f"/bots/{bot.pk}/{gone}", 404)
    read(owner, f"/bots/versions/{queued.version_a_id}/source/", 404)


def test_an_earlier_version_plays_again(activate: Activate, upload: Activate, owner: Client) -> None:
    first = activate("Pawn")
    second = activate("Pawn", OTHER)
    assert "Roll back to this version" in read(owner, f"/bots/versions/{first.pk}/")
    assert "Roll back" not in read(owner, f"/bots/versions/{second.pk}/")
    answer = owner.post(f"/bots/versions/{first.pk}/roll-back/", follow=True)
    assert "Version 1 plays again." in answer.content.decode()
    assert Version.objects.get(status="active") == first


def test_a_version_that_never_passed_does_not_play(activate: Activate, upload: Activate, owner: Client) -> None:
    active = activate("Pawn")
    failed = fail(upload, "Pawn", OTHER)
    answer = owner.post(f"/bots/versions/{failed.pk}/roll-back/", follow=True)
    assert "Only an earlier version that passed its check can play again." in answer.content.decode()
    assert 'class="notice notice-bad"' in answer.content.decode()
    assert Version.objects.get(status="active") == active


def test_what_changes_something_is_asked_for_by_post_alone(queued: Match, owner: Client) -> None:
    bot, version = queued.version_a.bot_id, queued.version_a_id
    manage, shown = f"/bots/{bot}/manage/", f"/bots/versions/{version}/"
    for address, page in (
        (f"/bots/{bot}/retire/", manage),
        (f"/bots/{bot}/come-back/", manage),
        (f"/bots/versions/{version}/roll-back/", shown),
        ("/bots/trials/", "/bots/submit/"),
    ):
        assert owner.put(address).status_code == 405
        assert owner.get(address)["Location"] == page  # a browser comes so after a change of language
        assert Client().post(address)["Location"] == f"/accounts/login/?next={page}"
