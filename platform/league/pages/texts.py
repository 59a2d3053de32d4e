"""What the rules page shows beside its text, taken from the configuration that enforces it."""

from typing import Any

from arena.ruleset import CHOICES, Ruleset


def options(ruleset: Ruleset) -> list[dict[str, Any]]:
    """The ruleset's options with the value in force."""
    return [{"name": name, "current": getattr(ruleset, name)} for name in CHOICES]
