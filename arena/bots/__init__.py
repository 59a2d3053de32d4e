"""The house bots: each module here is one file that could be uploaded as it stands, and a model for authors."""

from __future__ import annotations

from pathlib import Path

HOUSE: tuple[str, ...] = ("passer", "random", "longest", "points", "counting", "montecarlo")
"""Their names, weakest first."""


def path(name: str) -> Path:
    """The file of that house bot.

    Raises:
        LookupError: there is none of that name.
    """
    if name not in HOUSE:
        raise LookupError(f"no house bot is called {name!r:.40}; there are {', '.join(HOUSE)}")
    return Path(__file__).with_name(f"{name}.py")


def source(name: str) -> bytes:
    """The content of that house bot's file, ready to upload.

    Raises:
        LookupError: there is none of that name.
    """
    return path(name).read_bytes()
