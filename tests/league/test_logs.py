from __future__ import annotations

import io
import json
import logging
import sys
from collections.abc import Iterator
from contextvars import ContextVar
from datetime import datetime
from typing import Any

import pytest

from league import logs
from league.logs import Belonging, JsonLine, about

LINE = "{levelname} {name}: {message}{belonging}"


@pytest.fixture(autouse=True)
def no_request(monkeypatch: pytest.MonkeyPatch) -> None:
    """Lines of a thread that has served none: that of another test is the last one's until the next begins."""
    monkeypatch.setattr(logs, "_belongs_to", ContextVar("belongs_to"))


@pytest.fixture
def logger() -> Iterator[tuple[logging.Logger, logging.StreamHandler[io.StringIO]]]:
    """A logger with the filter of the settings, and the handler that keeps what it writes."""
    handler = logging.StreamHandler(io.StringIO())
    handler.addFilter(Belonging())
    log = logging.Logger("league.somewhere")
    log.addHandler(handler)
    yield log, handler
    handler.close()


def told(handler: logging.StreamHandler[io.StringIO]) -> list[dict[str, Any]]:
    return [json.loads(line) for line in handler.stream.getvalue().splitlines()]


def test_a_readable_line_ends_with_what_it_belongs_to(logger: Any) -> None:
    log, handler = logger
    handler.setFormatter(logging.Formatter(LINE, style="{"))
    with about(match=7, attempt=2):
        log.info("played")
    log.info("idle")
    assert handler.stream.getvalue().splitlines() == [
        "INFO league.somewhere: played [match=7 attempt=2]",
        "INFO league.somewhere: idle",
    ]


def test_a_line_is_one_object_whatever_the_message_holds(logger: Any) -> None:
    log, handler = logger
    handler.setFormatter(JsonLine())
    with about(version=5, attempt=1), about(game=3):
        log.warning("two\nlines, a \u2028 and a lone \udc80 of %s", "Белый Слон")
    (line,) = told(handler)
    assert line.pop("process") > 0
    assert datetime.fromisoformat(line.pop("time")).utcoffset().total_seconds() == 0  # type: ignore[union-attr]
    assert line == {
        "level": "WARNING",
        "logger": "league.somewhere",
        "message": "two\nlines, a \u2028 and a lone \udc80 of Белый Слон",
        "version": 5,
        "attempt": 1,
        "game": 3,
    }


def test_a_traceback_stays_in_the_line_of_its_message(logger: Any) -> None:
    log, handler = logger
    handler.setFormatter(JsonLine())
    try:
        raise ValueError("no idea")
    except ValueError:
        log.exception("the platform's fault", exc_info=sys.exc_info())
    (line,) = told(handler)
    assert line["message"] == "the platform's fault"
    assert line["traceback"].endswith("ValueError: no idea")
    assert "Traceback" in line["traceback"]


def test_fields_end_with_their_block_also_when_it_fails(logger: Any) -> None:
    log, handler = logger
    handler.setFormatter(JsonLine())
    with pytest.raises(ValueError, match="no idea"), about(match=7):
        raise ValueError("no idea")
    log.info("later")
    assert "match" not in told(handler)[0]
