from __future__ import annotations

from typing import Any

import pytest

from arena import replay
from arena.outcome import Termination
from arena.players import LocalPlayer
from arena.qualification import GAMES, OpponentForfeited, qualify
from arena.ruleset import Ruleset


class Layer:
    def play(self, observation: Any) -> Any:
        return observation.legal_plays[-1]


class Raiser:
    def play(self, observation: Any) -> Any:
        raise ValueError("no idea")


class Broken:
    def __init__(self) -> None:
        raise OSError("no file")


def test_a_bot_that_plays_to_the_end_passes_whoever_wins() -> None:
    verdict = qualify(LocalPlayer(Layer), LocalPlayer(Layer))
    assert (verdict.passed, verdict.reason, verdict.traceback) == (True, "", "")
    assert len(verdict.record.games) == GAMES
    replay.verify(verdict.record)


def test_the_cards_are_always_the_same() -> None:
    first, second = (qualify(LocalPlayer(Layer), LocalPlayer(Layer)).record for _ in range(2))
    assert [game.actions for game in first.games] == [game.actions for game in second.games]


def test_it_is_played_by_the_rules_given_whatever_their_number_of_games() -> None:
    verdict = qualify(LocalPlayer(Layer), LocalPlayer(Layer), Ruleset(decks=2, games=50))
    assert (verdict.record.ruleset.decks, verdict.record.ruleset.games) == (2, GAMES)


def test_a_bot_that_raises_fails_with_the_place_and_its_traceback() -> None:
    verdict = qualify(LocalPlayer(Raiser), LocalPlayer(Layer))
    assert not verdict.passed
    assert verdict.record.outcome.termination == Termination.CRASH
    assert verdict.reason.startswith("game 1, decision ")
    assert verdict.reason.endswith("ValueError: no idea")
    assert "in play" in verdict.traceback


def test_a_bot_that_does_not_come_up_fails_with_its_traceback() -> None:
    verdict = qualify(LocalPlayer(Broken), LocalPlayer(Layer))
    assert not verdict.passed
    assert verdict.reason == "at load: OSError: no file"
    assert "in __init__" in verdict.traceback


def test_an_opponent_that_fails_is_no_verdict_on_the_bot() -> None:
    with pytest.raises(OpponentForfeited, match="no idea"):
        qualify(LocalPlayer(Layer), LocalPlayer(Raiser))


def test_a_bot_that_fails_beside_its_opponent_fails() -> None:
    verdict = qualify(LocalPlayer(Broken), LocalPlayer(Broken))
    assert not verdict.passed
