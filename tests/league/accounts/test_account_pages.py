from __future__ import annotations

import pytest
from django.test import Client

from league.accounts.models import User

GOOD = {"username": "ada", "password1": "a long enough one", "password2": "a long enough one"}


@pytest.mark.django_db
def test_who_signs_up_is_logged_in_and_led_to_the_first_bot(client: Client) -> None:
    answer = client.post("/accounts/signup/", GOOD)
    assert (answer.status_code, answer["Location"]) == (302, "/bots/submit/")
    assert client.session["_auth_user_id"] == str(User.objects.get(username="ada").pk)


@pytest.mark.django_db
@pytest.mark.parametrize(
    ("field", "value", "said"),
    [
        ("username", "", "This field is required."),
        ("username", "a name", "Enter a valid username."),
        ("username", "ADA", "A user with that username already exists."),
        ("password2", "another", "The two password fields didn’t match."),
        ("password1", "", "This field is required."),
    ],
)
def test_a_refused_sign_up_says_why(client: Client, field: str, value: str, said: str) -> None:
    User.objects.create_user("Ada")
    answer = client.post("/accounts/signup/", {**GOOD, field: value})
    assert answer.status_code == 200
    assert said in answer.content.decode()
    assert User.objects.count() == 1


@pytest.mark.django_db
def test_a_common_password_is_refused(client: Client) -> None:
    answer = client.post("/accounts/signup/", {**GOOD, "password1": "password", "password2": "password"})
    assert "too common" in answer.content.decode()


def test_who_logs_in_comes_to_the_page_asked_for(client: Client, author: User) -> None:
    asked = client.get("/bots/mine/")
    assert asked["Location"] == "/accounts/login/?next=/bots/mine/"
    form = {"username": "ada", "password": "a long enough one", "next": "/bots/mine/"}
    answer = client.post("/accounts/login/", form)
    assert answer["Location"] == "/bots/mine/"


def test_a_wrong_password_is_named_on_the_form(client: Client, author: User) -> None:
    answer = client.post("/accounts/login/", {"username": "ada", "password": "wrong"})
    assert "Please enter a correct username and password" in answer.content.decode()


def test_nobody_is_led_to_another_site(client: Client, author: User) -> None:
    form = {"username": "ada", "password": "a long enough one", "next": "https://elsewhere.example/"}
    assert client.post("/accounts/login/", form)["Location"] == "/bots/mine/"


def test_logging_out_takes_a_form(client: Client, author: User) -> None:
    client.force_login(author)
    assert client.get("/accounts/logout/").status_code == 405
    assert client.post("/accounts/logout/")["Location"] == "/"
    assert "_auth_user_id" not in client.session
