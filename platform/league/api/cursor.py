"""Where a list goes on: the place of the last row that was told, so that rows that come or go meanwhile shift nothing.

The parameters' patterns let none through that could not be read (`league.api.parameters`).
"""

from collections.abc import Sequence
from datetime import UTC, datetime, timedelta
from typing import TypeVar

from league.matches.models import Match

EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
MICROSECOND = timedelta(microseconds=1)

Row = TypeVar("Row")


def number(cursor: str, default: int) -> int:
    """The number that a cursor stands for; `default` for an empty one."""
    return int(cursor) if cursor else default


def after_match(match: Match) -> str:
    """The cursor behind that finished match."""
    return f"{((match.finished_at or EPOCH) - EPOCH) // MICROSECOND}-{match.pk}"


def match(cursor: str) -> Match:
    """The place of the match that a cursor stands for; the match itself may be elsewhere by now."""
    microseconds, pk = map(int, cursor.split("-"))
    return Match(pk=pk, finished_at=EPOCH + microseconds * MICROSECOND)


def page(rows: Sequence[Row], limit: int) -> tuple[Sequence[Row], Row | None]:
    """The rows of a page, of which one more than its limit was asked for, and the last of them if more come."""
    return rows[:limit], rows[limit - 1] if len(rows) > limit else None
