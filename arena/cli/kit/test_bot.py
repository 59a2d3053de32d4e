"""Tests of my bot: `python -m unittest` in this folder, or pytest."""

from __future__ import annotations

import unittest
from pathlib import Path

from arena import Ruleset, TimeControl
from arena.bots.passer import Bot as Passer
from arena.bots.random import Bot as Random
from arena.host import load_module
from arena.match import play
from arena.players import LocalPlayer
from arena.replay import Record, verify

MY_BOT = load_module(Path(__file__).parent)
"""Imports bot.py as the arena does, and makes its Bot."""


def match(house_bot: type, games: int) -> Record:
    """The record of a match in this process; my bot has seat A. The same seed deals the same cards."""
    return play((LocalPlayer(MY_BOT), LocalPlayer(house_bot)), Ruleset(games=games), TimeControl(), seed=1)


class BotTest(unittest.TestCase):
    def test_it_plays_all_games_by_the_rules(self) -> None:
        record = match(Random, games=4)
        self.assertEqual(record.outcome.forfeits, (), record.outcome.reason)
        self.assertEqual(len(record.games), 4)
        verify(record)

    def test_it_beats_a_bot_that_always_passes(self) -> None:
        self.assertEqual(match(Passer, games=2).outcome.winner, 0)


if __name__ == "__main__":
    unittest.main()
