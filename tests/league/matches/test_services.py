from __future__ import annotations

from collections.abc import Callable
from datetime import timedelta
from itertools import pairwise

from django.utils import timezone
from pytest_django import Settings

from arena import replay
from arena.replay import Record
from league import doorbell
from league.bots.models import Version
from league.matches import holder, services
from league.matches.models import Attempt, Log, Match, Replay
from league.matches.services import BotLog
from league.tournaments import services as tournaments

QUEUED, RUNNING, PLAYED, FAILED, CANCELLED, ANNULLED = Match.Status
NO_LOGS = (BotLog(), BotLog())
Played = Callable[..., Record]


def claimed(worker: str = "") -> Match:
    match = services.claim(worker or holder.name())
    assert match is not None
    return match


def stored(match: Match) -> Match:
    return Match.objects.get(pk=match.pk)


def due() -> None:
    """Let the pause after a fault pass."""
    Match.objects.update(not_before=timezone.now() - timedelta(seconds=1))


def test_a_match_is_claimed_by_one_worker_under_a_lease(queued: Match, settings: Settings) -> None:
    match = claimed("one")
    assert services.claim("two") is None
    found = stored(match)
    assert (found.status, found.worker, found.attempt) == (RUNNING, "one", 1)
    assert found.lease_until is not None
    assert found.started_at is not None
    assert found.lease_until - found.started_at == settings.LEASE


def test_what_was_played_is_recorded_with_its_replay(queued: Match, played: Played) -> None:
    match, record = claimed(), played()
    revision = tournaments.ladder().revision
    assert services.record(match, record, (BotLog("", "hello"), BotLog()))
    found = stored(match)
    assert (found.status, found.outcome) == (PLAYED, record.outcome.letter)
    assert (found.points_a, found.points_b) == record.points
    assert found.games == [[game.dealer, *game.points, game.rounds] for game in record.games]
    assert (found.termination, found.forfeits, found.reason, found.lease_until) == ("completed", "", "", None)
    kept = Replay.objects.get(match=match)
    assert replay.decode(kept.format, kept.codec, bytes(kept.data)) == record
    assert [(log.seat, log.output) for log in Log.objects.all()] == [("A", "hello")]
    assert tournaments.ladder().revision == revision + 1


def test_a_forfeit_is_recorded_as_the_loss_of_who_forfeited(queued: Match, played: Played, raiser: type) -> None:
    record = played(bots=(raiser, type("Fine", (), {"play": lambda self, seen: seen.legal_plays[0]})))
    match = claimed()
    assert services.record(match, record, (BotLog("Traceback ...\0", ""), BotLog()))
    found = stored(match)
    assert (found.outcome, found.termination, found.forfeits) == ("B", "crash", "A")
    assert "ValueError: no idea" in found.reason
    assert (found.points_a, found.points_b) == (0, 200)  # 100 for each of the 2 games
    assert Log.objects.get().traceback == "Traceback ...␀"


def test_a_result_that_comes_twice_changes_nothing(queued: Match, played: Played) -> None:
    match = claimed()
    assert services.record(match, played(seed=1), NO_LOGS)
    before = (stored(match).points_a, Replay.objects.get().sha256, tournaments.ladder().revision)
    for _ in range(5):
        assert not services.record(match, played(seed=2), NO_LOGS)
    assert (stored(match).points_a, Replay.objects.get().sha256, tournaments.ladder().revision) == before


def test_a_result_that_comes_late_changes_nothing(queued: Match, played: Played, settings: Settings) -> None:
    settings.LEASE = timedelta(seconds=-1)
    late = claimed()
    services.sweep()
    due()
    settings.LEASE = timedelta(seconds=60)
    again = claimed()
    assert not services.record(late, played(seed=1), NO_LOGS)
    assert not services.extend(late, 5)
    assert not services.fail(late, "late fault")
    assert services.extend(again, 1)
    assert services.record(again, played(seed=2), NO_LOGS)
    assert Replay.objects.count() == 1
    assert Attempt.objects.count() == 1


def test_a_finished_game_extends_the_lease(queued: Match) -> None:
    match = claimed()
    Match.objects.update(lease_until=timezone.now() + timedelta(seconds=1))
    assert services.extend(match, 3)
    found = stored(match)
    assert found.games_done == 3
    assert found.lease_until is not None
    assert found.lease_until > timezone.now() + timedelta(seconds=30)


def test_a_match_without_progress_is_queued_again_when_its_lease_has_passed(
    queued: Match, settings: Settings, bells: list[str]
) -> None:
    match = claimed()
    services.sweep()
    assert stored(match).status == RUNNING
    Match.objects.update(lease_until=timezone.now() - timedelta(milliseconds=1))
    services.sweep()
    assert stored(match).status == QUEUED
    attempt = Attempt.objects.get()
    assert (attempt.number, attempt.worker) == (1, holder.name())
    assert "no game was finished within 300 s" in attempt.fault
    due()
    bells.clear()
    assert services.sweep() == 1
    assert bells == [doorbell.PLAY]
    assert claimed().attempt == 2


def test_a_match_whose_worker_is_gone_is_queued_again_before_its_lease_has_passed(queued: Match) -> None:
    host = holder.name().split("/")[0]
    match = claimed(f"{host}/1/another-start")
    services.sweep()
    assert stored(match).status == QUEUED
    assert Attempt.objects.get().fault == "the worker process ended"


def test_a_worker_elsewhere_is_left_to_its_lease(queued: Match) -> None:
    match = claimed("elsewhere/1/1")
    services.sweep()
    assert stored(match).status == RUNNING


def test_a_platform_fault_is_tried_again_later_and_later_and_then_fails_visibly(
    queued: Match, settings: Settings
) -> None:
    pauses = []
    for number in range(1, settings.MATCH_ATTEMPTS + 1):
        match = claimed()
        now = timezone.now()
        assert services.fail(match, f"fault {number}")
        found = stored(match)
        assert found.not_before is not None
        pauses.append((found.not_before - now).total_seconds())
        assert services.claim("w") is None
        assert found.status == (FAILED if number == 5 else QUEUED)
        assert (found.outcome, found.points_a, found.points_b) == ("", 0, 0)
        due()
    assert services.claim("w") is None
    assert [attempt.fault for attempt in Attempt.objects.order_by("number")] == [f"fault {n}" for n in range(1, 6)]
    assert all(later > 1.9 * earlier for earlier, later in pairwise(pauses))


def test_a_failed_match_can_be_queued_anew(queued: Match, settings: Settings) -> None:
    settings.MATCH_ATTEMPTS = 1
    match = claimed()
    assert not services.requeue(match)
    services.fail(match, "gone")
    assert services.requeue(match)
    assert claimed().attempt == 2


def test_what_a_stopped_worker_held_goes_back_without_an_attempt(queued: Match) -> None:
    host = holder.name().split("/")[0]
    match = claimed(f"{host}/1/another-start")
    assert services.release_of_gone() == 1
    assert stored(match).status == QUEUED
    assert not Attempt.objects.exists()
    mine = claimed()
    assert services.release_of_gone() == 0
    assert stored(mine).status == RUNNING


def test_everything_that_waits_is_found_after_the_broker_lost_all_messages(
    activate: Callable[..., Version], bells: list[str]
) -> None:
    for name in ("Pawn", "Rook", "King", "Queen"):
        activate(name)
    bells.clear()
    assert services.sweep() == 6
    assert bells == [doorbell.PLAY] * 6


def test_a_cancelled_match_is_neither_played_on_nor_recorded(queued: Match, played: Played) -> None:
    match = claimed()
    Match.objects.update(status=CANCELLED)
    assert not services.extend(match, 1)
    assert not services.record(match, played(), NO_LOGS)
    assert not services.fail(match, "fault")
    assert stored(match).status == CANCELLED
    assert not Replay.objects.exists()


def test_what_a_bot_printed_is_found_by_its_decisions(queued: Match, played: Played) -> None:
    printed = [(0, 0, "import\0ed\n"), (1, 4, "five\n"), (2, 1, "six")]
    log = BotLog("", "".join(text for _, _, text in printed), printed)
    assert services.record(claimed(), played(), (log, BotLog()))
    kept = Log.objects.get()
    assert kept.printed == [[0, 0, 0], [1, 4, 10], [2, 1, 15]]
    assert kept.output[10:15] == "five\n"
