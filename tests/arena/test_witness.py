"""What a match leaves behind for a bot's author, beside the public record."""

from __future__ import annotations

import time
from typing import Any

import pytest

from arena.match import play
from arena.outcome import Forfeit, Termination
from arena.players import Answer, LocalPlayer
from arena.ruleset import Ruleset, TimeControl
from arena.usage import Call, Usage
from arena.witness import Witness


class Listener:
    def play(self, observation: Any) -> Any:
        return observation.legal_plays[0]

    def match_start(self, seat: int, ruleset: Ruleset, time_control: TimeControl) -> None:
        pass

    def game_end(self, observation: Any) -> None:
        pass


class Sleeper(Listener):
    def play(self, observation: Any) -> Any:
        time.sleep(0.02)
        raise ValueError("no idea")


def watched(bot: type) -> Witness:
    seats = Witness(LocalPlayer(bot)), LocalPlayer(Listener)
    play(seats, Ruleset(games=2), TimeControl(), 7)
    return seats[0]


def test_every_call_of_a_match_is_told_in_order_with_its_place() -> None:
    calls = watched(Listener).calls
    assert [call[:3] for call in calls[:2]] == [(0, 0, "load"), (0, 0, "match_start")]
    assert [call.game for call in calls if call.name == "game_end"] == [1, 2]
    played = [call for call in calls if call.name == "play"]
    assert len(played) > 20
    for game in (1, 2):
        decisions = [call.decision for call in played if call.game == game]
        assert decisions == sorted(set(decisions))


def test_wall_time_is_at_least_cpu_time_in_every_call() -> None:
    for call in watched(Listener).calls:
        assert call.cpu_s is not None
        assert 0 <= call.cpu_s <= call.wall_s + 0.001  # two clocks, read one after the other


def test_the_call_in_which_a_bot_forfeits_has_a_wall_time_and_no_cpu_time() -> None:
    witness = watched(Sleeper)
    last = witness.calls[-1]
    assert (last.name, last.cpu_s) == ("play", None)
    assert last.wall_s >= 0.02
    assert "no idea" in witness.traceback


def test_a_bot_that_does_not_come_up_leaves_its_load_alone() -> None:
    class Absent(LocalPlayer):
        def load(self, start: Any) -> Answer:
            raise Forfeit(Termination.CRASH, "no module")

    witness = Witness(Absent(Listener))
    play((witness, LocalPlayer(Listener)), Ruleset(games=1), TimeControl(), 7)
    assert [(call.name, call.cpu_s) for call in witness.calls] == [("load", None)]


CALLS = (
    Call(0, 0, "load", 0.04, 0.05),
    Call(1, 0, "game_start", 0.9, 0.9),
    Call(1, 1, "choose_pile", 0.001, 0.5),
    Call(3, 17, "play", 0.012, 0.014),
    Call(3, 19, "play", 0.002, 0.002),
)


def test_the_slowest_decision_is_the_one_that_took_most_cpu_time_and_is_no_hook() -> None:
    used = Usage(41_984, 1.0, CALLS)
    assert used.load == CALLS[0]
    assert used.slowest == CALLS[3]
    assert used.failed is None


def test_a_call_without_an_answer_is_neither_load_nor_decision() -> None:
    failed = Call(0, 0, "load", None, 10.2)
    used = Usage(41_984, 1.0, (failed,))
    assert (used.load, used.slowest, used.failed) == (None, None, failed)


@pytest.mark.parametrize("calls", [(), CALLS, (Call(0, 0, "load", None, 1.0),)])
def test_as_a_dict_it_holds_the_figures_that_there_are(calls: tuple[Call, ...]) -> None:
    used = Usage(41_984, 1.0, calls)
    plain = used.as_dict()
    assert (plain["cpu_s"], plain["memory_peak_kib"]) == (1.0, 41_984)
    for name in ("load", "slowest", "failed"):
        found = getattr(used, name)
        assert plain[name] == (found._asdict() if found else None)
