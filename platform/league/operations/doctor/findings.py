from enum import StrEnum
from typing import NamedTuple


class State(StrEnum):
    OK = "ok"
    WARN = "warn"
    """It runs, and should be looked at."""
    BAD = "bad"
    """Something does not work, or is not safe."""


class Finding(NamedTuple):
    subject: str
    state: State
    found: str
    advice: str = ""
    """What to do about it; nothing where it is ok."""
