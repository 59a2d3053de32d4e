"""What each kind of answer tells the browser."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from django.test import Client
from pytest_django import Settings

from league.accounts.models import User
from league.bots.models import Version

ADDRESSES = {
    "a page": ("/", 200),
    "a page of one's own": ("/bots/mine/", 200),
    "a form": ("/accounts/tokens/", 200),
    "a file of one's own": ("/bots/versions/{version}/source/", 200),
    "a feed": ("/feed.atom", 200),
    "an answer for programs": ("/api/v1/bots", 200),
    "a refusal for programs": ("/api/v1/me", 401),
    "a redirection": ("/organise", 301),
    "a wrong parameter": ("/matches/?before=soon", 400),
    "a page for others": ("/organise/", 403),
    "no page": ("/nothing/", 404),
    "a wrong method": ("/accounts/logout/", 405),
    "the administration": ("/admin/login/", 403),
    "a file of the site": ("/static/css/tokens.css", 200),
}


@pytest.mark.parametrize("kind", ADDRESSES)
def test_every_answer_has_the_headers_that_protect_it(
    kind: str, settings: Settings, client: Client, author: User, upload: Callable[..., Version]
) -> None:
    settings.WHITENOISE_USE_FINDERS = settings.WHITENOISE_AUTOREFRESH = True
    address, status = ADDRESSES[kind]
    client.force_login(author)
    answer = client.get(address.format(version=upload().pk))
    assert answer.status_code == status
    policy = dict(part.strip().partition(" ")[::2] for part in answer["Content-Security-Policy"].split(";"))
    assert policy["default-src"] == policy["base-uri"] == policy["frame-ancestors"] == "'none'"
    assert policy["script-src"] == policy["style-src"] == policy["form-action"] == "'self'"
    assert "unsafe" not in answer["Content-Security-Policy"]
    assert answer["X-Content-Type-Options"] == "nosniff"
    assert answer["X-Frame-Options"] == "DENY"
    assert answer["Referrer-Policy"] == answer["Cross-Origin-Opener-Policy"] == "same-origin"
    assert {"camera=()", "microphone=()", "geolocation=()"} <= set(answer["Permissions-Policy"].split(", "))
    answer.close()


def test_a_fault_of_the_site_has_them_too(client: Client, db: None, monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(*_: object) -> None:
        raise RuntimeError("the disk is gone")

    monkeypatch.setattr("league.pages.views.texts.options", fail)
    client.raise_request_exception = False
    answer = client.get("/rules/")
    assert answer.status_code == 500
    assert "the disk is gone" not in answer.content.decode()
    for name in ("Content-Security-Policy", "Permissions-Policy", "Referrer-Policy", "X-Frame-Options"):
        assert name in answer


def test_a_form_without_its_token_is_refused(db: None) -> None:
    browser = Client(enforce_csrf_checks=True)
    for address in ("/accounts/login/", "/accounts/signup/", "/bots/trials/"):
        assert browser.post(address).status_code == 403


def test_a_name_that_is_not_the_sites_is_refused(client: Client, db: None) -> None:
    assert client.get("/", headers={"Host": "elsewhere.example"}).status_code == 400


def test_behind_tls_cookies_are_for_tls_alone_and_browsers_keep_to_it(
    settings: Settings, client: Client, author: User
) -> None:
    settings.SECURE_SSL_REDIRECT = settings.SESSION_COOKIE_SECURE = settings.CSRF_COOKIE_SECURE = True
    settings.SECURE_HSTS_SECONDS = 31_536_000
    plain = client.get("/")
    assert (plain.status_code, plain["Location"]) == (301, "https://testserver/")
    form = {"username": "ada", "password": "a long enough one"}
    client.get("/accounts/login/", secure=True)
    answer = client.post("/accounts/login/", form, secure=True)
    assert answer["Strict-Transport-Security"] == "max-age=31536000"
    session, csrf = answer.cookies["sessionid"], client.cookies["csrftoken"]
    assert (session["secure"], session["httponly"], session["samesite"]) == (True, True, "Lax")
    assert (csrf["secure"], csrf["samesite"]) == (True, "Lax")
