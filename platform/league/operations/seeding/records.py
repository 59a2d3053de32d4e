"""Real records: matches that house bots play in this process, a few of each pair of them."""

from functools import cached_property
from importlib import import_module
from random import Random

from arena.chance import SEED_BITS
from arena.match import play
from arena.players import LocalPlayer, Player
from arena.replay import Record
from arena.ruleset import Ruleset, TimeControl
from arena.witness import Witness
from league.matches.services import BotLog
from league.operations.seeding import faults, times
from league.tournaments.models import Tournament

A_PAIR = 2
"""Different matches of one pair of house bots; more would only take longer."""
FAILS = 0.08
MOST_REQUESTS = 700
"""About as many as one bot gets in a match of twelve games."""


class Played:
    """A match that was played, with what both bots left behind."""

    def __init__(self, record: Record, logs: tuple[BotLog, BotLog]) -> None:
        self.record = record
        self.logs = logs


class Records:
    """Matches of house bots, played when they are first asked for."""

    def __init__(self, chance: Random, tournament: Tournament) -> None:
        self._chance = chance
        self._tournament = tournament
        self._played: dict[tuple[str, str, int], Played] = {}

    def __len__(self) -> int:
        return len(self._played)

    @cached_property
    def _rules(self) -> tuple[Ruleset, TimeControl]:
        return Ruleset.from_dict(self._tournament.ruleset), TimeControl.from_dict(self._tournament.time_control)

    def of(self, a: str, b: str) -> Played:
        """A match of those two house bots; now and then one of them fails."""
        turn = -1 if self._chance.random() < FAILS else self._chance.randrange(A_PAIR)
        key = (a, b, turn)
        if key not in self._played:
            self._played[key] = self._play(a, b, fails=turn == -1)
        return self._played[key]

    def _play(self, a: str, b: str, *, fails: bool) -> Played:
        chance = self._chance
        players: list[Player] = [LocalPlayer(import_module(f"arena.bots.{name}").Bot) for name in (a, b)]
        if fails:
            loser = chance.randrange(2)
            players[loser] = faults.Failing(players[loser], faults.of_bot(chance), chance.randrange(MOST_REQUESTS))
        seats = Witness(players[0]), Witness(players[1])
        ruleset, time_control = self._rules
        record = play(seats, ruleset, time_control, chance.getrandbits(SEED_BITS))
        times.draw(record, chance)
        logs = (
            BotLog(seats[0].traceback, _output(record, a, 0), used=times.used(record, seats[0].calls, chance)),
            BotLog(seats[1].traceback, _output(record, b, 1), used=times.used(record, seats[1].calls, chance)),
        )
        return Played(record, logs)


def _output(record: Record, name: str, seat: int) -> str:
    """What a bot that says how it fares would print; of two pairs of bots one is silent."""
    if record.seed % 2:
        return ""
    lines = [f"{name}: ready"]
    for number, game in enumerate(record.games, 1):
        lines.append(f"game {number}: {game.points[seat]} to {game.points[1 - seat]} in {game.rounds} rounds")
    return "\n".join(lines) + "\n"
