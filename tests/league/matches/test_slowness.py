"""Machines that are too slow are told from bots that are."""

from __future__ import annotations

from collections.abc import Callable
from itertools import count

import pytest
from django.utils import timezone

from league.bots.models import Version
from league.matches import slowness
from league.matches.models import Match
from league.tournaments import services as tournaments

Finish = Callable[..., None]


@pytest.fixture
def versions(activate: Callable[..., Version]) -> list[Version]:
    found = [activate(name) for name in ("Pawn", "Rook", "King")]
    Match.objects.all().delete()
    return found


@pytest.fixture
def finish(versions: list[Version]) -> Finish:
    """Stores so many matches of the third bot and another on that machine, in which the other was late or not."""
    legs = count(2)

    def finish(host: str, other: Version, late: int, well: int) -> None:
        Match.objects.bulk_create(
            Match(
                tournament=tournaments.ladder(), version_a=other, version_b=versions[2], leg=next(legs), seed=1,
                status="played", finished_at=timezone.now(), worker=f"{host}/7/1", outcome="B" if is_late else "A",
                forfeits="A" if is_late else "", termination="time" if is_late else "completed",
            )
            for is_late in (*[True] * late, *[False] * well)
        )  # fmt: skip

    return finish


def test_where_the_same_bots_run_out_of_time_more_often_than_elsewhere_the_machine_is_slow(
    versions: list[Version], finish: Finish
) -> None:
    # Of each bot's 10 late matches of 40 the machine should have 5, give or take 1.39: of both 10, give or take 1.96.
    for other in versions[:2]:
        finish("slow", other, late=10, well=10)
        finish("quick", other, late=0, well=20)
    (found,) = slowness.slow()
    assert (found.host, found.late, found.expected) == ("slow", 20, 10.0)
    assert set(found.matches) == set(Match.objects.filter(termination="time").values_list("pk", flat=True))


def test_a_few_more_than_elsewhere_tell_nothing(versions: list[Version], finish: Finish) -> None:
    # 5 and 1.39 as above: 10 is 3.6 times as far off, and 4 is asked for.
    finish("slow", versions[0], late=10, well=10)
    finish("quick", versions[0], late=0, well=20)
    assert slowness.slow() == []


def test_a_slow_bot_that_one_machine_played_alone_is_the_bots_own_fault(
    versions: list[Version], finish: Finish
) -> None:
    finish("unlucky", versions[0], late=40, well=0)
    finish("lucky", versions[1], late=0, well=40)
    finish("unlucky", versions[1], late=0, well=40)
    assert slowness.slow() == []


def test_where_nobody_was_late_nothing_is_told(versions: list[Version], finish: Finish) -> None:
    assert slowness.slow() == []
    finish("quick", versions[0], late=0, well=5)
    assert slowness.slow() == []
