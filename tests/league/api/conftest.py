"""Programs that ask the API: with a token of the author's, of somebody else's, or with none."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from league.accounts import tokens
from league.accounts.models import Token, User
from league.bots.models import Version
from tests.league.api.programs import Program

EVERYTHING = tuple(Token.Scope.values)


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
