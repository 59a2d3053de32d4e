"""A match stays on one core, and its worker goes where it likes afterwards."""

from __future__ import annotations

import os

from sandbox.box import BotBox
from sandbox.cores import one_core
from tests.sandbox.harness import AMPLE, loaded, question


def test_the_worker_stays_on_a_core_for_a_match_and_no_longer() -> None:
    before = os.sched_getaffinity(0)
    with one_core():
        assert len(os.sched_getaffinity(0)) == 1
        assert os.sched_getaffinity(0) <= before
    assert os.sched_getaffinity(0) == before


def test_the_bots_of_a_match_are_on_the_core_of_their_worker(box: BotBox) -> None:
    with box.match(AMPLE, "follows") as session, one_core():
        loaded(session).ask(question(1))
        pid = session._stopwatch._clock._pid  # type: ignore[attr-defined]
        assert os.sched_getaffinity(pid) == os.sched_getaffinity(0)
    with box.match(AMPLE, "goes where it likes") as session:
        loaded(session).ask(question(1))
        pid = session._stopwatch._clock._pid  # type: ignore[attr-defined]
        assert os.sched_getaffinity(pid) == os.sched_getaffinity(0)
    box.close()
