from __future__ import annotations

from collections.abc import Callable
from datetime import timedelta

import pytest
from django.test import Client
from django.utils import timezone

from league.accounts import tokens
from league.accounts.models import Token, User
from tests.league.api.programs import Program


def test_who_has_a_token_is_told_who_he_is(own: Program, author: User) -> None:
    told = own.get("/me")
    assert told.status == 200
    assert (told.json["id"], told.json["name"], told.json["bots_left"]) == (author.pk, "ada", 5)
    assert told.json["token"] == {"name": "token 0", "scopes": ["submit", "logs"], "expires_at": None}
    assert "no-store" in told.headers["Cache-Control"]


@pytest.mark.parametrize("header", ["Bearer", "Bearer ", "Bearer arena_x", "Basic YTpi", "arena_x", "Bearer \xff", ""])
@pytest.mark.parametrize("path", ["/me", "/bots"])
def test_a_token_that_is_none_is_refused_also_where_none_is_needed(db: None, header: str, path: str) -> None:
    answer = Client().get(f"/api/v1{path}", headers={"Authorization": header})
    assert answer.status_code == 401
    assert answer["WWW-Authenticate"] == "Bearer"
    assert answer.json()["code"] == "token"
    assert "/accounts/tokens/" in answer.json()["message"]


def test_the_scheme_may_be_written_as_one_likes(own: Program) -> None:
    assert Client().get("/api/v1/me", headers={"Authorization": f"bearer  {own.token}"}).status_code == 200


def test_a_session_of_a_browser_counts_for_nothing(client: Client, author: User) -> None:
    client.force_login(author)
    assert client.get("/api/v1/me").status_code == 401
    assert client.post("/api/v1/versions", {"bot": "Bishop"}).status_code == 401


def test_a_program_sends_no_csrf_token(own: Program) -> None:
    strict = Client(enforce_csrf_checks=True, headers={"Authorization": f"Bearer {own.token}"})
    assert strict.post("/api/v1/versions", {}).status_code == 422, "it is told what is missing"


def test_the_request_after_a_token_was_revoked_is_refused(own: Program) -> None:
    assert own.get("/me").status == 200
    tokens.revoke(Token.objects.get())
    assert own.get("/me").status == 401


def test_an_expired_token_and_one_of_a_disabled_user_are_refused(program: Callable[..., Program], author: User) -> None:
    assert program(expires_at=timezone.now() - timedelta(seconds=1)).get("/me").status == 401
    active = program()
    User.objects.filter(pk=author.pk).update(is_active=False)
    assert active.get("/me").status == 401


def test_a_token_without_the_scope_is_told_which_one_it_lacks(program: Callable[..., Program]) -> None:
    told = program(scopes=("logs",)).submit(b"class Bot: ...\n")
    assert (told.status, told.json["code"]) == (403, "scope")
    assert "'submit'" in told.json["message"]
