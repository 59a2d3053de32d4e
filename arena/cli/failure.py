"""How a command ends when it can't do its work."""

from __future__ import annotations

BOT_FAILED = 1
USAGE = 2
PLATFORM_FAULT = 3


class Failure(Exception):  # noqa: N818 - what the user reads
    """The command can't go on; the text is one line that says why and what to do."""

    def __init__(self, words: str, status: int) -> None:
        super().__init__(words)
        self.status = status
