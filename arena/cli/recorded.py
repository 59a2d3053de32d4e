"""Records as files: JSON or text, as the site serves them and `arena play` writes them."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any, NamedTuple

from arena import notation, replay
from arena.cli.failure import USAGE, Failure
from arena.cli.screen import printable
from arena.outcome import SEATS
from arena.replay import MOST_BYTES, Record

MOST_TEXT_BYTES = 4 * MOST_BYTES
"""A record as text is a few times as long as its stored form."""
NAME_CHARS = 40


class Recorded(NamedTuple):
    record: Record
    names: tuple[str, str]
    """Of the bots; `A` and `B` where the file has none, as those of text."""

    def called(self, seat: int) -> str:
        """The seat with the bot's name, fit to be printed."""
        letter, name = SEATS[seat], printable(self.names[seat])
        return letter if name == letter else f"{letter} {name}"


def read(path: Path) -> Recorded:
    """The record of that file; each game was played again, so that it is one by the rules.

    Raises:
        Failure: there is no such file, or no such record in it.
    """
    written = _written(path)
    try:
        if written.lstrip().startswith("{"):
            plain = json.loads(written)
            record, names = replay.from_dict(plain), _names(plain.get("bots"))
        else:
            record, names = notation.read(written), (SEATS[0], SEATS[1])
        replay.verify(record)
    except json.JSONDecodeError as error:
        raise Failure(f"{path}: not a whole record: {error}; get the file again", USAGE) from None
    except RecursionError:
        raise Failure(f"{path}: not a record: it is nested too deep", USAGE) from None
    except ValueError as error:
        raise Failure(f"{path}: {error}", USAGE) from None
    return Recorded(record, names)


def _written(path: Path) -> str:
    try:
        with path.open("rb") as file:
            content = file.read(MOST_TEXT_BYTES + 1)
    except FileNotFoundError:
        raise Failure(f"{path}: there is no such file", USAGE) from None
    except (OSError, ValueError) as error:
        raise Failure(f"{path}: {getattr(error, 'strerror', None) or error}", USAGE) from None
    if len(content) > MOST_TEXT_BYTES:
        raise Failure(f"{path}: not a record: more than {MOST_TEXT_BYTES:,} bytes", USAGE)
    try:
        return content.decode()
    except UnicodeDecodeError:
        raise Failure(f"{path}: not a record: expected JSON or text, as the site serves it", USAGE) from None


def _names(given: Any) -> tuple[str, str]:
    match given:
        case [str(a), str(b)]:
            return a[:NAME_CHARS], b[:NAME_CHARS]
    return SEATS[0], SEATS[1]
