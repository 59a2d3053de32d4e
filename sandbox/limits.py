"""What a bot may use besides time, as data with the units in the names."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from typing import Any

MODULE_BYTES, ARCHIVE_BYTES = 1024 * 1024, 24 * 1024 * 1024
"""The largest .py and .zip that are taken as a bot, if nothing else is set: 20 MiB of weights fit, with all around."""
KEPT_OUTPUT_BYTES = 32 * 1024
"""Of a bot's output, the first and the last so many bytes of a match are kept."""


@dataclass(frozen=True, slots=True)
class Limits:
    """The limits of one box; the time control comes with each match."""

    memory_mib: int = 256
    """Address space of the bot's process (`RLIMIT_AS`), so that running out of it is a MemoryError in the bot.

    With numpy, whose libraries alone map a hundred MiB, what it may write to (`RLIMIT_DATA`).
    """
    numpy_space_mib: int = 1024
    """Address space of a bot with numpy."""
    open_files: int = 64
    stack_mib: int = 8
    start_s: float = 30.0
    """For the box to say that it stands; longer is the platform's fault."""
    life_s: float = 6 * 3600.0
    """A box ends by itself after that time, between two matches."""

    def as_dict(self) -> dict[str, Any]:
        return asdict(self)
