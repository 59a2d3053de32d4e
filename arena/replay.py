"""Records of matches: everything needed to play them again, how they are stored, and how they are checked.

A record's stored form, format 1, is this JSON object, compressed with zlib (codec `zlib`), with a dictionary of what
most records share (`zlib-1`):

    {"format": 1, "engine": "0.1.0", "ruleset": {...}, "time_control": {...}, "seed": S,
     "outcome": {"winner": 0 | 1 | null, "termination": "...", "forfeits": [...], "reason": "..."},
     "games": [{"dealer": 0 | 1, "points": [A, B], "rounds": R, "actions": "...", "times": [...]}, ...]}

`actions` has one base-36 digit for each decision with more than one choice (the action space of `arena.state`).
What was forced follows from the rules, and the cards follow from the seed. `times` has the CPU time of each
decision in 0.1 ms.
"""

from __future__ import annotations

import json
import re
import zlib
from collections.abc import Iterator
from dataclasses import dataclass, field
from hashlib import sha256
from typing import Any, NamedTuple

from arena import chance
from arena.outcome import Outcome, Termination
from arena.ruleset import Ruleset, TimeControl
from arena.state import OVER, State

ENGINE = "1"
"""Version of the rules' implementation: goes up when an old record would play differently."""
FORMAT = 1
CODEC = "zlib-1"
CODECS = ("zlib", CODEC)
DICTIONARY = (
    b'{"winner":null,"termination":"time","forfeits":[1],"reason":"game "crash","memory","protocol","illegal",'
    b'"end_of_game","hand_from_lobby","down","both","next_player","points":[12,24],"rounds":36,"actions":"01'
    b'","times":[0,0,0,1,0,1,0,0,1,1,0,2,0,3]},{"dealer":1,"points":[]},{"dealer":0,"points":['
    b'{"format":1,"engine":"1","ruleset":{"decks":1,"games":12,"run_direction":"up","unclaimed":"same_leader",'
    b'"endgame":"lead_from_hand","set_scoring":"count"},"time_control":{"load_s":10.0,"decision_s":1.0,"bank_s":30.0},'
    b'"seed":,"outcome":{"winner":1,"termination":"completed","forfeits":[],"reason":""},"games":[{"dealer":0,"points":['
)
"""Of the codec `zlib-1`, for ever: of a record of quick bots a quarter is in it."""
MOST_BYTES = 4_000_000
TICKS_A_S = 10_000
"""Times are kept in these."""
FORFEIT_POINTS_PER_GAME = 100
VERSION = re.compile(r"[\w.+-]{1,40}", re.ASCII)
DIGITS = "0123456789abcdefghijklmnopqrstuvwxyz"


class ReplayError(ValueError):
    """A record that can't be read, or that the rules don't confirm."""


@dataclass(slots=True)
class Game:
    dealer: int
    actions: list[int] = field(default_factory=list)
    """Each decision with a choice, in order."""
    times: list[int] = field(default_factory=list)
    """CPU time of each decision, in 0.1 ms; 0 where the engine decided."""
    points: tuple[int, int] = (0, 0)
    rounds: int = 0


@dataclass(frozen=True, slots=True)
class Record:
    """One match. After a forfeit the last game is the one that broke off."""

    ruleset: Ruleset
    time_control: TimeControl
    seed: int
    engine: str
    games: tuple[Game, ...]
    outcome: Outcome

    @property
    def points(self) -> tuple[int, int]:
        """Points that count for A and B.

        Who forfeits has none; the other then has at least `FORFEIT_POINTS_PER_GAME` for each game of a match.
        """
        scored = [sum(game.points[seat] for game in self.games) for seat in range(2)]
        least = FORFEIT_POINTS_PER_GAME * self.ruleset.games
        for seat in self.outcome.forfeits:
            scored[seat] = 0
        if self.outcome.winner is not None and self.outcome.forfeits:
            scored[self.outcome.winner] = max(scored[self.outcome.winner], least)
        return scored[0], scored[1]


class Encoded(NamedTuple):
    format: int
    codec: str
    data: bytes
    sha256: str
    """Of `data`, in hexadecimal."""


def encode(record: Record) -> Encoded:
    """The record in its stored form."""
    packer = zlib.compressobj(9, zdict=DICTIONARY)
    data = packer.compress(json.dumps(as_dict(record), separators=(",", ":")).encode()) + packer.flush()
    return Encoded(FORMAT, CODEC, data, sha256(data).hexdigest())


def decode(format_version: int, codec: str, data: bytes) -> Record:
    """The record of that stored form.

    Raises:
        ReplayError: format or codec are unknown, or the data is damaged.
    """
    if format_version != FORMAT:
        raise ReplayError(f"expected a record of format {FORMAT}, got {format_version!r}: use a newer engine")
    if codec not in CODECS:
        raise ReplayError(f"expected a codec of {', '.join(CODECS)}, got {codec!r}: use a newer engine")
    try:
        unpacker = zlib.decompressobj(zdict=DICTIONARY)  # looked at where the data names it
        plain = unpacker.decompress(data, MOST_BYTES)
        if unpacker.unconsumed_tail or not unpacker.eof:
            raise ReplayError("the record's data is cut short or too large")
        if unpacker.unused_data:
            raise ReplayError(f"the record's data goes on after its end, by {len(unpacker.unused_data)} bytes")
        return from_dict(json.loads(plain))
    except ReplayError:
        raise
    except (zlib.error, ValueError, RecursionError) as error:
        raise ReplayError(f"the record's data is damaged: {error}") from None


def as_dict(record: Record) -> dict[str, Any]:
    """The record as plain data, format 1."""
    outcome = record.outcome
    return {
        "format": FORMAT,
        "engine": record.engine,
        "ruleset": record.ruleset.as_dict(),
        "time_control": record.time_control.as_dict(),
        "seed": record.seed,
        "outcome": {
            "winner": outcome.winner,
            "termination": outcome.termination.value,
            "forfeits": list(outcome.forfeits),
            "reason": outcome.reason,
        },
        "games": [
            {
                "dealer": game.dealer,
                "points": list(game.points),
                "rounds": game.rounds,
                "actions": "".join(DIGITS[action] for action in game.actions),
                "times": game.times,
            }
            for game in record.games
        ],
    }


def from_dict(plain: Any) -> Record:
    """The record of that plain data.

    Raises:
        ReplayError: it is no record of format 1; the message names what is wrong first.
    """
    try:
        if plain["format"] != FORMAT:
            raise ReplayError(f"expected a record of format {FORMAT}, got {plain['format']!r}")
        outcome = plain["outcome"]
        return Record(
            Ruleset.from_dict(plain["ruleset"]),
            TimeControl.from_dict(plain["time_control"]),
            _int(plain["seed"], 2**chance.SEED_BITS),
            _version(plain["engine"]),
            tuple(_game(game) for game in plain["games"]),
            Outcome(
                None if outcome["winner"] is None else _int(outcome["winner"], 2),
                Termination(outcome["termination"]),
                _seats(outcome["forfeits"]),
                _text(outcome["reason"]),
            ),
        )
    except ReplayError:
        raise
    except KeyError as missing:
        raise ReplayError(f"the record lacks {missing}") from None
    except (ValueError, TypeError, AttributeError, RecursionError) as error:
        raise ReplayError(f"not a record: {error}") from None


def _game(plain: Any) -> Game:
    actions = [DIGITS.index(digit) for digit in _text(plain["actions"])]
    times = [_int(time, 2**40) for time in plain["times"]]
    if len(times) != len(actions):
        raise ReplayError(f"expected a time for each of {len(actions)} actions, got {len(times)}")
    a, b = (_int(points, 10_000) for points in plain["points"])
    return Game(_int(plain["dealer"], 2), actions, times, (a, b), _int(plain["rounds"], 10_000))


def _int(value: Any, below: int) -> int:
    if type(value) is not int or not 0 <= value < below:
        raise ReplayError(f"expected an integer from 0 to {below - 1}, got {value!r:.40}")
    return value


def _text(value: Any) -> str:
    if not isinstance(value, str):
        raise ReplayError(f"expected a text, got {value!r:.40}")
    return value


def _version(value: Any) -> str:
    if not VERSION.fullmatch(_text(value)):
        raise ReplayError(f"expected an engine's version such as {ENGINE!r}, got {value!r:.40}")
    return str(value)


def _seats(values: Any) -> tuple[int, ...]:
    seats = tuple(_int(seat, 2) for seat in values)
    if len(set(seats)) != len(seats):
        raise ReplayError(f"expected each seat at most once, got {seats!r:.40}")
    return seats


class Position(NamedTuple):
    """A moment in a replayed game: the state before an action."""

    state: State
    action: int
    decision: int | None
    """Index into the game's actions; none where the action was forced."""


def positions(record: Record, number: int) -> Iterator[Position]:
    """Each action of game `number` (1, 2, ...) with the state before it, which `apply` then changes.

    It is one and the same state: when the last position was taken, it stands where the recorded actions end.

    Raises:
        ReplayError: an action is not legal, or actions are left when the game is over.
    """
    game = record.games[number - 1]
    state = start(record, number)
    decision = 0
    while state.phase != OVER:
        legal = state.legal_actions()
        if len(legal) == 1:
            yield Position(state, legal[0], None)
            state.apply(legal[0])
            continue
        if decision == len(game.actions):
            return
        action = game.actions[decision]
        if action not in legal:
            raise ReplayError(
                f"game {number}, decision {decision + 1}: action {action} is not legal in {state.phase.name}"
            )
        yield Position(state, action, decision)
        state.apply(action)
        decision += 1
    if decision < len(game.actions):
        raise ReplayError(f"game {number}: over after {decision} decisions, got {len(game.actions)}")


def start(record: Record, number: int) -> State:
    """Game `number` (1, 2, ...) of the record before its deal."""
    piles = chance.piles(record.seed, number, record.ruleset.decks)
    return State(record.ruleset, piles, chance.dealer(record.seed, number))


def verify(record: Record) -> None:
    """Plays every game again and compares.

    Raises:
        ReplayError: the first difference.
    """
    if record.engine != ENGINE:
        raise ReplayError(f"expected a record of engine {ENGINE}, got {record.engine!r}")
    games = record.games
    outcome = record.outcome
    if len(games) > record.ruleset.games:
        raise ReplayError(f"expected at most {record.ruleset.games} games, got {len(games)}")
    for number, game in enumerate(games, 1):
        state = start(record, number)
        for state, _, _ in positions(record, number):  # noqa: B007 - the last state is wanted
            pass
        complete = state.phase == OVER
        if not complete and not (outcome.forfeits and number == len(games)):
            raise ReplayError(f"game {number}: breaks off after {len(game.actions)} decisions")
        found = (state.dealer, tuple(state.scores), state.rounds)
        told = (game.dealer, game.points, game.rounds)
        if found != told:
            raise ReplayError(f"game {number}: (dealer, points, rounds) are {found}, the record says {told}")
    _verify_outcome(record)


def _verify_outcome(record: Record) -> None:
    outcome = record.outcome
    if outcome.forfeits:
        expected = None if len(outcome.forfeits) > 1 else 1 - outcome.forfeits[0]
        if outcome.termination == Termination.COMPLETED:
            raise ReplayError("a forfeited match can't be completed")
        if len(outcome.forfeits) > 1 and record.games:
            raise ReplayError(f"both can forfeit before the first game only, got {len(record.games)} games")
    else:
        if outcome.termination != Termination.COMPLETED:
            raise ReplayError(f"{outcome.termination} needs a seat that forfeits")
        if len(record.games) != record.ruleset.games:
            raise ReplayError(f"expected {record.ruleset.games} games, got {len(record.games)}")
        a, b = record.points
        expected = None if a == b else int(b > a)
    if outcome.winner != expected:
        raise ReplayError(f"the winner is seat {expected}, the record says {outcome.winner}")
