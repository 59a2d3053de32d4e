"""The card game Candidate: rules, matches, replays, and the library that bots import.

Everything here but `arena.cli`, `arena.rating` and `arena.training` needs the standard library alone, and is the same
code in the worker, in a bot's sandbox and in its author's terminal.
"""

from arena.cards import CARDS, SUITS, Card, ParseError, card, cards, text
from arena.observation import Observation
from arena.ruleset import Ruleset, TimeControl
from arena.state import IllegalAction, Phase, State

__all__ = [
    "CARDS",
    "SUITS",
    "Card",
    "IllegalAction",
    "Observation",
    "ParseError",
    "Phase",
    "Ruleset",
    "State",
    "TimeControl",
    "card",
    "cards",
    "text",
]
__version__ = "0.1.0"
