"""Scrimmages: who may ask for what, and that they touch no table."""

from __future__ import annotations

import threading
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from datetime import timedelta
from typing import Any

import pytest
from django.core.exceptions import ValidationError
from django.db import connection
from pytest_django import Settings

from league.accounts.models import User
from league.bots.models import Version
from league.matches import listing, queue, roster
from league.matches import services as matches
from league.matches.models import Match
from league.pages import profiles
from league.scrimmages import services
from league.scrimmages.models import Scrimmage
from league.standings.models import Standing, Table
from league.tournaments import services as tournaments
from league.tournaments.models import Tournament

Activate = Callable[..., Version]
PlayAll = Callable[..., list[Match]]
OTHER = b"class Bot:\n    def play(self, observation):\n        return ()\n"


@pytest.fixture
def eve(db: None) -> User:
    return User.objects.create_user("eve")


@pytest.fixture
def versions(activate: Activate, eve: User) -> tuple[Version, Version]:
    """One of the author's own, and one of somebody else."""
    return activate("Pawn"), activate("Rook", owner=eve)


def ask(user: User, own: Version, other: Version, ladder: Tournament | None = None) -> Scrimmage:
    return services.ask(user, own.pk, other.pk, (ladder or tournaments.ladder()).pk)


def refusal(user: User, own: Version, other: Version, ladder: Tournament | None = None) -> tuple[str, str]:
    """Its code and its words."""
    before = Match.objects.count()
    with pytest.raises(ValidationError) as refused:
        ask(user, own, other, ladder)
    assert Match.objects.count() == before
    return str(refused.value.code), " ".join(refused.value.messages)


def test_a_scrimmage_is_an_unranked_match_by_the_rules_of_a_ladder(
    author: User, versions: tuple[Version, Version], bells: list[str]
) -> None:
    bells.clear()
    asked = ask(author, *versions)
    match = asked.match
    assert (match.version_a, match.version_b, match.leg, match.ranked) == (*versions, 1, False)
    ladder = tournaments.ladder()
    assert (match.tournament.kind, match.tournament.ruleset) == ("scrimmage", ladder.ruleset)
    assert match.tournament.time_control == ladder.time_control
    assert bells == ["league.matches.tasks.play"]


def test_the_same_pair_may_meet_again_in_another_leg_with_other_cards(
    author: User, eve: User, versions: tuple[Version, Version]
) -> None:
    own, other = versions
    first, second, third = ask(author, own, other), ask(author, own, other), ask(eve, other, own)
    assert [each.match.leg for each in (first, second, third)] == [1, 2, 3]
    assert len({each.match.seed for each in (first, second, third)}) == 3
    assert Tournament.objects.filter(kind="scrimmage").count() == 1


def test_ladders_with_other_rules_have_a_tournament_of_their_own(
    author: User, versions: tuple[Version, Version]
) -> None:
    ladder = tournaments.ladder()
    rules = {"ruleset": {**ladder.ruleset, "decks": 2}, "time_control": ladder.time_control}
    double = Tournament.objects.create(slug="double", name="Double", kind="ladder", **rules)
    twin = Tournament.objects.create(slug="twin", name="Twin", kind="ladder", **rules)
    asked = [ask(author, *versions, each).match for each in (ladder, double, twin)]
    assert asked[0].tournament != asked[1].tournament
    assert asked[1].tournament == asked[2].tournament
    assert [each.leg for each in asked] == [1, 1, 2]
    Tournament.objects.filter(pk=double.pk).update(closed_at=double.created_at)
    assert refusal(author, *versions, double)[0] == "rules"


def test_an_earlier_version_may_play_and_one_that_never_passed_may_not(
    author: User, activate: Activate, upload: Callable[..., Version], versions: tuple[Version, Version]
) -> None:
    own, other = versions
    newer = activate("Pawn", OTHER)
    waiting = upload("Pawn", OTHER + b"# 3\n")
    assert ask(author, own, other).match.version_a == own
    assert ask(author, newer, own).match.version_a == own, "two versions of one bot"
    assert refusal(author, waiting, other) == ("gone", "This version plays no more: choose another one.")
    upload("Pawn", OTHER + b"# 4\n")  # the one that waited has given way
    assert refusal(author, waiting, other)[0] == "gone"
    assert refusal(author, own, own) == ("other", "A version can't play against itself: choose another one.")


def test_nobody_plays_with_a_bot_of_somebody_else(author: User, versions: tuple[Version, Version]) -> None:
    own, other = versions
    assert refusal(author, other, own) == ("own", "Rook is not your bot.")


@pytest.mark.parametrize("leave", [roster.retire, roster.delete])
def test_a_bot_that_leaves_plays_no_scrimmages_and_those_that_wait_are_cancelled(
    leave: Callable[..., None], author: User, versions: tuple[Version, Version], activate: Activate
) -> None:
    own, other = versions
    third = activate("King")
    asked, running, apart = ask(author, own, other), ask(author, own, other), ask(author, own, third)
    held = matches.claim("w")
    assert held == asked.match
    leave(other.bot)
    found = Match.objects.filter(ranked=False).order_by("pk").values_list("pk", "status")
    assert list(found) == [(asked.pk, "cancelled"), (running.pk, "cancelled"), (apart.pk, "queued")]
    assert not matches.extend(held, 1)
    assert refusal(author, own, other)[0] == "gone"


def test_what_a_deleted_bot_played_stays_for_the_other_side(
    author: User, versions: tuple[Version, Version], played: Callable[..., object]
) -> None:
    asked = ask(author, *versions)
    match = matches.claim("w")
    assert match is not None
    assert matches.record(match, played(), (matches.BotLog(), matches.BotLog()))
    roster.delete(versions[1].bot)
    assert Scrimmage.objects.get(pk=asked.pk).match.status == "played"
    assert Match.objects.get(pk=asked.pk).version_b.bot.name == "Rook"


def test_so_many_may_wait(author: User, eve: User, versions: tuple[Version, Version], settings: Settings) -> None:
    settings.SCRIMMAGES_WAITING = 2
    ask(author, *versions)
    asked = ask(author, *versions)
    assert refusal(author, *versions) == (
        "quota",
        "You have 2 scrimmages waiting, as many as one user may have: wait for one, or cancel it.",
    )
    ask(eve, *reversed(versions))
    assert services.cancel(asked)
    assert services.left(author).waiting == 1
    ask(author, *versions)


def test_so_many_may_be_asked_for_in_a_day_and_what_the_platform_failed_is_not_counted(
    author: User, versions: tuple[Version, Version], settings: Settings
) -> None:
    settings.SCRIMMAGES_A_DAY = 3
    asked = [ask(author, *versions) for _ in range(3)]
    assert services.cancel(asked[0])
    assert refusal(author, *versions) == (
        "quota",
        "You have asked for 3 scrimmages in 24 hours, as many as one user may: ask again later.",
    )
    settings.MATCH_ATTEMPTS = 1
    held = matches.claim("w")
    assert held is not None
    assert matches.fail(held, "the engine is gone")
    assert services.left(author) == (4, 1)
    ask(author, *versions)
    assert services.left(author).today == 0
    Scrimmage.objects.filter(pk=asked[0].pk).update(at=asked[0].at - timedelta(days=1))
    assert services.left(author).today == 1


@pytest.mark.django_db(transaction=True)
def test_who_asks_twice_at_once_gets_no_more_than_the_quota(
    author: User, versions: tuple[Version, Version], settings: Settings
) -> None:
    settings.SCRIMMAGES_WAITING = 1
    ladder = tournaments.ladder()
    at_once = threading.Barrier(2)

    def try_to_ask(_: int) -> str:
        at_once.wait(10)
        try:
            ask(author, *versions, ladder)
        except ValidationError as refused:
            return str(refused.code)
        finally:
            connection.close()
        return "asked"

    with ThreadPoolExecutor(2) as threads:
        assert sorted(threads.map(try_to_ask, range(2))) == ["asked", "quota"]
    assert Match.objects.filter(ranked=False).count() == 1


def test_only_a_scrimmage_that_waits_can_be_taken_back(
    author: User, versions: tuple[Version, Version], played: Callable[..., object]
) -> None:
    first, second = ask(author, *versions), ask(author, *versions)
    held = matches.claim("w")
    assert held == first.match
    assert not services.cancel(first)
    assert matches.record(held, played(), (matches.BotLog(), matches.BotLog()))
    assert not services.cancel(first)
    assert services.cancel(second)
    assert not services.cancel(second)
    assert [each.status for each in Match.objects.filter(ranked=False).order_by("pk")] == ["played", "cancelled"]


def test_scrimmages_are_played_before_ranked_matches_the_oldest_first(
    author: User, activate: Activate, versions: tuple[Version, Version]
) -> None:
    activate("King")
    asked = [ask(author, *versions) for _ in range(2)]
    taken = [matches.claim("w") for _ in range(3)]
    assert taken[:2] == [each.match for each in asked]
    assert taken[2] is not None
    assert taken[2].ranked


def table() -> list[dict[str, Any]]:
    columns = [each.name for each in Standing._meta.fields if each.name != "id"]
    return list(Standing.objects.order_by("rank").values(*columns))


def test_a_scrimmage_touches_no_table_no_list_and_no_profile(
    author: User, versions: tuple[Version, Version], play_all: PlayAll
) -> None:
    play_all()
    ladder = tournaments.ladder()
    before = table(), list(listing.finished()), profiles.scores([versions[0].pk])
    asked = ask(author, *versions)
    assert list(queue.queued()) == []
    assert queue.scrimmages() == 1
    play_all()
    assert Match.objects.get(pk=asked.pk).status == "played"
    assert (table(), list(listing.finished()), profiles.scores([versions[0].pk])) == before
    assert list(listing.latest_of([versions[0].pk], 10)) == list(listing.finished())
    assert [table.tournament for table in Table.objects.all()] == [ladder]
