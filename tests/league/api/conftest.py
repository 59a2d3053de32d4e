"""Programs that ask the API: with a token of the author's, of somebody else's, or with none."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client

from league.accounts import tokens
from league.accounts.models import Token, User
from league.bots.models import Version

EVERYTHING = tuple(Token.Scope.values)


class Told(NamedTuple):
    status: int
    json: Any
    headers: Any


class Program:
    """Asks the API, with that token if there is one."""

    def __init__(self, token: str = "") -> None:
        self.token = token
        self._client = Client(headers={"Authorization": f"Bearer {token}"} if token else {})

    def get(self, path: str, **parameters: Any) -> Told:
        return self._told(self._client.get(f"/api/v1{path}", parameters))

    def submit(self, content: bytes = b"", bot: str = "Bishop", filename: str = "bot.py", **more: Any) -> Told:
        form = {"file": SimpleUploadedFile(filename, content), "bot": bot, **more}
        return self._told(self._client.post("/api/v1/versions", form))

    def _told(self, answer: Any) -> Told:
        return Told(answer.status_code, answer.json(), answer.headers)


@pytest.fixture
def program(author: User) -> Callable[..., Program]:
    """Makes a program with a new token of that user, by default of the author, with all scopes."""

    def program(user: User | None = None, scopes: tuple[str, ...] = EVERYTHING, **more: Any) -> Program:
        name = f"token {Token.objects.count()}"
        return Program(tokens.issue(user or author, name, scopes, **more)[1])

    return program


@pytest.fixture
def own(program: Callable[..., Program]) -> Program:
    """The author's program, which may do everything."""
    return program()


@pytest.fixture
def public() -> Program:
    return Program()


@pytest.fixture
def other(program: Callable[..., Program], db: None) -> Program:
    """The program of somebody who has no bots."""
    return program(User.objects.create_user("bob"))


@pytest.fixture
def two_played(
    activate: Callable[..., Version], play_all: Callable[..., Any], short_ladder: Any
) -> tuple[Version, Version]:
    """Bishop of the author and Rook of eve, after their match."""
    bishop = activate("Bishop")
    rook = activate("Rook", owner=User.objects.create_user("eve"))
    play_all()
    return bishop, rook
