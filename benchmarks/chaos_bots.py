"""The bots of `make chaos`: what they do follows from what they observe, so a match can be played again anywhere."""

from collections.abc import Iterator
from itertools import count
from typing import Any

from arena import match
from arena.players import LocalPlayer
from arena.replay import Record
from arena.ruleset import Ruleset, TimeControl

WAIT_S = 0.001
"""Before each answer, so that matches take most of a second, and faults meet them."""
SOURCE = """import time


class Bot:
    def play(self, observation):
        time.sleep({wait_s})
        {misdeed}
        plays = observation.legal_plays
        return plays[{taste} % len(plays)]
"""
HONEST = "pass"
MISDEEDS = {
    "Quitter": "if observation.game == 4: raise RuntimeError('I give up')",
    "Cheat": "if observation.game == 7: return ['1H']",
}
"""Those that pass their check and forfeit every match."""
DOOMED = "Doomed"
"""The one that fails its check."""
FAILS_AT_ONCE = "raise RuntimeError('I never play')"


def names() -> Iterator[str]:
    """As many bots as are wanted; first those with a misdeed."""
    yield from MISDEEDS
    yield from (f"Taste {taste}" for taste in count())


def source(name: str, wait_s: float = WAIT_S) -> bytes:
    """The upload of the bot of that name."""
    misdeed = FAILS_AT_ONCE if name == DOOMED else MISDEEDS.get(name, HONEST)
    taste = int(name.rpartition(" ")[2]) if misdeed == HONEST else 0
    return SOURCE.format(wait_s=wait_s, misdeed=misdeed, taste=taste).encode()


def played(a: str, b: str, ruleset: Ruleset, time_control: TimeControl, seed: int) -> Record:
    """The match of those two, played in this process without a sandbox, and without their waiting."""
    return match.play((LocalPlayer(_maker(a)), LocalPlayer(_maker(b))), ruleset, time_control, seed)


def _maker(name: str) -> Any:
    module: dict[str, Any] = {}
    exec(compile(source(name, wait_s=0), f"{name}.py", "exec"), module)  # noqa: S102 - our own
    return module["Bot"]
