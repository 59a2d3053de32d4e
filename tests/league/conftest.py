"""The league without a broker and without a sandbox: bells are counted, and bots play in the test's own process."""

from __future__ import annotations

import os
import signal
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import UTC, datetime, timedelta
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from django.test import Client
from django.utils import timezone, translation
from pytest_django import Settings

from arena.match import play
from arena.players import LocalPlayer
from arena.replay import Record
from arena.ruleset import Ruleset, TimeControl
from league import doorbell
from league.accounts.models import User
from league.bots import services as bots
from league.bots.models import Trial, Version
from league.matches import pairing
from league.matches import services as matches
from league.matches.models import Match
from league.matches.services import BotLog
from league.standings import services as standings
from league.tournaments import services as tournaments

PASSER = b"class Bot:\n    def play(self, observation):\n        return observation.legal_plays[0]\n"


@pytest.fixture(autouse=True)
def plain_settings(settings: Settings, tmp_path: Path) -> None:
    settings.PASSWORD_HASHERS = ["django.contrib.auth.hashers.MD5PasswordHasher"]
    settings.STORAGES = {
        **settings.STORAGES,
        "staticfiles": {"BACKEND": "django.contrib.staticfiles.storage.StaticFilesStorage"},
    }
    settings.STATIC_ROOT = tmp_path
    memory = {"BACKEND": "django.core.cache.backends.locmem.LocMemCache", "LOCATION": str(tmp_path)}
    settings.CACHES = {"default": memory}
    settings.PAGES_KEPT_S = 0
    settings.BUNDLES = tmp_path / "bundles"


@pytest.fixture(autouse=True)
def in_english() -> None:
    """A page that the test before asked for in another language leaves the process speaking it."""
    translation.deactivate()


@pytest.fixture(autouse=True)
def bells(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The tasks that were rung for, at once and without a broker."""
    rung: list[str] = []
    monkeypatch.setattr(doorbell, "ring", lambda task, times=1: rung.extend([task] * times))
    monkeypatch.setattr(doorbell, "_queued", lambda task: rung.count(task))
    return rung


@pytest.fixture
def author(db: None) -> User:
    return User.objects.create_user("ada", password="a long enough one")


@pytest.fixture
def upload(author: User) -> Callable[..., Version]:
    """Submits a bot, by default one of its own content; waits for its check."""

    def upload(name: str = "Bishop", content: bytes | None = None, **more: Any) -> Version:
        more = {"owner": author, "filename": "bot.py", **more}
        return bots.submit(bot=name, content=content or PASSER + f"# {name}\n".encode(), **more)

    return upload


@pytest.fixture
def activate(upload: Callable[..., Version]) -> Callable[..., Version]:
    """Submits a bot that passes its check and enters the ladder."""

    def activate(name: str = "Bishop", content: bytes | None = None, **more: Any) -> Version:
        upload(name, content, **more)
        version = bots.claim_check()
        assert version is not None
        assert pairing.admit(version, bots.Finding(""))
        return version

    return activate


@pytest.fixture
def queued(activate: Callable[..., Version]) -> Match:
    """A match of two bots that waits to be played."""
    activate("Bishop")
    activate("Rook")
    return Match.objects.get()


@pytest.fixture
def short_ladder(db: None) -> Ruleset:
    """The rules of the ladder, with two games a match."""
    ruleset = Ruleset(games=2)
    ladder = tournaments.ladder()
    ladder.ruleset = ruleset.as_dict()
    ladder.save()
    return ruleset


@pytest.fixture
def played() -> Callable[..., Record]:
    """Plays a match of two bots that lay whenever they may, in this process."""

    def played(seed: int = 7, games: int = 2, bots: tuple[type, type] | None = None) -> Record:
        a, b = bots or (Layer, Layer)
        return play((LocalPlayer(a), LocalPlayer(b)), Ruleset(games=games), TimeControl(), seed)

    return played


class Layer:
    """Lays the last of its legal plays."""

    def play(self, observation: Any) -> Any:
        return observation.legal_plays[-1]


class Raiser:
    """Fails at its first decision."""

    def play(self, observation: Any) -> Any:
        raise ValueError("no idea")


class LocalBoxes:
    """Stands for `league.matches.boxes.Boxes`: bots by the name of theirs, in this process."""

    def __init__(self) -> None:
        self.bots: dict[str, Any] = {}
        self.fault: Exception | None = None
        self.dropped = 0
        self.warm: list[int] = []
        self.forgotten: list[Trial] = []
        self.at_start: Callable[[], None] = lambda: None

    def ready(self) -> bool:
        return True

    def of(self, upload: Version | Trial) -> Any:
        if self.fault:
            raise self.fault
        name = upload.bot.name if isinstance(upload, Version) else upload.filename
        return self._box(self.bots.get(name, Layer))

    def opponent(self) -> Any:
        return self._box(Layer)

    def interrupts(self) -> None:
        """Have the process told to stop as each match begins."""
        self.at_start = lambda: os.kill(os.getpid(), signal.SIGTERM)

    def forget(self, upload: Trial) -> None:
        self.forgotten.append(upload)

    def drop(self, *boxes: Any) -> None:
        self.dropped += len(boxes)

    def drop_all(self) -> None:
        self.dropped += 1

    def _box(self, bot: type) -> Any:
        @contextmanager
        def match(time_control: TimeControl, name: str) -> Iterator[Any]:
            self.at_start()
            player: Any = LocalPlayer(bot)
            player.output = f"output of {bot.__name__}"
            player.printed = [(0, 0, player.output)]
            player.memory_peak_kib, player.cpu_s = 20_480, 0.25
            yield player

        return SimpleNamespace(match=match)


@pytest.fixture
def local_boxes() -> LocalBoxes:
    return LocalBoxes()


@pytest.fixture
def raiser() -> type:
    return Raiser


@pytest.fixture
def play_all(played: Callable[..., Record]) -> Callable[..., list[Match]]:
    """Plays and records all queued matches, each with what its bots left behind, and computes the table."""

    def play_all(**how: Any) -> list[Match]:
        logs = BotLog("trace of A", "output of A"), BotLog("trace of B", "output of B")
        done = []
        while match := matches.claim("a worker"):
            assert matches.record(match, played(seed=match.seed, **how), logs)
            done.append(Match.objects.get(pk=match.pk))
        standings.refresh(tournaments.ladder())
        standings.refresh_stale()
        return done

    return play_all


@pytest.fixture
def people(author: User) -> dict[str, Client]:
    """A browser of each kind of visitor; the owner is `author`."""
    users = {
        "anonymous": None,
        "other": User.objects.create_user("bob"),
        "owner": author,
        "staff": User.objects.create_user("sue", is_staff=True),
    }
    browsers = {}
    for kind, user in users.items():
        browsers[kind] = Client()
        if user:
            browsers[kind].force_login(user)
    return browsers


class Clock:
    """The time that the league goes by, set by hand."""

    def __init__(self, now: datetime) -> None:
        self.now = now

    def __call__(self) -> datetime:
        return self.now

    def pass_by(self, **much: float) -> None:
        self.now += timedelta(**much)


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> Clock:
    """A clock that stands at noon until it is moved."""
    standing = Clock(datetime(2026, 5, 1, 12, 0, tzinfo=UTC))
    monkeypatch.setattr(timezone, "now", standing)
    return standing
