"""The record of a match, as it is stored and as a file."""

import json
from hashlib import sha256

from arena import replay
from arena.replay import Record
from league.matches.models import Match


def read(match: Match) -> Record:
    """The stored record of that match, which has one.

    Raises:
        ReplayError: it can't be read.
    """
    return replay.decode(match.replay.format, match.replay.codec, bytes(match.replay.data))


def as_json(match: Match, record: Record) -> str:
    """The record as `arena replay` reads it, with the names of both bots."""
    a, b = match.version_a.bot.name, match.version_b.bot.name
    named = {"match": match.pk, "bots": [a, b], "points": record.points, **replay.as_dict(record)}
    return json.dumps(named, ensure_ascii=False, separators=(",", ":")) + "\n"


def fingerprint(match: Match) -> str:
    """Of the record and the names in its file: part of its address, since bots may be renamed and matches rejudged."""
    names = f"{match.replay.sha256}\n{match.version_a.bot.name}\n{match.version_b.bot.name}"
    return sha256(names.encode()).hexdigest()[:8]
