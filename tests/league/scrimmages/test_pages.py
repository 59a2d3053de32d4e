"""The pages of scrimmages, and who sees a match that is not ranked."""

from __future__ import annotations

import html
import re
from collections.abc import Callable
from typing import Any

import pytest
from django.test import Client
from pytest_django import DjangoAssertNumQueries, Settings

from league.accounts.models import User
from league.bots.models import Version
from league.matches import roster
from league.matches.models import Match
from league.scrimmages import services, views
from league.scrimmages.models import Scrimmage
from league.tournaments import services as tournaments
from league.tournaments.models import Tournament

Activate = Callable[..., Version]
PlayAll = Callable[..., list[Match]]


@pytest.fixture
def versions(activate: Activate) -> tuple[Version, Version]:
    """One of the author's own, and one of somebody else."""
    return activate("Pawn"), activate("Ладья", owner=User.objects.create_user("eve"))


@pytest.fixture
def browser(author: User, client: Client) -> Client:
    client.force_login(author)
    return client


def ask(user: User, versions: tuple[Version, Version]) -> Scrimmage:
    return services.ask(user, versions[0].pk, versions[1].pk, tournaments.ladder().pk)


def read(browser: Client, path: str, **headers: str) -> str:
    answer = browser.get(path, headers=headers)
    assert answer.status_code == 200
    return re.sub(r"\s+", " ", html.unescape(answer.content.decode()))


def test_from_a_bots_page_to_the_match(
    browser: Client, versions: tuple[Version, Version], play_all: PlayAll, short_ladder: Any
) -> None:
    play_all()
    bot = versions[1].bot
    address = f"/scrimmages/against/{bot.pk}/"
    assert f'href="{address}">Challenge<' in read(browser, f"/bots/{bot.pk}/")
    form = read(browser, address)
    assert re.findall(r'<option value="(\d+)">([^<]*)<', form) == [
        (str(versions[0].pk), "Pawn v1, plays now"),
        (str(versions[1].pk), "Ладья v1, plays now"),
    ]
    assert f'<input type="hidden" name="rules" value="{tournaments.ladder().pk}"' in form
    sent = {"own": versions[0].pk, "other": versions[1].pk, "rules": tournaments.ladder().pk}
    assert browser.post(address, sent)["Location"] == "/scrimmages/"
    page = read(browser, "/scrimmages/")
    assert "queued" in page
    assert "You have 49 of 50 left in 24 hours, and 4 of 5 at a time." in page
    assert 'hx-trigger="every 3s"' in page
    (match,) = play_all()
    page = read(browser, "/scrimmages/")
    assert f'href="/matches/{match.pk}/">{match.points_a} : {match.points_b}<' in page
    assert "hx-trigger" not in page
    assert "It counts for no table" in read(browser, f"/matches/{match.pk}/")


def test_opponents_are_found_by_a_part_of_their_name_in_any_capitals(
    browser: Client, versions: tuple[Version, Version], activate: Activate
) -> None:
    retired = activate("Ладан").bot
    roster.retire(retired)
    assert f'href="/scrimmages/against/{versions[1].bot_id}/">Ладья<' in read(browser, "/scrimmages/?q=лАД")
    assert f"/against/{retired.pk}/" not in read(browser, "/scrimmages/?q=лад")
    assert 'No bot that plays has “<span class="name">queen</span>”' in read(browser, "/scrimmages/?q=queen")
    assert browser.get(f"/scrimmages/against/{retired.pk}/").status_code == 404
    assert browser.get("/scrimmages/?q=%00").status_code == 400


def test_a_wrong_choice_is_an_error_of_its_field(
    browser: Client, versions: tuple[Version, Version], settings: Settings
) -> None:
    address = f"/scrimmages/against/{versions[1].bot_id}/"
    good = {"own": versions[0].pk, "other": versions[1].pk, "rules": tournaments.ladder().pk}
    for wrong in ({"own": versions[1].pk}, {"other": 999}, {"own": "x"}, {"other": ""}):
        answer = browser.post(address, good | wrong)
        assert answer.status_code == 400
        assert answer.content.decode().count('role="alert"') == 1
    settings.SCRIMMAGES_WAITING = 0
    answer = browser.post(address, good)
    assert answer.status_code == 400
    assert "You have 0 scrimmages waiting" in answer.content.decode()
    assert not Scrimmage.objects.exists()


def test_who_has_several_ladders_chooses_the_rules(browser: Client, versions: tuple[Version, Version]) -> None:
    ladder = tournaments.ladder()
    rules = {"ruleset": {**ladder.ruleset, "decks": 2}, "time_control": ladder.time_control}
    double = Tournament.objects.create(slug="double", name="Double deck", kind="ladder", **rules)
    address = f"/scrimmages/against/{versions[1].bot_id}/"
    assert f'<option value="{double.pk}">Double deck</option>' in read(browser, address)
    browser.post(address, {"own": versions[0].pk, "other": versions[1].pk, "rules": double.pk})
    assert Match.objects.get(ranked=False).tournament.ruleset["decks"] == 2


def test_who_has_no_bot_is_told_to_submit_one(client: Client, versions: tuple[Version, Version]) -> None:
    address = f"/scrimmages/against/{versions[1].bot_id}/"
    assert client.get(address)["Location"] == f"/accounts/login/?next={address}"
    client.force_login(User.objects.create_user("bob"))
    for path in ("/scrimmages/", address):
        assert "You have no version that may play" in read(client, path)
    assert "Challenge" not in read(client, f"/bots/{versions[1].bot_id}/")


def test_a_bot_of_ones_own_has_no_button_and_can_be_chosen_all_the_same(
    browser: Client, versions: tuple[Version, Version]
) -> None:
    assert "Challenge" not in read(browser, f"/bots/{versions[0].bot_id}/")
    assert browser.get(f"/scrimmages/against/{versions[0].bot_id}/").status_code == 200


def test_one_that_waits_can_be_cancelled_once(
    browser: Client, author: User, versions: tuple[Version, Version], client: Client
) -> None:
    asked = ask(author, versions)
    address = f"/scrimmages/{asked.pk}/cancel/"
    assert f'action="{address}"' in read(browser, "/scrimmages/")
    assert browser.post(address)["Location"] == "/scrimmages/"
    page = read(browser, "/scrimmages/")
    assert "cancelled" in page
    assert "can't be cancelled" not in page
    browser.post(address)
    assert "It can't be cancelled: it is being played, or is over." in read(browser, "/scrimmages/")
    assert "It was taken back, or one of the two bots left" in read(browser, f"/matches/{asked.pk}/")
    assert browser.get(address)["Location"] == f"/matches/{asked.pk}/"


def test_the_list_is_paged_and_shows_only_ones_own(
    browser: Client, author: User, versions: tuple[Version, Version], settings: Settings, monkeypatch: Any
) -> None:
    settings.SCRIMMAGES_WAITING = 9
    monkeypatch.setattr(views, "PAGE", 2)
    asked = [ask(author, versions).pk for _ in range(3)]
    other = versions[1].bot.owner
    services.ask(other, versions[1].pk, versions[0].pk, tournaments.ladder().pk)

    def shown(page: str) -> list[int]:
        return [int(pk) for pk in re.findall(r'href="/matches/(\d+)/"', page)]

    page = read(browser, "/scrimmages/")
    assert shown(page) == asked[:0:-1]
    assert f'href="?before={asked[1]}">Earlier ones<' in page
    older = read(browser, f"/scrimmages/?before={asked[1]}")
    assert shown(older) == asked[:1]
    part = read(browser, f"/scrimmages/?before={asked[1]}", **{"HX-Request": "true"})
    assert shown(part) == asked[:1]
    assert "<h1>" not in part
    assert f'hx-get="?before={asked[1]}"' in part


def test_the_page_asks_as_often_for_many_as_for_few(
    browser: Client,
    author: User,
    versions: tuple[Version, Version],
    settings: Settings,
    django_assert_max_num_queries: DjangoAssertNumQueries,
) -> None:
    settings.SCRIMMAGES_WAITING = 30
    for _ in range(20):
        ask(author, versions)
    with django_assert_max_num_queries(9):
        read(browser, "/scrimmages/?q=a")
    with django_assert_max_num_queries(11):
        read(browser, f"/scrimmages/against/{versions[1].bot_id}/")


def test_the_owner_of_a_bot_sees_its_side_of_the_result(
    browser: Client, author: User, activate: Activate, play_all: PlayAll
) -> None:
    other = activate("Rook", owner=User.objects.create_user("eve"))
    own = activate("Pawn")
    play_all()
    ask(author, (own, other))
    (match,) = play_all()
    assert match.version_b == own
    assert f">{match.points_b} : {match.points_a}<" in read(browser, "/scrimmages/")


def test_a_record_of_a_scrimmage_is_kept_by_no_shared_cache(
    browser: Client, author: User, versions: tuple[Version, Version], play_all: PlayAll, client: Client
) -> None:
    ask(author, versions)
    scrimmage, ranked = sorted(play_all(), key=lambda match: match.ranked)
    for path in ("record.json", "record.txt"):
        assert "private" in browser.get(f"/matches/{scrimmage.pk}/{path}")["Cache-Control"]
        assert "public" in browser.get(f"/matches/{ranked.pk}/{path}")["Cache-Control"]
    assert "no-store" in browser.get(f"/matches/{scrimmage.pk}/games/1/")["Cache-Control"]


def test_the_queue_shows_how_many_scrimmages_wait_and_not_whose(
    client: Client, author: User, versions: tuple[Version, Version]
) -> None:
    assert "Scrimmages waiting" not in read(client, "/queue/")
    asked = ask(author, versions)
    page = read(client, "/queue/")
    assert "<dt>Scrimmages waiting</dt><dd>1</dd>" in page
    assert f"/matches/{asked.pk}/" not in page


def test_a_scrimmage_waits_behind_scrimmages_alone(browser: Client, author: User, activate: Activate) -> None:
    versions = activate("Pawn"), activate("Rook")
    activate("King")
    first, second = ask(author, versions), ask(author, versions)
    assert "It is the next to be played." in read(browser, f"/matches/{first.pk}/")
    assert "1 match was queued before it." in read(browser, f"/matches/{second.pk}/")
