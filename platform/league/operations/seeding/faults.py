"""What bots and the platform do wrong, in the words that the sandbox and the engine have for it."""

from random import Random
from typing import NamedTuple

from arena import wire
from arena.outcome import Forfeit, Termination
from arena.players import Answer, Player

CRASH = """Traceback (most recent call last):
  File "bot.py", line 31, in play
    return max(self.candidates(observation), key=self.worth)
ValueError: max() arg is an empty sequence
"""
NO_MODULE = """Traceback (most recent call last):
  File "bot.py", line 3, in <module>
    import torch
ModuleNotFoundError: No module named 'torch'
"""
PLATFORM = (
    "SandboxFault: the container engine closed the connection\n",
    "the worker process ended",
    "no game was finished within 300 s: the lease has passed",
)


class Fault(NamedTuple):
    termination: Termination
    reason: str
    traceback: str = ""


IN_PLAY = (
    Fault(Termination.TIME, "no answer within 1 s of CPU time to play"),
    Fault(Termination.TIME, "the bank of 30 s of CPU time for the match is used up"),
    Fault(Termination.CRASH, "ValueError: max() arg is an empty sequence", CRASH),
    Fault(Termination.CRASH, "the bot's process was ended by SIGSEGV (Segmentation fault)"),
    Fault(Termination.MEMORY, "out of memory: 256 MiB are the limit"),
    Fault(Termination.ILLEGAL, "'1H' is no card; cards are written such as 'TH'"),
)
AT_LOAD = Fault(Termination.CRASH, "ModuleNotFoundError: No module named 'torch'", NO_MODULE)


def of_bot(chance: Random) -> Fault:
    return chance.choice(IN_PLAY)


def place(chance: Random, game: int) -> str:
    """Where in that game it happened, as the engine says it."""
    return f"game {game}, decision {chance.randint(1, 60)}"


class Failing:
    """That player, until it has been asked so many times: then it commits that fault."""

    def __init__(self, player: Player, fault: Fault, after: int) -> None:
        self.defines: frozenset[str] = frozenset()
        self._player = player
        self._fault = fault
        self._left = after

    def load(self, start: wire.Message) -> Answer:
        loaded = self._player.load(start)
        self.defines = self._player.defines
        return loaded

    def ask(self, request: wire.Message) -> Answer:
        self._left -= 1
        if self._left < 0:
            raise Forfeit(self._fault.termination, self._fault.reason, self._fault.traceback)
        return self._player.ask(request)
