from __future__ import annotations

import re
from datetime import timedelta
from threading import Barrier, Thread
from typing import Any

import pytest
from django.core.exceptions import ValidationError
from django.db import connection
from django.test import Client
from django.utils import timezone
from pytest_django import Settings

from league.accounts import invitations, services
from league.accounts.models import Invitation, User

PAGE = "/accounts/signup/"
GOOD = {"username": "eve", "password1": "a long enough one", "password2": "a long enough one"}


@pytest.fixture
def code(author: User, settings: Settings) -> str:
    """Of an invitation to a site that asks for one."""
    settings.SIGN_UP = "invitation"
    return invitations.issue(author, "a friend")[1]


def sign_up(**more: Any) -> Any:
    return Client().post(PAGE, {**GOOD, **more})


def test_only_the_hash_of_a_code_is_stored(code: str) -> None:
    assert len(code) == 22, "16 bytes in base64"
    assert code not in str(Invitation.objects.values().get())


def test_an_invitation_is_good_for_one_account(code: str) -> None:
    assert sign_up(invitation=f" {code} ").status_code == 302, "spaces around it are a slip"
    used = Invitation.objects.get()
    assert (used.used_by, used.used_at is None) == (User.objects.get(username="eve"), False)
    refused = sign_up(username="bob", invitation=code)
    assert "This invitation was used, revoked, or has expired" in refused.content.decode()
    assert not User.objects.filter(username="bob").exists()


def test_a_link_brings_the_code(code: str, client: Client) -> None:
    page = client.get(PAGE, {"invitation": code}).content.decode()
    (field,) = re.findall(r"<input[^>]*name=\"invitation\"[^>]*>", page)
    assert f'value="{code}"' in field


@pytest.mark.parametrize("wrong", ["", "a guess", "\0", "x" * 101, "ж"])
def test_without_a_good_code_nobody_signs_up(code: str, wrong: str) -> None:
    assert sign_up(invitation=wrong).status_code == 200
    assert User.objects.count() == 1


def test_what_has_expired_or_was_revoked_is_good_for_nothing(code: str, author: User) -> None:
    past, past_code = invitations.issue(author, "late", timezone.now())
    assert (past.expired, invitations.holds(past_code)) == (True, False)
    assert invitations.holds(code)
    assert invitations.revoke(Invitation.objects.get(note="a friend"))
    assert not invitations.holds(code)


def test_a_used_invitation_can_not_be_revoked(code: str, author: User) -> None:
    assert invitations.use(code, author)
    assert not invitations.revoke(Invitation.objects.get())


def test_an_invitation_that_is_used_meanwhile_makes_no_second_account(code: str, author: User) -> None:
    assert invitations.use(code, author)
    with pytest.raises(ValidationError, match="This invitation was used"):
        services.join(User(username="eve"), code)
    assert User.objects.count() == 1


@pytest.mark.django_db(transaction=True)
def test_of_two_who_take_a_name_at_once_one_has_it() -> None:
    at_once, said = Barrier(2), []

    def join() -> None:
        at_once.wait(10)
        try:
            services.join(User(username="eve"))
            said.append("joined")
        except ValidationError as refused:
            said.extend(refused.messages)
        finally:
            connection.close()

    threads = [Thread(target=join) for _ in range(2)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(20)
    assert sorted(said) == ["Somebody took this name a moment ago: choose another one.", "joined"]


def test_a_closed_site_makes_no_accounts(client: Client, db: None, settings: Settings) -> None:
    settings.SIGN_UP = "closed"
    assert "No new accounts" in client.get(PAGE).content.decode()
    assert client.post(PAGE, GOOD).status_code == 403
    assert not User.objects.exists()


def test_an_open_site_asks_for_no_code(client: Client, db: None) -> None:
    assert "invitation" not in client.get(PAGE, {"invitation": "x"}).content.decode()


def test_the_invitation_of_who_is_gone_stays(code: str, author: User) -> None:
    later = timezone.now() + timedelta(days=1)
    assert invitations.use(code, author)
    author.delete()
    gone = Invitation.objects.get()
    assert (gone.made_by, gone.used_by) == (None, None)
    assert gone.used_at is not None
    assert gone.used_at < later
    assert not gone.expired
