"""Two organisers who do the same at once, each with a connection of his own: one does it, the others are told."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from datetime import timedelta

import pytest
from django.core.exceptions import ValidationError
from django.utils import timezone

from arena.replay import Record
from league.accounts.models import User
from league.bots.models import Version
from league.matches import pairing, seasons
from league.matches import services as matches
from league.matches.models import Match
from league.matches.services import BotLog
from league.organisers import rejudging, services
from league.organisers import tournaments as organisers
from league.organisers.models import Act
from league.tournaments import registration
from league.tournaments import services as tournaments
from league.tournaments.models import Entry, Registration, Season
from tests.league.matches.test_concurrency import at_once

pytestmark = pytest.mark.django_db(transaction=True)
Activate = Callable[..., Version]
AT_ONCE = 4
DONE = Counter({"done": 1, "refused": AT_ONCE - 1})


@pytest.fixture
def judges() -> list[User]:
    return [User.objects.create_user(f"judge {number}", is_staff=True) for number in range(AT_ONCE)]


@pytest.fixture
def season() -> Season:
    now = timezone.now()
    return seasons.announce("Spring", "spring", now, now + timedelta(days=1), bots_per_user=9)


def by_all(judges: list[User], act: Callable[[User], object]) -> Counter[str]:
    def done(judge: User) -> str:
        try:
            act(judge)
        except ValidationError:
            return "refused"
        return "done"

    return Counter(at_once(*[lambda judge=judge: done(judge) for judge in judges]))


def acts() -> list[str]:
    return list(Act.objects.values_list("action", flat=True))


def test_a_season_is_closed_once(judges: list[User], season: Season) -> None:
    assert by_all(judges, lambda judge: organisers.close_season(judge, season, insist=True)) == DONE
    assert acts() == ["close_season"]


def test_a_season_is_started_once(judges: list[User], season: Season, activate: Activate) -> None:
    for name in ("Pawn", "Rook"):
        registration.register(season, activate(name).bot)
    Season.objects.update(opens_at=timezone.now() - timedelta(days=2), deadline_at=timezone.now())
    assert by_all(judges, lambda judge: organisers.start_season(judge, season, insist=False)) == DONE
    at_once(*[pairing.fill_all] * AT_ONCE)
    assert Match.objects.filter(tournament=season.tournament).count() == 1
    assert acts() == ["start_season"]


def test_who_registers_as_the_season_starts_plays_in_it_or_is_refused(season: Season, activate: Activate) -> None:
    for name in ("Pawn", "Rook"):
        registration.register(season, activate(name).bot)
    late = [activate(f"Late {number}").bot for number in range(3)]
    soon = timezone.now() + timedelta(milliseconds=50)
    Season.objects.update(opens_at=soon - timedelta(days=2), deadline_at=soon)

    def until_done(act: Callable[[], object], *codes: str) -> None:
        while True:
            try:
                act()
            except ValidationError as refused:
                if refused.code in codes:
                    continue
            return

    at_once(
        lambda: until_done(lambda: seasons.start(season), "early"),
        *[lambda bot=bot: until_done(lambda: registration.register(season, bot)) for bot in late],
    )
    pairing.fill_all()
    playing = set(Entry.objects.filter(tournament=season.tournament).values_list("bot", flat=True))
    assert playing == set(Registration.objects.values_list("bot", flat=True))
    assert len(playing) >= 2


def test_a_bot_is_disqualified_once(judges: list[User], activate: Activate) -> None:
    bot = activate("Pawn").bot
    ladder = tournaments.ladder()
    assert by_all(judges, lambda judge: services.disqualify(judge, ladder, bot, judge.username)) == DONE
    assert acts() == ["disqualify"]


def test_a_match_is_annulled_once(judges: list[User], queued: Match) -> None:
    assert by_all(judges, lambda judge: services.annul(judge, queued, judge.username)) == DONE
    assert acts() == ["annul"]


def test_a_rejudging_is_applied_once_and_the_results_change_places_once(
    judges: list[User], queued: Match, played: Callable[..., Record]
) -> None:
    def play(seed: int) -> Match:
        held = matches.claim("a worker")
        assert held is not None
        assert matches.record(held, played(seed=seed), (BotLog(), BotLog()))
        return Match.objects.get(pk=held.pk)

    first = play(7)
    begun = rejudging.begin(judges[0], first.tournament, "a faulty clock", match=first)
    again = play(8)
    assert (first.points_a, first.points_b) != (again.points_a, again.points_b)
    assert by_all(judges, lambda judge: rejudging.apply(judge, begun)) == DONE
    now = Match.objects.get(pk=first.pk)
    assert (now.points_a, now.points_b) == (again.points_a, again.points_b)
    assert sorted(acts()) == ["apply", "rejudge"]
