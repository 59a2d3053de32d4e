"""Who is out of time, on clocks that the tests move by hand. Times in milliseconds."""

from __future__ import annotations

import time

import pytest

from sandbox import stopwatch
from sandbox.stopwatch import Stopwatch

MS = 1_000_000


class Hands:
    """A clock of CPU time and of waiting, and the wall clock, all moved by hand."""

    def __init__(self, cheap: bool = True, counted: bool = True) -> None:
        self.cheap = cheap
        self.counted = counted
        self.wall = self.cpu = self.waited = 0
        self.asleep = False

    def cpu_ns(self) -> int:
        return self.cpu * MS

    def waited_ns(self) -> int | None:
        return self.waited * MS if self.counted else None

    def is_asleep(self) -> bool:
        return self.asleep

    def pass_time(self, cpu: int = 0, waited: int = 0, asleep: int = 0, uncounted: int = 0) -> None:
        self.cpu += cpu
        self.waited += waited
        self.wall += cpu + waited + asleep + uncounted
        self.asleep = asleep > 0


@pytest.fixture
def hands(monkeypatch: pytest.MonkeyPatch) -> Hands:
    return running(Hands(), monkeypatch)


def running(hands: Hands, monkeypatch: pytest.MonkeyPatch) -> Hands:
    monkeypatch.setattr(time, "monotonic_ns", lambda: hands.wall * MS)
    monkeypatch.setattr(stopwatch, "waited_ns", lambda _: 0)
    return hands


def run(watch: Stopwatch, hands: Hands, rounds: int, **each: int) -> str:
    """Lets time pass in that many slices, with a look whenever one is due; the verdict."""
    for _ in range(rounds):
        hands.pass_time(**each)
        if watch.due() and (reason := watch.overdue()):
            return reason
    return ""


def test_a_quick_answer_costs_its_cpu_time(hands: Hands) -> None:
    watch = Stopwatch(hands)
    watch.start(1.0, "for a decision")
    hands.pass_time(cpu=5)
    assert not watch.due()
    assert watch.stop() == (0.005, "")


def test_thinking_past_the_limit_is_too_long(hands: Hands) -> None:
    watch = Stopwatch(hands)
    watch.start(1.0, "for a decision")
    assert run(watch, hands, 99, cpu=10) == ""
    assert run(watch, hands, 2, cpu=10) == "no answer within 1 s of CPU time for a decision"


def test_an_answer_after_the_limit_is_too_late(hands: Hands) -> None:
    watch = Stopwatch(hands)
    watch.start(0.01, "for a decision")
    hands.pass_time(cpu=11)
    assert watch.stop() == (0.011, "0.011 s of CPU time used for a decision, of 0.01 s")


def test_sleeping_past_the_limit_is_too_long(hands: Hands) -> None:
    watch = Stopwatch(hands)
    watch.start(1.0, "for a decision")
    assert run(watch, hands, 124, asleep=10) == ""
    assert "asleep" in run(watch, hands, 6, asleep=10)


def test_waiting_for_a_core_is_never_too_long(hands: Hands) -> None:
    watch = Stopwatch(hands)
    watch.start(1.0, "for a decision")
    assert run(watch, hands, 1_000, cpu=1, waited=29) == "no answer within 1 s of CPU time for a decision"
    assert hands.cpu == 1_000


def test_half_the_limit_on_a_machine_with_forty_times_the_load_is_in_time(hands: Hands) -> None:
    watch = Stopwatch(hands)
    watch.bank(30)
    watch.start(1.0, "for a decision")
    assert run(watch, hands, 500, cpu=1, waited=39) == ""
    assert watch.stop() == (0.5, "")


def test_while_this_process_was_stopped_no_time_counts(hands: Hands) -> None:
    watch = Stopwatch(hands)
    watch.start(1.0, "for a decision")
    run(watch, hands, 5, asleep=10)
    hands.pass_time(asleep=3_600_000)
    assert watch.overdue() == ""


def test_while_this_process_was_stopped_and_the_answer_came_no_sleep_counts(hands: Hands) -> None:
    watch = Stopwatch(hands)
    watch.bank(1.0)
    watch.start(0.5, "for a decision")
    run(watch, hands, 5, cpu=10)
    hands.pass_time(asleep=3_600_000)
    assert watch.stop() == (0.05, "")
    watch.start(0.5, "for a decision")
    assert run(watch, hands, 30, asleep=10) == ""


def test_the_bank_is_used_up_in_slices(hands: Hands) -> None:
    watch = Stopwatch(hands)
    watch.bank(1.0)
    for _ in range(5):
        watch.start(0.25, "for a decision")
        hands.pass_time(cpu=200)
        _, reason = watch.stop()
        assert reason == ""
    watch.start(0.25, "for a decision")
    assert run(watch, hands, 3, cpu=10) == "the bank of 1 s of CPU time for the match is used up"


def test_loading_does_not_use_the_bank(hands: Hands) -> None:
    watch = Stopwatch(hands)
    watch.start(10.0, "to load")
    run(watch, hands, 90, cpu=100)
    watch.stop()
    watch.bank(1.0)
    watch.start(1.0, "for a decision")
    hands.pass_time(cpu=900)
    assert watch.stop() == (0.9, "")


def test_what_is_thought_between_two_questions_counts(hands: Hands) -> None:
    watch = Stopwatch(hands)
    watch.start(1.0, "for a decision")
    watch.stop()
    hands.pass_time(cpu=300)
    watch.start(1.0, "for a decision")
    hands.pass_time(cpu=1)
    assert watch.stop() == (0.301, "")


def test_sleep_in_slices_is_used_up_like_the_bank(hands: Hands) -> None:
    watch = Stopwatch(hands)
    watch.bank(1.0)
    reasons = []
    for _ in range(12):
        watch.start(0.3, "for a decision")
        reasons.append(run(watch, hands, 20, asleep=10))
        watch.stop()
    assert reasons[:4] == [""] * 4
    assert "slept away" in "".join(reasons)


def test_without_figures_of_the_scheduler_patience_is_longer(monkeypatch: pytest.MonkeyPatch) -> None:
    hands = running(Hands(counted=False), monkeypatch)
    watch = Stopwatch(hands)
    watch.start(1.0, "for a decision")
    assert run(watch, hands, 900, asleep=10) == ""
    assert "asleep" in run(watch, hands, 200, asleep=10)


def test_a_clock_that_is_dear_is_read_for_slow_answers_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    hands = running(Hands(cheap=False), monkeypatch)
    watch = Stopwatch(hands)
    watch.bank(10.0)
    watch.start(1.0, "for a decision")
    hands.pass_time(cpu=1, waited=9)
    assert watch.stop() == (0.01, "")
    watch.start(1.0, "for a decision")
    assert run(watch, hands, 10, cpu=5, waited=5) == ""
    used, reason = watch.stop()
    assert 0.05 <= used <= 0.07
    assert reason == ""


def test_estimates_alone_never_use_up_the_bank(monkeypatch: pytest.MonkeyPatch) -> None:
    hands = running(Hands(cheap=False), monkeypatch)
    watch = Stopwatch(hands)
    watch.bank(1.0)
    for _ in range(300):
        watch.start(1.0, "for a decision")
        hands.pass_time(cpu=1, waited=9)
        assert watch.stop()[1] == ""


def test_a_clock_that_is_dear_charges_the_bank_with_what_is_thought_between_two_questions(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    hands = running(Hands(cheap=False), monkeypatch)
    watch = Stopwatch(hands)
    watch.bank(1.0)
    reasons = []
    for _ in range(11):
        watch.start(1.0, "for a decision")
        hands.pass_time(cpu=1)
        reasons.append(watch.stop()[1])
        hands.pass_time(cpu=99)
    assert reasons == [""] * 10 + ["the bank of 1 s of CPU time for the match is used up"]


def test_a_clock_that_is_dear_is_asked_only_when_the_bank_may_be_used_up(monkeypatch: pytest.MonkeyPatch) -> None:
    hands = running(Hands(cheap=False), monkeypatch)
    watch = Stopwatch(hands)
    watch.bank(1.0)
    asked = []
    monkeypatch.setattr(hands, "cpu_ns", lambda: asked.append(hands.wall) or hands.cpu * MS)
    for _ in range(300):
        watch.start(1.0, "for a decision")
        hands.pass_time(cpu=1, waited=9)
        assert watch.stop()[1] == ""
    assert len(asked) < 6
    assert asked[0] > 1_000


def test_waiting_that_is_in_no_figure_yet_is_not_taken_for_sleep(hands: Hands) -> None:
    """The scheduler counts a wait when it ends, and a hypervisor's share never: the bot still wants to run."""
    watch = Stopwatch(hands)
    watch.bank(2.0)
    watch.start(1.0, "for a decision")
    assert run(watch, hands, 300, cpu=1, uncounted=20) == ""
    assert "of CPU time" in run(watch, hands, 300, cpu=10, uncounted=20)


def test_sleep_is_seen_as_such_when_the_bot_falls_asleep_again(hands: Hands) -> None:
    watch = Stopwatch(hands)
    watch.start(1.0, "for a decision")
    assert run(watch, hands, 300, cpu=1, uncounted=20) == ""
    assert run(watch, hands, 2, asleep=10).endswith("most of it asleep")
