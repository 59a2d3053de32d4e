"""What a tournament fixes: the rules of the game and the time its bots have."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass, fields
from typing import Any, Self

CHOICES = {
    "decks": (1, 2, 3),
    "games": range(1, 101),
    "run_direction": ("up", "both"),
    "unclaimed": ("same_leader", "other_leader"),
    "endgame": ("lead_from_hand", "stop"),
    "set_scoring": ("count", "worth"),
}
TIME_LIMITS_S = (0.01, 3600.0)


class _Options:
    """Reading and writing of frozen options as a plain dict."""

    @classmethod
    def from_dict(cls, options: Mapping[str, Any]) -> Self:
        """The options of that dict; those it lacks have their defaults.

        Raises:
            ValueError: it is no mapping, an option is unknown or out of range.
        """
        if not isinstance(options, Mapping):
            raise ValueError(f"expected the options as a mapping, got {options!r:.60}")
        known = {each.name for each in fields(cls)}  # type: ignore[arg-type]
        for name in options:
            if name not in known:
                raise ValueError(f"unknown option {name!r:.40}; expected one of {', '.join(sorted(known))}")
        return cls(**options)

    def as_dict(self) -> dict[str, Any]:
        """The options by name, ready for JSON."""
        return asdict(self)  # type: ignore[call-overload, no-any-return]


@dataclass(frozen=True, slots=True)
class Ruleset(_Options):
    """The options of the game; `docs/rules.md` says what each changes."""

    decks: int = 1
    games: int = 12
    run_direction: str = "up"
    unclaimed: str = "same_leader"
    endgame: str = "lead_from_hand"
    set_scoring: str = "count"

    def __post_init__(self) -> None:
        for name, allowed in CHOICES.items():
            value = getattr(self, name)
            if type(value) is not type(allowed[0]) or value not in allowed:
                shown = f"{allowed[0]} to {allowed[-1]}" if name == "games" else ", ".join(map(str, allowed))
                raise ValueError(f"{name}: expected {shown}, got {value!r:.40}")


@dataclass(frozen=True, slots=True)
class TimeControl(_Options):
    """Seconds of CPU time that a bot has."""

    load_s: float = 10.0
    """To import the module and make the bot."""
    decision_s: float = 1.0
    """For one decision or one hook."""
    bank_s: float = 30.0
    """For all decisions and hooks of a match together."""

    def __post_init__(self) -> None:
        low, high = TIME_LIMITS_S
        for each in fields(self):
            value = getattr(self, each.name)
            if isinstance(value, bool) or not isinstance(value, int | float) or not low <= value <= high:
                raise ValueError(f"{each.name}: expected {low} to {high:.0f} seconds, got {value!r:.40}")
