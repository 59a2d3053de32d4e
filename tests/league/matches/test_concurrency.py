"""Many at once, each with a connection of its own, as worker processes are."""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import Any, TypeVar

import pytest
from django.db import connection

from arena.replay import Record
from league.accounts.models import User
from league.bots import services as bots
from league.bots import trials
from league.bots.models import Trial, Version
from league.matches import pairing, services
from league.matches.models import Match, Replay
from league.matches.services import BotLog
from league.standings import services as standings
from league.standings.models import Standing
from league.tournaments import services as tournaments

pytestmark = pytest.mark.django_db(transaction=True)
Activate = Callable[..., Version]
Result = TypeVar("Result")
AT_ONCE = 8
UPLOADS = 20


def at_once(*calls: Callable[[], Result]) -> list[Result]:
    """What these return, each called in a thread of its own."""

    def call(function: Callable[[], Result]) -> Result:
        try:
            return function()
        finally:
            connection.close()

    with ThreadPoolExecutor(len(calls)) as threads:
        return list(threads.map(call, calls))


def test_no_match_is_claimed_twice(activate: Activate) -> None:
    for number in range(5):
        activate(f"Bot {number}")

    def take_all() -> list[int]:
        taken = []
        while match := services.claim("w"):
            taken.append(match.pk)
        return taken

    taken = [number for numbers in at_once(*[take_all] * AT_ONCE) for number in numbers]
    assert sorted(taken) == sorted(Match.objects.values_list("pk", flat=True))
    assert len(taken) == 10
    assert set(Match.objects.values_list("attempt", flat=True)) == {1}


def test_a_result_that_many_post_at_once_is_recorded_once(queued: Match, played: Callable[..., Record]) -> None:
    match = services.claim("w")
    assert match is not None
    record = played()
    posts = at_once(*[lambda: services.record(match, record, (BotLog("", "x"), BotLog()))] * AT_ONCE)
    assert sorted(posts) == [False] * (AT_ONCE - 1) + [True]
    assert Replay.objects.count() == 1


def test_versions_that_enter_at_once_all_meet_each_other(upload: Activate, author: User) -> None:
    author.bots_allowed = AT_ONCE
    author.save()
    for number in range(AT_ONCE):
        upload(f"Bot {number}")

    def enter() -> bool:
        held = bots.claim_check()
        return held is not None and pairing.admit(held, bots.Finding(""))

    assert all(at_once(*[enter] * AT_ONCE))
    assert Match.objects.count() == AT_ONCE * (AT_ONCE - 1) // 2


def test_many_uploads_of_one_bot_at_once_leave_one_that_is_checked(upload: Activate) -> None:
    def submit(number: int) -> Version:
        return upload("Bishop", f"class Bot: n = {number}\n".encode())

    at_once(*[lambda n=n: submit(n) for n in range(UPLOADS)])
    assert sorted(Version.objects.values_list("number", flat=True)) == list(range(1, UPLOADS + 1))
    assert Version.objects.filter(status="checking").count() == 1


def test_the_same_file_sent_many_times_at_once_makes_one_version(upload: Activate) -> None:
    made = at_once(*[lambda: upload("Bishop")] * AT_ONCE)
    assert set(made) == {Version.objects.get()}


def test_many_trials_of_one_author_at_once_leave_one_that_waits(author: User) -> None:
    at_once(*[lambda: trials.ask(author, "bot.py", b"class Bot: ...\n")] * AT_ONCE)
    assert Trial.objects.filter(status="checking").count() == 1


def test_results_and_entries_at_once_neither_wait_in_a_circle_nor_get_lost(
    activate: Activate, upload: Activate, played: Callable[..., Record]
) -> None:
    for number in range(4):
        activate(f"Bot {number}")
    claimed = [services.claim("w") for _ in range(6)]
    upload("Bot 0", b"class Bot: pass\n")
    record = played()
    no_logs = (BotLog(), BotLog())

    def enter() -> Any:
        held = bots.claim_check()
        return held is not None and pairing.admit(held, bots.Finding(""))

    calls: list[Callable[[], Any]] = [
        lambda match=match: services.record(match, record, no_logs)  # type: ignore[misc]
        for match in claimed
        if match is not None
    ]
    at_once(enter, *calls, lambda: standings.refresh(tournaments.ladder()))
    assert not Match.objects.filter(status="running").exists()
    standings.refresh_stale()
    played_now = len(standings.results(tournaments.ladder()))
    assert sum(Standing.objects.values_list("played", flat=True)) == 2 * played_now
    assert played_now == 3  # those of the three that stayed
    assert Match.objects.filter(status="queued").count() == 3


def test_one_of_many_sweeps_takes_a_match_from_its_lost_worker(queued: Match) -> None:
    match = services.claim("w")
    assert match is not None
    faults = at_once(*[lambda: services.fail(match, "gone")] * AT_ONCE)
    assert sorted(faults) == [False] * (AT_ONCE - 1) + [True]
    assert match.attempts.count() == 1
