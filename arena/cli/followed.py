"""Leads a bot through a recorded match: it sees what its seat saw, and what it says now is noted, not done."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from time import thread_time
from typing import Any, NamedTuple

from arena import wire
from arena.cards import BY_TEXT, text
from arena.events import told
from arena.host import Host
from arena.match import PURPOSES, default_pile
from arena.observation import Observation
from arena.outcome import Forfeit
from arena.players import read_error
from arena.replay import Record, positions, start
from arena.state import OVER, IllegalAction, State


class Place(NamedTuple):
    """A decision of a match, as reasons name it: both numbers count from 1."""

    game: int
    decision: int

    def __str__(self) -> str:
        return f"game {self.game}, decision {self.decision}"


class Decision(NamedTuple):
    """What the record has at one place, and what the bot says there now; both in notation."""

    place: Place
    call: str
    """`play`, or what a pile is chosen for."""
    hand: str
    lobby: str
    recorded: str | None
    """None where the match broke off."""
    now: str
    legal: bool
    """If the rules allow what it says now."""
    cpu_s: float
    """CPU time that it took now, on this machine."""

    @property
    def differs(self) -> bool:
        return self.now != self.recorded

    def as_dict(self) -> dict[str, Any]:
        """Ready for JSON."""
        plain = self._asdict()
        return {**plain.pop("place")._asdict(), **plain}


class Failed(Exception):  # noqa: N818 - a verdict on a bot
    """The bot failed in a call; the forfeit has its traceback."""

    def __init__(self, where: str, forfeit: Forfeit) -> None:
        super().__init__(where, forfeit)
        self.where = where
        self.forfeit = forfeit


def places(record: Record, seat: int) -> list[Place]:
    """The decisions of that seat, the one at which the match broke off included."""
    found = []
    for number, game in enumerate(record.games, 1):
        state = start(record, number)
        for state, _, decision in positions(record, number):
            if decision is not None and state.to_move == seat:
                found.append(Place(number, decision + 1))
        if state.phase != OVER and state.to_move == seat:
            found.append(Place(number, len(game.actions) + 1))
    return found


Asking = Callable[[Place, Observation], bool]
"""Called before the bot is asked; the rest of the match is left out where it says no."""


class Follower:
    """A bot in one seat of a recorded match."""

    def __init__(self, host: Host, record: Record, seat: int, asking: Asking) -> None:
        self._host = host
        self._record = record
        self._seat = seat
        self._asking = asking
        self._defines: list[str] = []
        self._events: list[wire.Event] = []

    def decisions(self) -> Iterator[Decision]:
        """What the bot says at each of its seat's decisions, the one at which the match broke off included.

        Raises:
            Failed: it raised something.
        """
        record = self._record
        rules = {"ruleset": record.ruleset.as_dict(), "time_control": record.time_control.as_dict()}
        self._defines = self._call("load", "at load", seat=self._seat, **rules)["defines"]
        self._tell("match_start", "before game 1")
        for number in range(1, len(record.games) + 1):
            for decision in self._game(number):
                if decision is None:
                    return
                yield decision
        if not record.outcome.forfeits:
            self._tell("match_end", "after the last game")

    def _game(self, number: int) -> Iterator[Decision | None]:
        """The decisions of that game; None where it is to end."""
        record, seat = self._record, self._seat
        game = record.games[number - 1]
        before = [sum(each.points[side] for each in record.games[: number - 1]) for side in range(2)]
        observation = Observation(record.ruleset, seat, number, game.dealer, before)
        self._events.append([wire.GAME, number, game.dealer])
        self._tell("game_start", f"game {number}, at its start")
        state = start(record, number)
        for state, action, decision in positions(record, number):
            if decision is not None and state.to_move == seat:
                yield self._decide(Place(number, decision + 1), state, observation, state.action_text(action))
            mine, others = told(state, action)
            event = mine if state.to_move == seat else others
            observation.update(event)
            self._events.append(event)
        if observation.over:
            self._tell("game_end", f"game {number}, at its end")
        elif state.to_move == seat:
            yield self._decide(Place(number, len(game.actions) + 1), state, observation, None)

    def _decide(self, place: Place, state: State, observation: Observation, recorded: str | None) -> Decision | None:
        if not self._asking(place, observation):
            return None
        hand, lobby, before = text(observation.hand), text(observation.lobby), thread_time()
        call, now, legal = self._answer(place, state, observation)
        return Decision(place, call, hand, lobby, recorded, now, legal, thread_time() - before)

    def _answer(self, place: Place, state: State, observation: Observation) -> tuple[str, str, bool]:
        """What was asked, the bot's answer in notation, and if it is legal."""
        purpose = PURPOSES.get(state.phase)
        if purpose is None:
            laid = self._call(wire.PLAY, str(place))["cards"]
            now = " ".join(sorted(map(str, laid), key=lambda each: BY_TEXT.get(each, -1))) or "pass"
            return wire.PLAY, now, _may_lay(state, laid)
        if wire.CHOOSE_PILE not in self._defines:
            return purpose, state.action_text(default_pile(state)), True
        pile = str(self._call(wire.CHOOSE_PILE, str(place), purpose=purpose)["pile"])
        return purpose, pile, pile in observation.legal_piles

    def _tell(self, hook: str, where: str) -> None:
        if hook in self._defines:
            self._call(hook, where)

    def _call(self, operation: str, where: str, **more: Any) -> wire.Message:
        events, self._events = self._events, []
        reply = self._host.answer({"id": 0, "op": operation, **more, "events": events})
        if forfeit := read_error(reply):
            raise Failed(where, forfeit)
        return reply


def _may_lay(state: State, laid: list[Any]) -> bool:
    try:
        state.lay([BY_TEXT[each] for each in laid])
    except (IllegalAction, KeyError):
        return False
    return True
