"""What a bot left behind in a match, as the match's page shows it to those who may read it."""

from collections.abc import Iterable
from typing import NamedTuple

from django.urls import reverse

from arena.replay import Record, ReplayError, positions
from arena.usage import Call, Usage
from league.bots import usage
from league.matches.models import Log


class LeftBehind(NamedTuple):
    log: Log
    used: Usage | None
    slowest_at: str
    """The address of the replay where the slowest decision was made; empty where there is none."""
    failed_at: str
    """The same of the call in which the bot forfeited."""


def left_behind(logs: Iterable[Log], record: Record | None) -> list[LeftBehind]:
    """Those logs of a match with what the bots used, and the way to the moves that stand out."""
    return [_left_behind(log, record) for log in logs]


def _left_behind(log: Log, record: Record | None) -> LeftBehind:
    used = usage.usage(log)
    slowest, failed = (used.slowest, used.failed) if used else (None, None)
    return LeftBehind(log, used, _address(log, record, slowest), _address(log, record, failed))


def _address(log: Log, record: Record | None, call: Call | None) -> str:
    if record is None or call is None or not 1 <= call.game <= len(record.games):
        return ""
    try:
        move = _move(record, call)
    except ReplayError:
        return ""
    return f"{reverse('matches:game', args=(log.match_id, call.game))}?move={move}"


def _move(record: Record, call: Call) -> int:
    """The move of the replay that came of that call; the one after the last where none did."""
    move = 0
    for move, (_state, _action, decision) in enumerate(positions(record, call.game), 1):
        if decision is not None and decision + 1 == call.decision:
            return move
    return move + 1
