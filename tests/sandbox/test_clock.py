"""Whose clock it is."""

import os

from sandbox.clock import ProcessClock, clock_of


def test_a_process_that_is_the_one_told_of_has_a_clock() -> None:
    clock = clock_of(os.getpid(), os.getpid())
    assert isinstance(clock, ProcessClock)
    assert clock.cpu_ns() > 0


def test_the_clock_of_a_kernel_in_between_is_not_the_bots() -> None:
    assert clock_of(os.getpid(), 2) is None


def test_a_process_that_can_not_be_seen_has_no_clock() -> None:
    assert clock_of(0, 0) is None
    assert clock_of(2**22 + 1, 2) is None
