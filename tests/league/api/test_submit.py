from __future__ import annotations

from collections.abc import Callable
from datetime import timedelta
from typing import Any

import pytest
from django.test import Client
from django.utils import timezone
from pytest_django import Settings

from league import doorbell
from league.accounts import tokens
from league.accounts.models import Token, User
from league.api import services
from league.bots import services as bots
from league.bots.findings import Finding
from league.bots.models import Bot, Version
from league.matches import pairing, roster
from tests.league.api.programs import Program

SOURCE = b"class Bot:\n    def play(self, observation):\n        return observation.legal_plays[0]\n"


def test_an_upload_makes_a_bot_and_then_its_next_version(own: Program, author: User, bells: list[str]) -> None:
    told = own.submit(SOURCE, "Bishop", message="first try")
    assert told.status == 201
    assert (told.json["number"], told.json["status"], told.json["message"]) == (1, "checking", "first try")
    assert told.json["bot"]["author"] == {"id": author.pk, "name": "ada"}
    assert told.json["waiting"] == {"ahead": 0, "wait_s": None, "running": False, "games_done": 0}
    assert own.submit(SOURCE + b"# 2\n", "bishop").json["number"] == 2
    assert bells == [doorbell.CHECK] * 2
    assert [bytes(version.source.content) for version in Version.objects.order_by("pk")] == [SOURCE, SOURCE + b"# 2\n"]


def test_the_same_file_again_is_the_same_version(own: Program) -> None:
    assert own.submit(SOURCE).json["id"] == own.submit(SOURCE).json["id"]


def test_a_version_is_polled_to_its_verdict_by_its_owner_with_the_report(
    own: Program, other: Program, public: Program, program: Callable[..., Program]
) -> None:
    path = f"/versions/{own.submit(SOURCE).json['id']}"
    held = bots.claim_check()
    assert held is not None
    assert own.get(path).json["waiting"]["running"] is True
    assert bots.finish_check(held, Finding("play: no idea", "Traceback ...", "hello\n"), passed=False)
    told = own.get(path).json
    assert (told["status"], told["waiting"]) == ("rejected", None)
    found = told["report"]
    assert (found["passed"], found["reason"], found["traceback"], found["output"], found["used"]) == (
        False, "play: no idea", "Traceback ...", "hello\n", None,
    )  # fmt: skip
    for each in (other, public, program(scopes=("submit",))):
        told = each.get(path).json
        assert told["status"] == "rejected"
        assert (told["report"], told["message"], told["filename"], told["size"]) == (None, None, None, None)


@pytest.mark.parametrize(
    ("upload", "status", "code", "field", "said"),
    [
        ({"content": b""}, 422, "invalid", "file", "is empty"),
        ({"filename": "bot.txt"}, 422, "invalid", "file", "neither a .py nor a .zip"),
        ({"content": b"\0"}, 422, "invalid", "file", "is NUL"),
        ({"filename": "bot.zip"}, 422, "invalid", "file", "not a zip archive"),
        ({"content": b"#" * 2_000}, 413, "too_large", "file", "the limit"),
        ({"bot": "n" * 41}, 422, "invalid", "bot", "The name has 41 characters"),
        ({"bot": "a\u202eb"}, 422, "invalid", "bot", "U+202E"),
        ({"bot": "Rook"}, 409, "conflict", "bot", "Another user has a bot named Rook"),
        ({"bot": "Pensioner"}, 409, "conflict", "bot", "is retired"),
        ({"bot": "One more"}, 409, "conflict", "bot", "as many as one user may have"),
        ({"message": "m" * 201}, 422, "invalid", "message", "The message has 201 characters"),
        ({"message": "m" * 1_001}, 422, "invalid", "message", "at most 1000 characters"),
    ],
    ids=lambda value: str(value)[:40],
)
def test_what_is_refused_is_told_with_its_field_and_stores_nothing(
    own: Program,
    author: User,
    upload: Any,
    status: int,
    code: str,
    field: str,
    said: str,
    settings: Settings,
) -> None:
    settings.UPLOAD_MAX_BYTES, settings.BOTS_PER_USER = 1_000, 1
    bots.submit(User.objects.create_user("eve"), "Rook", "bot.py", SOURCE)
    roster.retire(bots.submit(author, "Pensioner", "bot.py", SOURCE).bot)
    told = own.submit(**{"content": SOURCE + b"# new\n", **upload})
    assert (told.status, told.json["code"], told.json["field"]) == (status, code, field)
    assert said in told.json["message"]
    assert Version.objects.count() == 2


@pytest.mark.parametrize(
    ("form", "missing"), [({"bot": "Bishop"}, "file"), ({"bot": "Bishop", "file": "text"}, "file")]
)
def test_a_form_without_a_file_is_told_so(own: Program, form: dict[str, str], missing: str) -> None:
    client = Client(headers={"Authorization": f"Bearer {own.token}"})
    answer = client.post("/api/v1/versions", form)
    assert (answer.status_code, answer.json()["field"]) == (422, missing)


def test_a_form_that_can_not_be_read_is_malformed(own: Program) -> None:
    client = Client(headers={"Authorization": f"Bearer {own.token}"})
    answer = client.post("/api/v1/versions", b"--x\r\n", content_type="multipart/form-data")
    assert (answer.status_code, answer.json()["code"]) == (400, "malformed")


def test_a_body_larger_than_any_upload_is_refused_before_it_is_read(own: Program, settings: Settings) -> None:
    class Unread:
        def read(self, *_: int) -> bytes:
            raise AssertionError("the body was read")

        readline = read

    client = Client(headers={"Authorization": f"Bearer {own.token}"})
    answer = client.generic(
        "POST",
        "/api/v1/versions",
        content_type="multipart/form-data; boundary=x",
        CONTENT_LENGTH=str(settings.FILE_UPLOAD_MAX_MEMORY_SIZE + 1),
        **{"wsgi.input": Unread()},
    )
    assert (answer.status_code, answer.json()["code"]) == (413, "too_large")


def test_a_token_revoked_in_mid_request_stores_nothing(own: Program, monkeypatch: pytest.MonkeyPatch) -> None:
    store = services.submit

    def submit(token: Token, *upload: Any) -> Version:
        tokens.revoke(Token.objects.get())  # somebody is quicker
        return store(token, *upload)

    monkeypatch.setattr(services, "submit", submit)
    assert own.submit(SOURCE).status == 401
    assert not Bot.objects.exists()


@pytest.mark.parametrize("lost", ["token", "user"])
def test_a_token_that_is_valid_no_more_submits_nothing(author: User, lost: str) -> None:
    token, _text = tokens.issue(author, "laptop", ["submit"])
    if lost == "token":
        Token.objects.update(expires_at=timezone.now() - timedelta(days=1))
    else:
        User.objects.update(is_active=False)
    with pytest.raises(services.TokenGone):
        services.submit(token, "Bishop", "bot.py", SOURCE, "")
    assert not Bot.objects.exists()


def test_what_was_submitted_with_a_token_stays_when_it_is_revoked(own: Program) -> None:
    own.submit(SOURCE)
    tokens.revoke(Token.objects.get())
    version = bots.claim_check()
    assert version is not None
    assert pairing.admit(version, Finding(""))
