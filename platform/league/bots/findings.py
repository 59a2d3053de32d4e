"""What a check found, in the form in which it is stored, and read again for its author."""

from typing import Any, NamedTuple

from arena import replay
from arena.replay import Record, ReplayError
from arena.usage import Usage
from league import texts
from league.bots import usage
from league.bots.models import Found

REASON_CHARS = 2_000
TRACEBACK_CHARS = 8_000
OUTPUT_CHARS = 64 * 1024 + 200  # the first and last 32 KiB of what a bot printed


class Finding(NamedTuple):
    """What a check says to a bot's author."""

    reason: str
    """What failed, where, and what to do; empty if nothing did."""
    traceback: str = ""
    output: str = ""
    record: Record | None = None
    """The games of the check; none where it did not come to play."""
    used: Usage | None = None


def columns(finding: Finding) -> dict[str, Any]:
    """The finding as values of `Found`."""
    encoded = replay.encode(finding.record) if finding.record else None
    return {
        "reason": texts.storable(finding.reason, REASON_CHARS),
        "traceback": texts.storable(finding.traceback, TRACEBACK_CHARS),
        "output": texts.storable(finding.output, OUTPUT_CHARS),
        "record_format": encoded.format if encoded else None,
        "record_codec": encoded.codec if encoded else "",
        "record": encoded.data if encoded else None,
        **usage.columns(finding.used),
    }


def record(found: Found) -> Record | None:
    """The games of that check; none where there are none, or where they can't be read any more."""
    if found.record is None or found.record_format is None:
        return None
    try:
        return replay.decode(found.record_format, found.record_codec, bytes(found.record))
    except ReplayError:
        return None


def retried(fault: str) -> Finding:
    """The platform's fault, for the author to read while the check waits to be done again."""
    return Finding(texts.line(fault, 300))
