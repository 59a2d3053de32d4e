"""What a bot printed, beside the moves of a game at which it did: for its owner and staff."""

from collections.abc import Sequence

from league import texts
from league.matches.models import Log
from league.matches.viewer import Frame


def by_move(log: Log, game: int, frames: Sequence[Frame]) -> dict[int, str]:
    """What that log's bot printed in game `game`, whose frames those are, by move.

    What it printed before the first game is at the first game's start; what it printed when the game was over, or when
    it failed, at its last move.
    """
    last = len(frames) - 1
    moves = {frame.decision: frame.number for frame in frames if frame.decision} | {0: 0}
    starts = [start for _game, _decision, start in log.printed] + [len(log.output)]
    found: dict[int, str] = {}
    for (number, decision, start), end in zip(log.printed, starts[1:], strict=True):
        if max(1, number) == game:
            move = moves.get(decision, last)
            found[move] = found.get(move, "") + texts.visible(log.output[start:end])
    return found
