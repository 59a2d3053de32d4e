from __future__ import annotations

import pytest
from django.test import Client
from pytest_django import Settings

from league import settings as site
from league.accounts import services
from league.accounts.models import User

PAGE = "/accounts/password/"
OLD, NEW = "a long enough one", "quite another one"
GOOD = {"old_password": OLD, "new_password1": NEW, "new_password2": NEW}


@pytest.fixture
def elsewhere(author: User) -> Client:
    """Another browser in which the author is logged in."""
    browser = Client()
    browser.force_login(author)
    return browser


def test_another_password_ends_all_sessions_but_this_one(client: Client, author: User, elsewhere: Client) -> None:
    client.force_login(author)
    before = client.session.session_key
    answer = client.post(PAGE, GOOD, follow=True)
    assert "Your password is changed." in answer.content.decode()
    author.refresh_from_db()
    assert author.check_password(NEW)
    assert client.get("/bots/mine/").status_code == 200
    assert client.session.session_key != before, "its key is another one"
    assert elsewhere.get("/bots/mine/").status_code == 302


@pytest.mark.parametrize(
    ("field", "value", "said"),
    [
        ("old_password", "a guess", "Your old password was entered incorrectly."),
        ("old_password", "", "This field is required."),
        ("new_password2", "a slip", "The two password fields didn’t match."),
    ],
)
def test_a_refused_change_says_why(client: Client, author: User, field: str, value: str, said: str) -> None:
    client.force_login(author)
    answer = client.post(PAGE, {**GOOD, field: value})
    assert (answer.status_code, said in answer.content.decode()) == (400, True)
    author.refresh_from_db()
    assert author.check_password(OLD)


@pytest.mark.parametrize("password", ["qwrtzplkj", "basketball", "83629174650318", "ada-lovelace"])
def test_a_weak_password_is_refused(client: Client, author: User, password: str) -> None:
    User.objects.filter(pk=author.pk).update(username="ada-lovelace")
    client.force_login(author)
    answer = client.post(PAGE, {**GOOD, "new_password1": password, "new_password2": password})
    assert answer.status_code == 400


def test_a_password_that_was_changed_elsewhere_is_not_changed_back(author: User) -> None:
    here, there = User.objects.get(), User.objects.get()
    assert services.change_password(there, NEW)
    assert not services.change_password(here, "a third one")
    author.refresh_from_db()
    assert author.check_password(NEW)


def test_an_organiser_gives_another_password_which_ends_the_users_sessions(
    client: Client, author: User, elsewhere: Client
) -> None:
    client.force_login(User.objects.create_superuser("root"))
    form = {"password1": NEW, "password2": NEW, "usable_password": "true"}
    assert client.post(f"/admin/accounts/user/{author.pk}/password/", form).status_code == 302
    author.refresh_from_db()
    assert author.check_password(NEW)
    assert elsewhere.get("/bots/mine/").status_code == 302


def test_passwords_are_stored_as_argon2_hashes(settings: Settings, db: None) -> None:
    settings.PASSWORD_HASHERS = site.PASSWORD_HASHERS
    stored = User.objects.create_user("eve", password=OLD).password
    assert stored.startswith("argon2$argon2id$")


def test_logging_in_gives_the_session_another_key(client: Client, author: User) -> None:
    client.get("/accounts/login/")
    session = client.session
    session["kept"] = "before"
    session.save()
    before = session.session_key
    client.post("/accounts/login/", {"username": "ada", "password": OLD})
    assert client.session.session_key != before
