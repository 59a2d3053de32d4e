from __future__ import annotations

import signal
from collections.abc import Callable, Iterator
from typing import Any

import pytest

from league.bots import services as bots
from league.bots.models import Version
from league.matches import playing, services, stopping, tasks
from league.matches.models import Attempt, Match


@pytest.fixture(autouse=True)
def heeded(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    before = signal.getsignal(signal.SIGTERM)
    monkeypatch.setattr(stopping, "_stopped", False)
    stopping.install()
    yield
    signal.signal(signal.SIGTERM, before)


def test_a_match_is_given_back_at_once_when_its_worker_is_told_to_stop(queued: Match, local_boxes: Any) -> None:
    match = services.claim("w")
    assert match is not None
    local_boxes.interrupts()
    assert not playing.play(match, local_boxes)
    assert Match.objects.get().status == "queued"
    assert not Attempt.objects.exists()
    assert stopping.stopped()


def test_a_check_is_given_back_at_once_when_its_worker_is_told_to_stop(
    upload: Callable[..., Version], local_boxes: Any
) -> None:
    upload("Rook")
    held = bots.claim_check()
    assert held is not None
    local_boxes.interrupts()
    playing.check(held, local_boxes)
    again = bots.claim_check()
    assert again == held


def test_a_process_that_plays_nothing_takes_no_more_work_and_stays_until_the_pool_ends_it(queued: Match) -> None:
    signal.raise_signal(signal.SIGTERM)
    assert stopping.stopped()
    tasks.play()
    assert Match.objects.get().status == "queued"
