"""What became of matches and checks elsewhere: stuck, lost, doubled. Here each comes to its one result, by itself."""

from __future__ import annotations

from collections.abc import Callable
from datetime import timedelta
from typing import Any

import pytest
from django.db import OperationalError
from pytest_django import Settings

from arena.ruleset import Ruleset
from league import doorbell
from league.bots import services as bots
from league.bots.models import Version
from league.celery import app
from league.matches import holder, pairing, playing, seasons, services, tasks, workers
from league.matches.models import Attempt, Match, Worker
from league.standings import services as standings
from league.standings.models import Standing
from league.tournaments import registration
from league.tournaments import services as tournaments

pytestmark = pytest.mark.django_db
ELSEWHERE = "elsewhere/8/1"
Activate = Callable[..., Version]


def claimed(worker: str = ELSEWHERE) -> Match:
    match = services.claim(worker)
    assert match is not None
    return match


def the_match() -> Match:
    return Match.objects.get()


def test_a_match_comes_back_when_its_lease_has_passed_and_no_moment_sooner(
    queued: Match, clock: Any, local_boxes: Any
) -> None:
    claimed()
    clock.pass_by(seconds=300)
    services.sweep()
    assert the_match().status == "running"
    clock.pass_by(microseconds=1)
    services.sweep()
    assert the_match().status == "queued"
    clock.pass_by(seconds=1.999)
    assert services.claim("another") is None
    clock.pass_by(seconds=0.001)
    again = claimed("another")
    assert (again.attempt, again.games_done) == (2, 0)
    assert playing.play(again, local_boxes)
    assert len(the_match().games) == 12


def test_a_check_comes_back_when_its_lease_has_passed_and_no_moment_sooner(
    upload: Callable[..., Version], clock: Any
) -> None:
    version = upload("Queen")
    assert bots.claim_check() == version
    clock.pass_by(seconds=300)
    assert bots.claim_check() is None
    clock.pass_by(microseconds=1)
    assert bots.claim_check() == version


def test_a_worker_that_says_it_is_alive_and_finishes_no_game_loses_its_match(queued: Match, clock: Any) -> None:
    Worker.objects.create(name=holder.name(), sandbox="containers", able=True)
    match = claimed(holder.name())
    for _ in range(30):
        clock.pass_by(seconds=10)
        assert not workers.beat([]).is_lost
        services.sweep()
        assert the_match().status == "running"
    clock.pass_by(seconds=10)
    workers.beat([])
    services.sweep()
    assert the_match().status == "queued"
    assert "no game was finished within 300 s" in Attempt.objects.get().fault
    assert not services.extend(match, 1)


def test_a_worker_that_finishes_games_keeps_its_match_for_however_long(queued: Match, clock: Any) -> None:
    match = claimed()
    for game in range(1, 12):
        clock.pass_by(seconds=299)
        assert services.extend(match, game)
        services.sweep()
    assert the_match().status == "running"


def test_a_worker_that_lost_the_database_in_a_match_leaves_it_to_the_lease(
    queued: Match, clock: Any, local_boxes: Any, monkeypatch: pytest.MonkeyPatch, short_ladder: Ruleset
) -> None:
    def away(*_: Any) -> None:
        raise OperationalError("the connection is closed")

    late = claimed()
    with monkeypatch.context() as broken:
        broken.setattr(services, "record", away)
        broken.setattr(services, "fail", away)
        with pytest.raises(OperationalError):
            playing.play(late, local_boxes)
    assert the_match().status == "running"
    clock.pass_by(seconds=301)
    services.sweep()
    clock.pass_by(seconds=2)
    assert playing.play(claimed("another"), local_boxes)
    assert not playing.play(late, local_boxes), "when it is back it brings nothing"
    assert (the_match().attempt, Attempt.objects.count()) == (2, 1)


def test_a_tenth_of_faults_leaves_no_hole_in_the_table(
    activate: Activate, clock: Any, local_boxes: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    for number in range(5):
        activate(f"Bot {number}")
    opened, asked = local_boxes.of, []

    def of(version: Version) -> Any:
        asked.append(version)
        if len(asked) % 10 == 0:
            raise OSError("it went wrong")
        return opened(version)

    monkeypatch.setattr(local_boxes, "of", of)
    monkeypatch.setattr(tasks, "boxes", lambda: local_boxes)
    while Match.objects.unfinished().exists():
        tasks.play()
        clock.pass_by(minutes=1)
    assert Attempt.objects.count() >= 10 * 2 // 10
    assert [len(games) for games in Match.objects.values_list("games", flat=True)] == [12] * 10
    assert standings.refresh(tournaments.ladder())
    assert list(Standing.objects.values_list("played", "possible")) == [(4, 4)] * 5


def test_a_season_with_a_match_that_hangs_is_closed_without_a_hole_after_its_lease(
    activate: Activate, clock: Any, local_boxes: Any
) -> None:
    deadline = clock.now + timedelta(hours=1)
    season = seasons.announce("Spring", "spring", clock.now, deadline, ruleset=Ruleset(games=2), bots_per_user=2)
    for name in ("Pawn", "Rook"):
        registration.register(season, activate(name).bot)
    Match.objects.all().delete()
    clock.pass_by(hours=1, seconds=5)
    assert seasons.start_due() == 1
    pairing.fill(season.tournament)
    Match.objects.exclude(tournament=season.tournament).delete()
    claimed()
    with pytest.raises(Exception, match="1 matches have no result yet"):
        seasons.close(season)
    clock.pass_by(seconds=301)
    services.sweep()
    clock.pass_by(seconds=2)
    assert playing.play(claimed("another"), local_boxes)
    seasons.close(season)
    assert season.holes == []


def test_one_message_has_all_played_that_waits(
    activate: Activate, short_ladder: Ruleset, local_boxes: Any, monkeypatch: pytest.MonkeyPatch, bells: list[str]
) -> None:
    """Between two matches a process does not go back to the broker, and does not begin anew."""
    for name in ("Pawn", "Rook", "King", "Queen"):
        activate(name)
    monkeypatch.setattr(tasks, "boxes", lambda: local_boxes)
    bells.clear()
    tasks.play()
    assert (Match.objects.filter(status="played").count(), bells) == (6, [])
    assert app.conf.worker_max_tasks_per_child is None


def test_a_process_that_has_played_for_a_while_rings_and_lets_checks_go_first(
    activate: Activate, local_boxes: Any, monkeypatch: pytest.MonkeyPatch, bells: list[str], settings: Settings
) -> None:
    for name in ("Pawn", "Rook", "King"):
        activate(name)
    monkeypatch.setattr(tasks, "boxes", lambda: local_boxes)
    settings.PLAY_BLOCK = timedelta(0)
    bells.clear()
    tasks.play()
    assert (Match.objects.filter(status="played").count(), bells) == (1, [doorbell.PLAY])


def test_no_task_has_a_result_for_which_anybody_could_wait() -> None:
    own = [task for name, task in app.tasks.items() if name.startswith("league.")]
    assert own
    assert all(task.ignore_result for task in own)
    assert app.conf.result_backend is None
