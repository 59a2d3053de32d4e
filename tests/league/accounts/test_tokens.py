from __future__ import annotations

import re
from datetime import timedelta

import pytest
from django.core.exceptions import ValidationError
from django.test import Client
from django.utils import timezone

from league.accounts import tokens
from league.accounts.models import Token, User

PAGE = "/accounts/tokens/"


def test_a_token_is_found_by_its_text_of_which_only_the_hash_is_stored(author: User) -> None:
    token, text = tokens.issue(author, "laptop", ["submit"])
    assert tokens.find(text) == token
    assert text.startswith("arena_")
    assert len(text) == len("arena_") + 43, "32 bytes in base64"
    stored = Token.objects.values().get()
    assert text not in str(stored)
    assert text.removeprefix("arena_") not in str(stored)


def test_two_tokens_differ(author: User) -> None:
    assert tokens.issue(author, "one", [])[1] != tokens.issue(author, "other", [])[1]


def test_a_revoked_token_is_not_found_and_can_not_be_revoked_again(author: User) -> None:
    token, text = tokens.issue(author, "laptop", [])
    assert tokens.revoke(token)
    assert tokens.find(text) is None
    assert not tokens.hold(token)
    token.pk = 987_654
    assert not tokens.revoke(token)


def test_a_token_is_valid_until_it_expires(author: User) -> None:
    now = timezone.now()
    later, later_text = tokens.issue(author, "later", [], now + timedelta(minutes=1))
    past, past_text = tokens.issue(author, "past", [], now)
    assert tokens.find(later_text) == later
    assert tokens.find(past_text) is None
    assert (later.expired, past.expired) == (False, True)


def test_the_tokens_of_a_user_who_may_not_sign_in_are_not_valid(author: User) -> None:
    token, text = tokens.issue(author, "laptop", [])
    User.objects.filter(pk=author.pk).update(is_active=False)
    assert tokens.find(text) is None
    assert not tokens.hold(token)


@pytest.mark.parametrize("text", ["", "arena_", "arena_\ud800", "\0"])
def test_what_is_no_token_is_not_found(db: None, text: str) -> None:
    assert tokens.find(text) is None


def test_a_use_is_noted_once_a_minute(author: User) -> None:
    _token, text = tokens.issue(author, "laptop", [])
    tokens.find(text)
    first = Token.objects.get().last_used_at
    assert first is not None
    tokens.find(text)
    assert Token.objects.get().last_used_at == first
    Token.objects.update(last_used_at=first - timedelta(minutes=2))
    tokens.find(text)
    noted = Token.objects.get().last_used_at
    assert noted is not None
    assert noted >= first


def test_a_name_is_a_users_once_and_another_users_too(author: User) -> None:
    tokens.issue(author, "laptop", [])
    with pytest.raises(ValidationError, match="You have a token named laptop"):
        tokens.issue(author, "laptop", [])
    tokens.issue(User.objects.create_user("eve"), "laptop", [])
    assert Token.objects.count() == 2


def test_a_user_has_at_most_twenty_tokens(author: User) -> None:
    for number in range(20):
        tokens.issue(author, str(number), [])
    with pytest.raises(ValidationError, match="You have 20 tokens"):
        tokens.issue(author, "one more", [])


def test_the_page_shows_a_new_token_once(client: Client, author: User) -> None:
    client.force_login(author)
    page = client.post(PAGE, {"name": "laptop", "scopes": ["submit"], "days": "30"}).content.decode()
    (text,) = re.findall(r"arena_[\w-]{43}", page)
    token = tokens.find(text)
    assert token is not None
    assert (token.user, token.scopes) == (author, ["submit"])
    assert token.expires_at is not None
    assert timedelta(days=29) < token.expires_at - timezone.now() <= timedelta(days=30)
    again = client.get(PAGE)
    assert text not in again.content.decode()
    assert "laptop" in again.content.decode()
    assert "no-store" in again["Cache-Control"]


@pytest.mark.parametrize(
    ("field", "value", "said"),
    [
        ("name", "", "This field is required."),
        ("name", "taken", "You have a token named taken"),
        ("name", "n" * 61, "at most 60 characters"),
        ("name", "a\0b", "Null characters are not allowed."),
        ("scopes", ["everything"], "Select a valid choice."),
        ("days", "9999999999", "Select a valid choice."),
    ],
)
def test_a_refused_token_says_why(client: Client, author: User, field: str, value: object, said: str) -> None:
    tokens.issue(author, "taken", [])
    client.force_login(author)
    answer = client.post(PAGE, {"name": "laptop", "days": "", field: value})
    assert answer.status_code == 400
    assert said in answer.content.decode()
    assert Token.objects.count() == 1


def test_a_token_is_revoked_on_the_page_by_its_owner_alone(client: Client, author: User) -> None:
    token, _text = tokens.issue(author, "laptop", [])
    client.force_login(User.objects.create_user("eve", is_staff=True))
    answer = client.post(f"{PAGE}revoke/", {"token": token.pk}, follow=True)
    assert "You have no such token" in answer.content.decode()
    client.force_login(author)
    answer = client.post(f"{PAGE}revoke/", {"token": token.pk}, follow=True)
    assert "The token laptop is revoked." in answer.content.decode()
    assert not Token.objects.exists()


@pytest.mark.parametrize("number", ["", "-1", "x", "9" * 40, "٣"])
def test_a_number_of_no_token_revokes_nothing(client: Client, author: User, number: str) -> None:
    tokens.issue(author, "laptop", [])
    client.force_login(author)
    answer = client.post(f"{PAGE}revoke/", {"token": number}, follow=True)
    assert "You have no such token" in answer.content.decode()
    assert Token.objects.count() == 1
