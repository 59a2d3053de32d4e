from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from django.db import DatabaseError

from arena import replay
from arena.replay import Record
from arena.ruleset import Ruleset
from league import logs
from league.bots import findings, usage
from league.bots import services as bots
from league.bots.models import Report, Version
from league.matches import playing, services, tasks
from league.matches.models import Attempt, Log, Match, Replay
from sandbox.errors import BadUpload, SandboxFault

pytestmark = pytest.mark.usefixtures("short_ladder")


def claimed() -> Match:
    match = services.claim("w")
    assert match is not None
    return match


def check(local_boxes: Any) -> Version:
    held = bots.claim_check()
    assert held is not None
    playing.check(held, local_boxes)
    return Version.objects.get(pk=held.pk)


def test_a_claimed_match_is_played_and_recorded(queued: Match, local_boxes: Any) -> None:
    assert playing.play(claimed(), local_boxes)
    match = Match.objects.get()
    assert (match.status, match.termination, len(match.games)) == ("played", "completed", 2)
    assert [(log.seat, log.output) for log in Log.objects.order_by("seat")] == [
        ("A", "output of Layer"),
        ("B", "output of Layer"),
    ]


def test_what_both_bots_used_is_kept_apart_from_the_record(queued: Match, local_boxes: Any) -> None:
    assert playing.play(claimed(), local_boxes)
    stored = Replay.objects.get()
    record = replay.decode(stored.format, stored.codec, bytes(stored.data))
    recorded = [len(game.times) for game in record.games]
    for log in Log.objects.all():
        used = usage.usage(log)
        assert used is not None
        assert (used.memory_peak_kib, used.cpu_s) == (20_480, 0.25)
        assert used.calls[0].name == "load"
        for call in used.decisions:
            assert 1 <= call.decision <= recorded[call.game - 1]
            assert call.cpu_s == pytest.approx(record.games[call.game - 1].times[call.decision - 1] / 10_000)


def test_while_no_sandbox_can_be_started_no_work_is_taken(
    queued: Match, upload: Callable[..., Version], local_boxes: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    upload("Queen")
    monkeypatch.setattr(tasks, "boxes", lambda: local_boxes)
    monkeypatch.setattr(local_boxes, "ready", lambda: False)
    tasks.play()
    tasks.check()
    assert (Match.objects.get().status, Match.objects.get().attempt) == ("queued", 0)
    assert Version.objects.get(bot__name="Queen").attempt == 0


def test_lines_of_a_match_and_of_a_check_say_which_and_which_attempt(
    queued: Match,
    upload: Callable[..., Version],
    local_boxes: Any,
    monkeypatch: pytest.MonkeyPatch,
    caplog: pytest.LogCaptureFixture,
) -> None:
    version = upload("Queen")
    caplog.handler.addFilter(logs.Belonging())
    caplog.set_level("INFO", playing.__name__)
    monkeypatch.setattr(tasks, "boxes", lambda: local_boxes)
    tasks.play()
    tasks.check()
    told = [record.fields for record in caplog.records if record.name == playing.__name__]  # type: ignore[attr-defined]
    assert [{name: each[name] for name in each if name != "request"} for each in told] == [
        {"match": queued.pk, "attempt": 1},
        {"version": version.pk, "attempt": 1},
    ]


def test_a_bot_that_fails_forfeits_and_its_author_has_the_traceback(
    queued: Match, local_boxes: Any, raiser: type
) -> None:
    local_boxes.bots["Rook"] = raiser
    assert playing.play(claimed(), local_boxes)
    match = Match.objects.get()
    assert (match.outcome, match.forfeits, match.termination) == ("A", "B", "crash")
    assert "ValueError: no idea" in Log.objects.get(seat="B").traceback
    assert Log.objects.get(seat="A").traceback == ""


@pytest.mark.parametrize("fault", [SandboxFault("the engine is gone"), OSError("disk full"), BadUpload("?")])
def test_what_is_not_the_bots_fault_is_nobodys_loss(queued: Match, local_boxes: Any, fault: Exception) -> None:
    local_boxes.fault = fault
    assert not playing.play(claimed(), local_boxes)
    match = Match.objects.get()
    assert (match.status, match.outcome, match.forfeits) == ("queued", "", "")
    attempt = Attempt.objects.get()
    assert str(fault) in attempt.fault
    assert "Traceback" in attempt.fault
    assert local_boxes.dropped


def test_a_database_that_fails_at_the_record_is_nobodys_loss(
    queued: Match, local_boxes: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(*_: Any, **__: Any) -> None:
        raise DatabaseError("gone")

    monkeypatch.setattr(Replay.objects, "create", refuse)
    assert not playing.play(claimed(), local_boxes)
    match = Match.objects.get()
    assert (match.status, match.outcome, match.points_a) == ("queued", "", 0)


def test_a_match_that_was_cancelled_meanwhile_is_not_played_on(
    queued: Match, local_boxes: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(playing, "EXTEND_EVERY_S", 0)
    match = claimed()
    Match.objects.update(status="cancelled")
    assert not playing.play(match, local_boxes)
    assert Match.objects.get().status == "cancelled"
    assert not Attempt.objects.exists()


def test_progress_is_seen_while_a_match_is_played(
    queued: Match, local_boxes: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    seen: list[int] = []
    extend = services.extend
    monkeypatch.setattr(playing, "EXTEND_EVERY_S", 0)

    def watched(match: Match, games: int) -> bool:
        seen.append(games)
        return extend(match, games)

    monkeypatch.setattr(services, "extend", watched)
    assert playing.play(claimed(), local_boxes)
    assert seen == [1, 2]


def test_a_version_that_plays_its_qualification_enters_the_ladder(
    upload: Callable[..., Version], local_boxes: Any
) -> None:
    upload("Bishop")
    version = check(local_boxes)
    assert version.status == "active"
    report = Report.objects.get()
    assert (report.reason, report.output) == ("", "output of Layer")
    used = usage.usage(report)
    assert used is not None
    assert used.memory_peak_kib == 20_480
    assert {call.game for call in used.decisions} == {1, 2}


def test_a_version_that_fails_in_its_qualification_is_rejected_with_its_traceback(
    upload: Callable[..., Version], local_boxes: Any, raiser: type
) -> None:
    local_boxes.bots["Bishop"] = raiser
    upload("Bishop")
    assert check(local_boxes).status == "rejected"
    report = Report.objects.get()
    assert "game 1, decision" in report.reason
    assert "ValueError: no idea" in report.reason
    assert "in play" in report.traceback


def test_a_version_that_can_not_be_unpacked_is_rejected_with_the_reason(
    upload: Callable[..., Version], local_boxes: Any
) -> None:
    local_boxes.fault = BadUpload("the archive holds no bot.py: put it at the top")
    upload("Bishop")
    assert check(local_boxes).status == "rejected"
    assert Report.objects.get().reason == "the archive holds no bot.py: put it at the top"


def test_a_platform_fault_in_a_check_is_no_rejection(upload: Callable[..., Version], local_boxes: Any) -> None:
    local_boxes.fault = SandboxFault("the engine is gone")
    upload("Bishop")
    assert check(local_boxes).status == "checking"
    assert "the engine is gone" in Report.objects.get().reason


@pytest.mark.parametrize("passes", [True, False])
def test_a_database_that_fails_in_a_check_is_named_as_the_platforms_fault(
    upload: Callable[..., Version], local_boxes: Any, raiser: type, monkeypatch: pytest.MonkeyPatch, passes: bool
) -> None:
    def refuse(*_: Any, **__: Any) -> None:
        raise DatabaseError("the disk is full")

    if not passes:
        local_boxes.bots["Bishop"] = raiser
    upload("Bishop")
    with monkeypatch.context() as broken:
        broken.setattr(bots, "finish_check", refuse)
        assert check(local_boxes).status == "checking"
    assert "the disk is full" in Report.objects.get().reason
    Version.objects.update(not_before=None)
    assert check(local_boxes).status == ("active" if passes else "rejected")


def test_games_of_a_check_are_counted_as_they_end_and_kept(upload: Callable[..., Version], local_boxes: Any) -> None:
    upload("Bishop")
    assert check(local_boxes).games_done == 2
    record = findings.record(Report.objects.get())
    assert record is not None
    assert len(record.games) == 2


def test_a_house_bot_that_fails_in_a_check_is_no_rejection(
    upload: Callable[..., Version], local_boxes: Any, raiser: type, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(local_boxes, "opponent", lambda: local_boxes._box(raiser))
    upload("Bishop")
    assert check(local_boxes).status == "checking"


def test_ladder_rules_hold_in_its_matches(
    queued: Match, local_boxes: Any, short_ladder: Ruleset, played: Callable[..., Record]
) -> None:
    match = claimed()
    assert playing.play(match, local_boxes)
    expected = played(seed=match.seed, games=short_ladder.games)
    assert Match.objects.get().games == [[game.dealer, *game.points, game.rounds] for game in expected.games]
