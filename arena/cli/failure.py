"""How a command ends when it can't do its work."""

from __future__ import annotations

BOT_FAILED = 1
DIFFERS = 1
USAGE = 2
PLATFORM_FAULT = 3
STATUSES = """exit status:
  0  all well
  1  a bot failed: it forfeited, raised an exception, or did not pass the check;
     a table is not what its matches give
  2  the command or a file can't be used
  3  the platform failed, or this machine can't confine bots
"""


class Failure(Exception):  # noqa: N818 - what the user reads
    """The command can't go on; the text is one line that says why and what to do."""

    def __init__(self, words: str, status: int) -> None:
        super().__init__(words, status)  # all of it: a worker process sends it to the one that waits
        self.words = words
        self.status = status

    def __str__(self) -> str:
        return self.words
