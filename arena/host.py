"""Hosts a Bot object: takes the match's messages, keeps its observation, calls it, and makes the replies.

This is what runs inside the sandbox; `arena.players.LocalPlayer` runs the same in the own process.
"""

from __future__ import annotations

import importlib.util
import sys
from collections.abc import Callable, Sequence
from pathlib import Path
from types import ModuleType
from typing import Any

from arena import wire
from arena.cards import Card
from arena.observation import Observation
from arena.ruleset import Ruleset, TimeControl
from arena.tracebacks import describe, report

MODULE = "bot"

Observe = Callable[[Ruleset, int, int, int, Sequence[int]], Observation]
"""Ruleset, seat, number of the game, dealer, and the points of seats 0 and 1 in the games before."""


class NoBot(Exception):  # noqa: N818 - reads as the author meets it
    """The module has no usable class Bot."""


class Host:
    """One bot in one match."""

    def __init__(self, factory: Callable[[], Any], folder: Path | None = None, observe: Observe = Observation) -> None:
        """
        Args:
            factory: Makes the Bot object; called by the first message, so that its errors become a reply.
            folder: The bot's own folder: tracebacks show its files alone.
            observe: Makes the observation of a game that begins.
        """
        self._factory = factory
        self._folder = folder
        self._observe = observe
        self._bot: Any = None
        self._seat = 0
        self._ruleset = Ruleset()
        self._time_control = TimeControl()
        self._observation: Observation | None = None
        self._match_scores = [0, 0]

    def answer(self, message: wire.Message) -> wire.Message:
        """The reply to that message; whatever the bot raises becomes an error reply."""
        try:
            reply = self._load(message) if message["op"] == "load" else self._call(message)
        except MemoryError as error:
            self._observation = None
            return self._error(message, "memory", error)
        except (SystemExit, KeyboardInterrupt) as error:
            return self._error(message, "exit", error)
        except BaseException as error:
            return self._error(message, "exception", error)
        reply["id"] = message["id"]
        return reply

    def _error(self, message: wire.Message, kind: str, error: BaseException) -> wire.Message:
        found = {"kind": kind, "message": describe(error), "traceback": report(error, self._folder)}
        return {"id": message["id"], "error": found}

    def _load(self, message: wire.Message) -> wire.Message:
        self._seat = message["seat"]
        self._ruleset = Ruleset.from_dict(message["ruleset"])
        self._time_control = TimeControl.from_dict(message["time_control"])
        self._bot = self._factory()
        defines = [name for name in wire.METHODS if callable(getattr(self._bot, name, None))]
        if wire.PLAY not in defines:
            raise NoBot("class Bot has no method play(self, observation)")
        return {"defines": defines}

    def _call(self, message: wire.Message) -> wire.Message:
        self._take_in(message["events"])
        operation = message["op"]
        if operation == wire.PLAY:
            return {"cards": _card_texts(self._bot.play(self._observation))}
        if operation == wire.CHOOSE_PILE:
            return {"pile": _plain(self._bot.choose_pile(self._observation, message["purpose"]))}
        if operation == "match_start":
            self._bot.match_start(self._seat, self._ruleset, self._time_control)
        elif operation == "match_end":
            mine = self._seat
            self._count_game()
            self._bot.match_end(self._match_scores[mine], self._match_scores[1 - mine])
        else:
            getattr(self._bot, operation)(self._observation)
        return {}

    def _take_in(self, events: list[wire.Event]) -> None:
        while events:
            if events[0][0] == wire.GAME:
                self._count_game()
                _, game, dealer = events[0]
                self._observation = self._observe(self._ruleset, self._seat, game, dealer, self._match_scores)
                events = events[1:]
            elif self._observation is None:
                return
            else:
                events = events[self._observation.update(*events) :]

    def _count_game(self) -> None:
        if self._observation is not None:
            self._match_scores[self._seat] += self._observation.score
            self._match_scores[1 - self._seat] += self._observation.opponent_score
            self._observation = None


def _card_texts(returned: Any) -> list[Any]:
    """What a bot returned to play: cards as their texts, the rest as it is, for the match to refuse."""
    if returned is None:
        return []
    if isinstance(returned, Card | str):
        returned = [returned]
    return [each.text if type(each) is Card else _plain(each) for each in returned]


def _plain(value: Any) -> Any:
    """The value if it is a plain text, else its description: JSON must not see a bot's own classes."""
    return value if type(value) is str else f"{type(value).__name__} object"


def load_module(folder: Path) -> Callable[[], Any]:
    """A factory that imports `bot.py` of that folder when called, and makes its Bot.

    The folder comes first in `sys.path`: a bot may ship modules of its own, some by names of the standard library.
    """

    def factory() -> Any:
        path = folder / f"{MODULE}.py"
        sys.path.insert(0, str(folder))
        _forget_shadowed(folder)
        spec = importlib.util.spec_from_file_location(MODULE, path)
        if spec is None or spec.loader is None:
            raise NoBot(f"{path.name} can't be imported")
        module = importlib.util.module_from_spec(spec)
        sys.modules[MODULE] = module
        spec.loader.exec_module(module)
        return made_by(module)

    return factory


def made_by(module: ModuleType) -> Any:
    """The Bot of that module."""
    bot_class = getattr(module, "Bot", None)
    if not isinstance(bot_class, type):
        near = [name for name in vars(module) if name.lower() == "bot"]
        hint = f"; found {near[0]!r}: names are case-sensitive" if near else ""
        raise NoBot(f"{MODULE}.py defines no class Bot{hint}")
    return bot_class()


def _forget_shadowed(folder: Path) -> None:
    """Lets the bot's own modules win over those of the same name that are loaded already, as in a script's folder."""
    for path in folder.iterdir():
        if path.stem not in sys.builtin_module_names:
            sys.modules.pop(path.stem, None)
