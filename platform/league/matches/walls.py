"""The wall time of a bot's decisions, beside the moves of a game: for its owner and staff."""

from collections.abc import Iterable, Sequence
from dataclasses import replace

from arena.usage import Usage
from league.matches.viewer import Frame
from league.matches.words import duration


def beside(frames: Sequence[Frame], game: int, usages: Iterable[Usage]) -> list[Frame]:
    """Those frames of game `game`, with the wall times that are told in `usages`."""
    decisions: dict[int, str] = {}
    failed = ""
    for used in usages:
        decisions |= {call.decision: duration(call.wall_s) for call in used.decisions if call.game == game}
        if used.failed and used.failed.game == game:
            failed = duration(used.failed.wall_s)
    return [
        replace(frame, wall=failed if frame.what == "fault" else decisions.get(frame.decision or 0, ""))
        for frame in frames
    ]


def latest(frames: Sequence[Frame], move: int, seat: int) -> str:
    """The wall time of that seat's latest decision at that move; empty before its first one."""
    return next((frame.wall for frame in reversed(frames[: move + 1]) if frame.seat == seat and frame.wall), "")
