"""What a player saw when its match broke off: for the author who asks why."""

from __future__ import annotations

from arena.events import told
from arena.observation import Observation
from arena.replay import Record, positions


def observed(record: Record, seat: int) -> Observation | None:
    """The observation of that seat where the record ends; none where no game was begun.

    In a match that was forfeited this is what the bot was asked about: its hand, the lobby, what was legal.

    Raises:
        ReplayError: the record's last game is not one by the rules.
    """
    if not record.games:
        return None
    number = len(record.games)
    *before, last = record.games
    scores = [sum(game.points[each] for game in before) for each in range(2)]
    observation = Observation(record.ruleset, seat, number, last.dealer, scores)
    for state, action, _ in positions(record, number):
        mine, others = told(state, action)
        observation.update(mine if state.to_move == seat else others)
    return observation
