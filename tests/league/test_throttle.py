"""How often somebody may try: to log in, to sign up, to give the password, to upload."""

from __future__ import annotations

import logging
from typing import Any

import pytest
from django.core.cache import cache
from django.core.files.uploadedfile import SimpleUploadedFile
from django.db import DatabaseError
from django.test import Client
from pytest_django import Settings
from redis.exceptions import ConnectionError as NoRedis

from league import throttle
from league.accounts import tokens
from league.accounts.models import User
from league.bots.models import Trial, Version
from tests.league.api.programs import Program

RIGHT, WRONG = "a long enough one", "a guess"
HERE, THERE = "192.0.2.1", "192.0.2.2"
SOURCE = b"class Bot:\n    def play(self, observation):\n        return ()\n"


@pytest.fixture(autouse=True)
def noon(monkeypatch: pytest.MonkeyPatch) -> list[float]:
    """The time, 5 minutes into an hour; a test may change it."""
    now = [60_001_500.0]
    monkeypatch.setattr(throttle.time, "time", lambda: now[0])
    return now


def log_in(password: str, username: str = "ada", address: str = HERE) -> Any:
    return Client(REMOTE_ADDR=address).post("/accounts/login/", {"username": username, "password": password})


def test_who_guesses_a_password_too_often_is_told_when_to_come_again(
    settings: Settings, author: User, noon: list[float]
) -> None:
    settings.LOGIN_FAILURES = 3
    assert [log_in(WRONG).status_code for _ in range(3)] == [200, 200, 200]
    refused = log_in(RIGHT)
    assert (refused.status_code, refused["Retry-After"]) == (429, "600"), (
        "also with the right one, which is not looked at"
    )
    assert "This was tried too often. Come again in 10 minutes." in refused.content.decode()
    assert log_in(RIGHT, "ADA").status_code == 429, "a name is the same in capitals"
    noon[0] += 600
    assert log_in(RIGHT).status_code == 302


def test_a_stranger_locks_nobody_out_of_his_own_address(settings: Settings, author: User) -> None:
    settings.LOGIN_FAILURES = 2
    assert [log_in(WRONG, address=THERE).status_code for _ in range(4)] == [200, 200, 429, 429]
    assert log_in(RIGHT, address=HERE).status_code == 302


def test_guesses_at_many_names_count_for_their_address(settings: Settings, author: User) -> None:
    settings.LOGIN_FAILURES_ADDRESS = 3
    statuses = [log_in(WRONG, f"name{number}").status_code for number in range(4)]
    assert statuses == [200, 200, 200, 429]
    assert log_in(RIGHT).status_code == 429
    assert log_in(RIGHT, address=THERE).status_code == 302


def test_log_ins_that_succeed_count_for_nothing(settings: Settings, author: User) -> None:
    settings.LOGIN_FAILURES = settings.LOGIN_FAILURES_ADDRESS = 2
    assert [log_in(RIGHT).status_code for _ in range(5)] == [302] * 5
    assert [log_in(WRONG).status_code for _ in range(3)] == [200, 200, 429]


def test_the_administration_has_no_log_in_of_its_own(author: User) -> None:
    answer = Client().post("/admin/login/?next=/admin/accounts/", {"username": "ada", "password": RIGHT})
    assert (answer.status_code, answer["Location"]) == (302, "/accounts/login/?next=/admin/accounts/")


def test_a_password_is_asked_of_a_session_only_so_often(settings: Settings, client: Client, author: User) -> None:
    settings.LOGIN_FAILURES = 2
    client.force_login(author)
    answers = [client.post("/accounts/close/", {"password": word}) for word in (WRONG, WRONG, RIGHT)]
    assert "This is not your password." in answers[1].content.decode()
    assert "This was tried too often." in answers[2].content.decode()
    assert User.objects.filter(pk=author.pk).exists()


def test_an_address_makes_only_so_many_accounts_within_an_hour(settings: Settings, db: None, noon: list[float]) -> None:
    settings.SIGN_UPS_PER_HOUR = 1

    def sign_up(name: str) -> Any:
        return Client().post("/accounts/signup/", {"username": name, "password1": RIGHT, "password2": RIGHT})

    assert [sign_up(name).status_code for name in ("eve", "eve", "bob")] == [302, 200, 429], "a refused form is none"
    assert sign_up("bob")["Retry-After"] == "3300"
    noon[0] += 3300
    assert sign_up("bob").status_code == 302


def test_uploads_and_trials_of_a_user_count_together(settings: Settings, client: Client, author: User) -> None:
    settings.UPLOADS_USER_PER_HOUR = 3
    program = Program(tokens.issue(author, "laptop", ["submit"])[1])
    client.force_login(author)

    def upload(address: str, **more: Any) -> Any:
        return client.post(address, {"file": SimpleUploadedFile("bot.py", SOURCE), **more})

    assert upload("/bots/submit/", name="Bishop").status_code == 302
    assert upload("/bots/trials/").status_code == 302
    assert program.submit(SOURCE).status == 201
    told = program.submit(SOURCE + b"# 2\n")
    assert (told.status, told.json["code"], told.headers["Retry-After"]) == (429, "throttled", "3300")
    for refused in (upload("/bots/submit/", name="Rook"), upload("/bots/trials/")):
        assert (refused.status_code, refused["Retry-After"]) == (429, "3300")
        assert "Come again in 55 minutes." in refused.content.decode()
    assert (Version.objects.count(), Trial.objects.count()) == (1, 1)


@pytest.mark.parametrize("address", ["/bots/submit/", "/bots/trials/", "/api/v1/bots/"])
def test_an_upload_at_which_the_platform_fails_is_not_counted(
    settings: Settings, client: Client, author: User, monkeypatch: pytest.MonkeyPatch, address: str
) -> None:
    settings.UPLOADS_USER_PER_HOUR = settings.UPLOADS_ADDRESS_PER_HOUR = 1
    client.force_login(author)
    client.raise_request_exception = False
    program = Program(tokens.issue(author, "laptop", ["submit"])[1])

    def upload() -> int:
        if address.startswith("/api/"):
            return program.submit(SOURCE).status
        return client.post(address, {"file": SimpleUploadedFile("bot.py", SOURCE), "name": "Bishop"}).status_code

    def fail(*_: Any, **__: Any) -> None:
        raise DatabaseError("the disk is full")

    with monkeypatch.context() as broken:
        for model in (Version, Trial):
            broken.setattr(model.objects, "create", fail)
        assert [upload(), upload()] == [500, 500]
    assert upload() in (201, 302)
    assert upload() == 429


def test_an_attempt_at_which_the_platform_fails_is_not_counted(
    settings: Settings, author: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    settings.LOGIN_FAILURES = settings.SIGN_UPS_PER_HOUR = 1

    def fail(*_: Any, **__: Any) -> None:
        raise DatabaseError("the connection is gone")

    def post(address: str, **more: str) -> int:
        browser = Client(raise_request_exception=False)
        if address == "/accounts/close/":
            browser.force_login(author)
        return browser.post(address, {"password": RIGHT, "password1": RIGHT, "password2": RIGHT, **more}).status_code

    attempts = {"/accounts/login/": "ada", "/accounts/close/": "ada", "/accounts/signup/": "eve"}
    with monkeypatch.context() as broken:
        broken.setattr(User, "check_password", fail)
        broken.setattr("league.accounts.services.join", fail)
        for address, name in attempts.items():
            assert [post(address, username=name) for _ in range(2)] == [500, 500]
    assert [post(address, username=name) for address, name in sorted(attempts.items(), reverse=True)] == [302] * 3


def test_uploads_of_several_users_count_for_their_address(settings: Settings, author: User) -> None:
    settings.UPLOADS_ADDRESS_PER_HOUR = 1
    statuses = []
    for user, address in ((author, HERE), (User.objects.create_user("eve"), HERE), (author, THERE)):
        browser = Client(REMOTE_ADDR=address)
        browser.force_login(user)
        statuses.append(browser.post("/bots/trials/", {"file": SimpleUploadedFile("bot.py", SOURCE)}).status_code)
    assert statuses == [302, 429, 302]


def test_without_the_cache_nobody_is_kept_out_of_the_site(
    settings: Settings, author: User, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    def away(*_: Any, **__: Any) -> None:
        raise NoRedis("connection refused")

    settings.LOGIN_FAILURES = 0
    for name in ("add", "incr", "decr"):
        monkeypatch.setattr(type(cache._connections["default"]), name, away)
    with caplog.at_level(logging.WARNING):
        assert log_in(RIGHT).status_code == 302
    assert "the cache is away, requests are not counted: connection refused" in caplog.text
