from __future__ import annotations

import threading
import time
from collections.abc import Callable
from typing import Any

import pytest
from django.db import DatabaseError, connection

from league.bots import services as bots
from league.bots.models import Report, Version
from league.matches import playing, watching
from league.matches.watching import GivenUp, given_up_when

GOOD = b"class Bot:\n    def play(self, observation):\n        return ()\n"


class Hanging:
    """Would take a minute for its first move."""

    def play(self, observation: Any) -> Any:
        ends = time.monotonic() + 60
        while time.monotonic() < ends:
            time.sleep(0.01)
        return ()


@pytest.fixture(autouse=True)
def looks_often(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(watching, "LOOK_EVERY_S", 0.05)


@pytest.mark.django_db(transaction=True)
def test_a_check_is_given_up_when_a_newer_upload_comes_even_while_the_bot_hangs(
    upload: Callable[..., Version], local_boxes: Any
) -> None:
    local_boxes.bots["Bishop"] = Hanging
    first = upload("Bishop")
    held = bots.claim_check()
    assert held == first

    def correct() -> None:
        upload("Bishop", GOOD)
        connection.close()

    correction = threading.Timer(0.3, correct)
    correction.start()
    playing.check(held, local_boxes)
    correction.join()
    first.refresh_from_db()
    assert first.status == "superseded"
    assert not Report.objects.exists()
    again = bots.claim_check()
    assert again is not None
    assert again.number == 2


def test_what_is_wanted_is_done_to_its_end() -> None:
    with given_up_when(lambda: False):
        time.sleep(0.2)
    assert not [thread for thread in threading.enumerate() if "_look" in thread.name]


def test_a_look_that_fails_is_taken_again() -> None:
    looks: list[int] = []

    def unwanted() -> bool:
        looks.append(1)
        if len(looks) == 1:
            raise DatabaseError("away")
        return True

    with pytest.raises(GivenUp), given_up_when(unwanted):
        time.sleep(10)
    assert len(looks) == 2


def test_other_threads_are_left_alone() -> None:
    done: list[bool] = []

    def work() -> None:
        with given_up_when(lambda: True):
            time.sleep(0.2)
            done.append(True)

    thread = threading.Thread(target=work)
    thread.start()
    thread.join()
    assert done == [True]
