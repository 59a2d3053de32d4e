"""As much at once as a busy league has: no deadlock, nothing lost or doubled, the same table as from one at a time."""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from itertools import chain
from typing import Any

import pytest
from django.db import connection

from arena.replay import Record
from arena.ruleset import Ruleset
from league.accounts.models import User
from league.bots import services as bots
from league.bots.models import Version
from league.matches import services, tasks
from league.matches.models import Attempt, Match, Replay
from league.matches.services import BotLog
from league.standings import services as standings
from league.standings.models import Standing
from league.tournaments import services as tournaments

pytestmark = pytest.mark.django_db(transaction=True)
NO_LOGS = (BotLog(), BotLog())
BOTS = 11
RESULTS = 50
UPLOADS = 200


def at_once(threads: int, *calls: Callable[[], Any]) -> list[Any]:
    """What these return, called from so many threads, each with a connection of its own."""

    def call(function: Callable[[], Any]) -> Any:
        try:
            return function()
        finally:
            connection.close()

    with ThreadPoolExecutor(threads) as pool:
        return list(pool.map(call, calls))


def table() -> list[tuple[Any, ...]]:
    columns = ("version", "rank", "played", "match_points", "points_for", "points_against", "elo", "elo_error")
    return list(Standing.objects.order_by("version").values_list(*columns))


def test_a_task_that_is_delivered_many_times_at_once_plays_each_match_once(
    activate: Callable[..., Version],
    short_ladder: Ruleset,
    local_boxes: Any,
    played: Callable[..., Record],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    for name in ("Pawn", "Rook", "King", "Queen"):
        activate(name)
    monkeypatch.setattr(tasks, "boxes", lambda: local_boxes)
    at_once(4, *[tasks.play] * 4)
    assert list(Match.objects.values_list("status", "attempt")) == [("played", 1)] * 6
    assert (Replay.objects.count(), Attempt.objects.count()) == (6, 0)
    assert standings.refresh(tournaments.ladder())
    before, revision = table(), tournaments.ladder().revision
    again = [lambda match=match: services.record(match, played(), NO_LOGS) for match in Match.objects.all()]  # type: ignore[misc]
    assert at_once(4, *again, *again) == [False] * 12
    assert standings.refresh(tournaments.ladder())
    assert (table(), tournaments.ladder().revision, Replay.objects.count()) == (before, revision, 6)


def test_fifty_results_at_once_make_the_table_that_they_make_one_after_the_other(
    activate: Callable[..., Version], author: User, played: Callable[..., Record]
) -> None:
    author.bots_allowed = BOTS
    author.save()
    for number in range(BOTS):
        activate(f"Bot {number}")
    records = [played(seed=seed) for seed in range(5)]
    held = [services.claim("w") for _ in range(RESULTS)]
    finishes: list[Callable[[], bool]] = [
        lambda match=match: services.record(match, records[match.pk % 5], NO_LOGS)  # type: ignore[misc]
        for match in held
        if match is not None
    ]
    computes = [lambda: standings.refresh(tournaments.ladder())] * 5
    assert at_once(RESULTS + 5, *chain(*zip(*[iter(finishes)] * 10, computes, strict=True))) == [True] * 55
    assert Match.objects.filter(status="played").count() == RESULTS
    standings.refresh_stale()
    at_last = table()
    assert sum(row[2] for row in at_last) == 2 * RESULTS
    Standing.objects.all().delete()
    assert standings.refresh(tournaments.ladder())
    assert table() == at_last


def test_two_hundred_uploads_at_once_are_stored_and_the_next_one_is_checked(
    upload: Callable[..., Version],
    author: User,
    short_ladder: Ruleset,
    local_boxes: Any,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    author.bots_allowed = 5
    author.save()
    sources = [f"class Bot: n = {number}\n".encode() for number in range(UPLOADS)]
    calls = [lambda n=n: upload(f"Bot {n % 4}", sources[n]) for n in range(UPLOADS)]  # type: ignore[misc]
    assert len(set(at_once(16, *calls))) == UPLOADS
    assert Version.objects.filter(status="checking").count() == 4
    monkeypatch.setattr(tasks, "boxes", lambda: local_boxes)
    last = upload("The next one")
    while bots.sweep():
        tasks.check()
    last.refresh_from_db()
    assert last.status == "active"
    assert not Version.objects.filter(status="checking").exists()
