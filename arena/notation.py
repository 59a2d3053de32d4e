"""A match as text that people read and programs read back.

    [Candidate 1]
    [Engine 1]
    [Seed 7]
    [Ruleset {"decks":1,...}]
    [TimeControl {"load_s":10.0,...}]
    [Outcome {"winner":0,"termination":"completed","forfeits":[],"reason":""}]

    [Game 1 dealer A points 93 71 rounds 22]
    A deal H 0.3
    A turn C 0
    B TH JH 1.2
    A pass
    ...

A line in a game is the seat, then `deal`, `turn` or `draw` with the pile's suit, or the cards laid, or `pass`. A
decision with a choice ends with its CPU time in ms, a forced one has none. The cards that come from the piles
follow from the seed. `write` and `read` are each other's inverse.
"""

from __future__ import annotations

import json
import re
from typing import Any

from arena.cards import ParseError, cards
from arena.outcome import SEATS
from arena.replay import DIGITS, Record, as_dict, from_dict, positions, start
from arena.state import DEAL, DRAW, LOBBY, OVER, State

HEADERS = ("Candidate", "Engine", "Seed", "Ruleset", "TimeControl", "Outcome")
KEYS = dict(zip(HEADERS, ("format", "engine", "seed", "ruleset", "time_control", "outcome"), strict=True))
GAME = re.compile(r"\[Game (\d{1,3}) dealer ([AB]) points (\d{1,5}) (\d{1,5}) rounds (\d{1,5})\]", re.ASCII)
HEADER = re.compile(r"\[(\w+) (.+)\]", re.ASCII)
TIME = re.compile(r"\d{1,12}(?:\.\d)?", re.ASCII)
VERBS = {DEAL: "deal", LOBBY: "turn", DRAW: "draw"}


def write(record: Record) -> str:
    """The record as text.

    Raises:
        ReplayError: it is no match by the rules.
    """
    plain = as_dict(record)
    lines = []
    for header in HEADERS:
        value = plain[KEYS[header]]
        shown = value if isinstance(value, str) else json.dumps(value, separators=(",", ":"))
        lines.append(f"[{header} {shown}]")
    for number, game in enumerate(record.games, 1):
        a, b = game.points
        head = f"[Game {number} dealer {SEATS[game.dealer]} points {a} {b} rounds {game.rounds}]"
        lines += ["", head]
        for state, action, decision in positions(record, number):
            time = "" if decision is None else f" {_ms(game.times[decision])}"
            verb = VERBS.get(state.phase)
            words = f"{verb} {state.action_text(action)}" if verb else state.action_text(action)
            lines.append(f"{SEATS[state.to_move]} {words}{time}")
    return "\n".join(lines) + "\n"


def _ms(ticks: int) -> str:
    """Tenths of ms as ms, exactly, with as few digits as can be."""
    return f"{ticks // 10}.{ticks % 10}".removesuffix(".0")


def read(written: str) -> Record:
    """The record of that text.

    Raises:
        ParseError: a line can't be read, or is not legal there; the message has its number.
        ReplayError: the parts don't make a record.
    """
    return from_dict(_Reader(written).plain())


class _Reader:
    def __init__(self, written: str) -> None:
        self._lines = [(i, line.strip()) for i, line in enumerate(written.splitlines(), 1)]
        self._plain: dict[str, Any] = {"games": []}
        self._state: State | None = None

    def plain(self) -> dict[str, Any]:
        for number, line in self._lines:
            if not line:
                continue
            try:
                self._read_line(line)
            except (ValueError, RecursionError) as error:
                raise ParseError(f"line {number}: {error}") from None
        return self._plain

    def _read_line(self, line: str) -> None:
        if found := GAME.fullmatch(line):
            self._open_game(int(found[1]), found)
        elif found := HEADER.fullmatch(line):
            name, value = found[1], found[2]
            if name not in KEYS:
                raise ParseError(f"expected one of {', '.join(HEADERS)} or Game, got {name!r:.40}")
            if KEYS[name] in self._plain or self._plain["games"]:
                raise ParseError(f"expected [{name} ...] once, before the first game")
            self._plain[KEYS[name]] = value if name == "Engine" else json.loads(value)
        else:
            self._read_action(line)

    def _open_game(self, number: int, found: re.Match[str]) -> None:
        games = self._plain["games"]
        if number != len(games) + 1:
            raise ParseError(f"expected game {len(games) + 1}, got {number}")
        games.append(
            {
                "dealer": SEATS.index(found[2]),
                "points": [int(found[3]), int(found[4])],
                "rounds": int(found[5]),
                "actions": "",
                "times": [],
            }
        )
        lacking = [name for name in HEADERS if KEYS[name] not in self._plain]
        if lacking:
            raise ParseError(f"[{lacking[0]} ...] has to stand before the first game")
        head = from_dict({**self._plain, "games": []})
        self._state = start(head, number)

    def _read_action(self, line: str) -> None:
        state = self._state
        if state is None:
            raise ParseError(f"expected [Game 1 ...] before the first action, got {line!r:.60}")
        seat, *words = line.split()
        if state.phase == OVER:
            raise ParseError(f"the game is over, got {line!r:.60}")
        if seat != SEATS[state.to_move]:
            raise ParseError(f"{SEATS[state.to_move]} is to move, got {seat!r:.20}")
        time = words.pop() if words and TIME.fullmatch(words[-1]) else None
        action = _read_words(state, words)
        forced = len(state.legal_actions()) == 1
        if forced != (time is None):
            raise ParseError(
                "a forced action has no time" if forced else "expected the decision's time in ms at the end"
            )
        if time is not None:
            game = self._plain["games"][-1]
            game["actions"] += DIGITS[action]
            game["times"].append(round(float(time) * 10))
        state.apply(action)


def _read_words(state: State, words: list[str]) -> int:
    verb = VERBS.get(state.phase)
    if verb is not None:
        if len(words) != 2 or words[0] != verb:
            raise ParseError(f"expected '{verb}' and a suit, got {' '.join(words)!r:.60}")
        return state.take(words[1])
    if words == ["pass"]:
        return state.lay([])
    if not words:
        raise ParseError("expected cards or 'pass'")
    return state.lay(cards(" ".join(words)))
