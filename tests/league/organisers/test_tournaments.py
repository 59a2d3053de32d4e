"""Seasons and ladders as an organiser runs them, with a clock that is set by hand."""

from __future__ import annotations

from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from django.test import Client

from arena.ruleset import Ruleset
from league.accounts.models import User
from league.bots.models import Version
from league.matches import pairing, seasons
from league.matches.models import Match
from league.organisers.models import Act
from league.tournaments import registration
from league.tournaments.models import Registration, Season, Tournament
from tests.league.conftest import Clock

Activate = Callable[..., Version]
DEADLINE = datetime(2026, 5, 8, 18, 0, 30, tzinfo=UTC)
FIELDS = {
    "name": "Spring 2026",
    "slug": "",
    "about": "For all.",
    "opens_at": "2026-05-01T12:00:00",
    "deadline_at": "2026-05-08T18:00:30",
    "legs": "2",
    "bots_per_user": "3",
    "decks": "2",
    "run_direction": "both",
    "unclaimed": "same_leader",
    "endgame": "stop",
    "set_scoring": "worth",
    "games": "6",
    "load_s": "10",
    "decision_s": "0.5",
    "bank_s": "20",
}
RULES = {name: FIELDS[name] for name in ("decks", "run_direction", "unclaimed", "endgame", "set_scoring", "games",
                                         "load_s", "decision_s", "bank_s")}  # fmt: skip


@pytest.fixture
def organiser(clock: Clock, client: Client, judge: User) -> Client:
    client.force_login(judge)
    return client


@pytest.fixture
def season(clock: Clock, db: None) -> Season:
    return seasons.announce("Spring", "spring", clock.now, DEADLINE, bots_per_user=9)


def begin(clock: Clock, season: Season) -> None:
    clock.now = DEADLINE + timedelta(seconds=5)
    assert seasons.start_due() == 1
    pairing.fill_all()


def acts() -> list[str]:
    return list(Act.objects.order_by("pk").values_list("action", flat=True))


def said(answer: Any) -> str:
    text: str = answer.content.decode()
    return text


def test_an_announced_season_has_what_the_form_says(organiser: Client, judge: User) -> None:
    answer = organiser.post("/organise/seasons/new/", FIELDS, follow=True)
    assert answer.redirect_chain == [("/organise/seasons/spring-2026/", 302)]
    season = Season.objects.get()
    assert (season.deadline_at, season.bots_per_user, season.tournament.legs) == (DEADLINE, 3, 2)
    rules = Ruleset(2, 6, "both", "same_leader", "stop", "worth")
    assert Ruleset.from_dict(season.tournament.ruleset) == rules
    assert season.tournament.time_control == {"load_s": 10.0, "decision_s": 0.5, "bank_s": 20.0}
    act = Act.objects.get()
    assert (act.action, act.actor, act.tournament) == ("create_season", judge, season.tournament)


def test_the_house_bots_are_registered_if_they_shall_play(organiser: Client, activate: Activate) -> None:
    activate("Guest")
    house = User.objects.create_user("house")
    for name in ("Pawn", "Rook"):
        activate(name, owner=house)
    organiser.post("/organise/seasons/new/", {**FIELDS, "bots_per_user": "1", "house": "on"})
    assert sorted(Registration.objects.values_list("bot__name", flat=True)) == ["Pawn", "Rook"]


@pytest.mark.parametrize(
    ("field", "value", "says"),
    [
        ("name", "", "This field is required."),
        ("slug", "two words", "Enter a valid “slug”"),
        ("deadline_at", "2026-05-01T12:00:00", "The deadline has to be in the future."),
        ("deadline_at", "tomorrow", "Enter a valid date/time."),
        ("opens_at", "2026-05-09T00:00:00", "Registration has to open before the deadline."),
        ("legs", "0", "greater than or equal to 1"),
        ("legs", "11", "less than or equal to 10"),
        ("games", "101", "less than or equal to 100"),
        ("decks", "4", "Select a valid choice."),
        ("decision_s", "0", "greater than or equal to 0.01"),
        ("decision_s", "nan", "Enter a number."),
    ],
)
def test_what_makes_no_season_is_refused_and_nothing_is_lost(
    organiser: Client, field: str, value: str, says: str
) -> None:
    answer = organiser.post("/organise/seasons/new/", {**FIELDS, field: value})
    assert answer.status_code == 400
    assert says in said(answer)
    assert "For all." in said(answer)
    assert not Season.objects.exists()
    assert acts() == []


def test_a_name_of_which_no_address_can_be_made_asks_for_one(organiser: Client) -> None:
    answer = organiser.post("/organise/seasons/new/", {**FIELDS, "name": "Весна"})
    assert "No address can be made of this name: write one." in said(answer)


def test_an_address_that_is_taken_is_refused(organiser: Client, season: Season) -> None:
    answer = organiser.post("/organise/seasons/new/", {**FIELDS, "slug": "spring"})
    assert answer.status_code == 400
    assert "choose another one" in said(answer)
    assert acts() == []


def test_a_deadline_is_moved_to_the_second_and_told(organiser: Client, season: Season) -> None:
    answer = organiser.post("/organise/seasons/spring/", {"deadline_at": "2026-05-09T00:00:01"}, follow=True)
    assert "The deadline is moved." in said(answer)
    season.refresh_from_db()
    assert season.deadline_at == datetime(2026, 5, 9, 0, 0, 1, tzinfo=UTC)
    assert Act.objects.get().details["before"] == DEADLINE.isoformat()
    answer = organiser.post("/organise/seasons/spring/", {"deadline_at": "2026-05-01T11:59:59"})
    assert (answer.status_code, "has to be in the future" in said(answer)) == (400, True)


def test_a_season_that_waits_for_a_check_starts_if_one_insists(
    organiser: Client, season: Season, activate: Activate, upload: Activate, clock: Clock
) -> None:
    for name in ("Pawn", "Rook"):
        registration.register(season, activate(name).bot)
    upload("Pawn", b"class Bot:\n    def play(self, observation):\n        return ()\n")
    clock.now = DEADLINE
    page = said(organiser.get("/organise/seasons/spring/"))
    assert "Without waiting for checks" in page
    answer = organiser.post("/organise/seasons/spring/start/", follow=True)
    assert "is still being checked" in said(answer)
    assert acts() == []
    answer = organiser.post("/organise/seasons/spring/start/", {"insist": "1"}, follow=True)
    assert "The season has started." in said(answer)
    assert acts() == ["start_season"]


def test_closing_asks_to_insist_where_matches_are_missing(
    organiser: Client, season: Season, activate: Activate, clock: Clock
) -> None:
    for name in ("Pawn", "Rook", "Queen"):
        registration.register(season, activate(name).bot)
    begin(clock, season)
    assert "with 3 matches without a result" in said(organiser.get("/organise/seasons/spring/"))
    answer = organiser.post("/organise/seasons/spring/close/", follow=True)
    assert "3 matches have no result yet" in said(answer)
    answer = organiser.post("/organise/seasons/spring/close/", {"insist": "1"}, follow=True)
    assert "The season is closed." in said(answer)
    assert Act.objects.get().details == {"holes": 3}


def test_the_second_of_two_organisers_is_told_that_it_is_done(
    organiser: Client, season: Season, activate: Activate, clock: Clock
) -> None:
    organiser.post("/organise/seasons/spring/close/")
    for verb in ("close", "start"):
        answer = organiser.post(f"/organise/seasons/spring/{verb}/", {"insist": "1"}, follow=True)
        assert "The season is closed." in said(answer)
    answer = organiser.post("/organise/seasons/spring/", {"deadline_at": "2026-05-09T00:00:01"})
    assert "The season is closed." in said(answer)
    assert acts() == ["close_season"]


def test_a_ladder_is_opened_filled_and_closed(organiser: Client, activate: Activate) -> None:
    for name in ("Pawn", "Rook"):
        activate(name)
    answer = organiser.post("/organise/ladders/new/", {"name": "Two decks", "slug": "", **RULES}, follow=True)
    assert answer.redirect_chain == [("/leaderboard/two-decks/", 302)]
    pairing.fill_all()
    ladder = Tournament.objects.get(slug="two-decks")
    assert Match.objects.filter(tournament=ladder).count() == 1
    assert 'href="/leaderboard/two-decks/"' in said(organiser.get("/leaderboard/"))
    organiser.post("/organise/ladders/two-decks/close/")
    answer = organiser.post("/organise/ladders/two-decks/close/", follow=True)
    assert "The ladder is closed already." in said(answer)
    answer = organiser.post("/organise/ladders/ladder/close/", follow=True)
    assert "The first ladder stays" in said(answer)
    assert acts() == ["open_ladder", "close_ladder"]
