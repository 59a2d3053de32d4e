"""Lines of the log, and what each belongs to: a request, or an attempt at a match or a check."""

import json
import logging
from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from datetime import UTC, datetime

FORMATS = ("line", "json")

_belongs_to: ContextVar[dict[str, int | str]] = ContextVar("belongs_to")


@contextmanager
def about(**fields: int | str) -> Iterator[None]:
    """Every line that this thread logs inside tells these fields, beside those around it."""
    token = _belongs_to.set({**_belongs_to.get({}), **fields})
    try:
        yield
    finally:
        _belongs_to.reset(token)


def begin(request_id: str) -> None:
    """Every line of this thread belongs to that request, until the next one begins.

    There is no end: Django logs an answer after the last middleware has seen it, and a long answer is still being made
    while it is sent.
    """
    _belongs_to.set({"request": request_id})


class Belonging(logging.Filter):
    """Lets every line pass, with the fields that it belongs to as `fields`, and as text to be put behind a message."""

    def filter(self, record: logging.LogRecord) -> bool:
        fields = _belongs_to.get({})
        words = " ".join(f"{name}={value}" for name, value in fields.items())
        vars(record).update(fields=fields, belonging=f" [{words}]" if words else "")
        return True


class JsonLine(logging.Formatter):
    """One JSON object a line: when (UTC), how grave, of which logger and process, the words, fields and traceback."""

    def format(self, record: logging.LogRecord) -> str:
        told = {
            "time": datetime.fromtimestamp(record.created, UTC).isoformat(timespec="milliseconds"),
            "level": record.levelname,
            "logger": record.name,
            "process": record.process,
            "message": record.getMessage(),
            **getattr(record, "fields", {}),
        }
        if record.exc_info:
            told["traceback"] = self.formatException(record.exc_info)
        return json.dumps(told)
