from __future__ import annotations

import re
from datetime import timedelta

import pytest
from django.test import Client
from django.utils import timezone
from pytest_django import DjangoAssertNumQueries, Settings

from league.accounts import invitations
from league.accounts.models import Invitation, User
from league.organisers.models import Act

PAGE = "/organise/invitations/"


@pytest.fixture
def staff(client: Client, judge: User, settings: Settings) -> Client:
    """The judge's browser, on a site that asks for invitations."""
    settings.SIGN_UP = "invitation"
    client.force_login(judge)
    return client


def test_the_page_shows_the_link_once_and_it_makes_an_account(staff: Client, judge: User) -> None:
    page = staff.post(PAGE, {"note": "a class of 1b", "days": "7"}).content.decode()
    (link,) = re.findall(r"http://testserver(/accounts/signup/\?invitation=[\w-]{22})", page)
    made = Invitation.objects.get()
    assert (made.note, made.made_by) == ("a class of 1b", judge)
    assert made.expires_at is not None
    assert timedelta(days=6) < made.expires_at - timezone.now() <= timedelta(days=7)
    again = staff.get(PAGE).content.decode()
    assert link.rpartition("=")[2] not in again
    assert "a class of 1b" in again
    form = {"username": "eve", "password1": "a long enough one", "password2": "a long enough one"}
    assert Client().post(link, {**form, "invitation": link.rpartition("=")[2]}).status_code == 302
    assert ">eve<" in staff.get(PAGE).content.decode()


def test_inviting_and_revoking_stand_in_the_log(staff: Client, judge: User) -> None:
    staff.post(PAGE, {"note": "ann", "days": ""})
    made = Invitation.objects.get()
    assert made.expires_at is None
    told = staff.post(f"{PAGE}revoke/", {"invitation": made.pk}, follow=True).content.decode()
    assert "The invitation is revoked." in told
    assert not Invitation.objects.exists()
    acts = [(act.actor, act.action, act.details["title"]) for act in Act.objects.order_by("pk")]
    assert acts == [(judge, "invite", "ann"), (judge, "uninvite", "ann")]
    assert "invited somebody" in staff.get("/organise/log/").content.decode()


@pytest.mark.parametrize("number", ["", "-1", "x", "9" * 18, "9" * 40, "٣"])
def test_what_is_no_invitation_is_not_revoked(staff: Client, judge: User, number: str) -> None:
    invitations.issue(judge, "ann")
    told = staff.post(f"{PAGE}revoke/", {"invitation": number}, follow=True).content.decode()
    assert "This invitation was used or revoked meanwhile." in told
    assert (Invitation.objects.count(), Act.objects.count()) == (1, 0)


@pytest.mark.parametrize(
    ("field", "value", "said"),
    [
        ("note", "", "This field is required."),
        ("note", "\u202e", "Write it in letters that can be seen."),
        ("note", "n" * 101, "at most 100 characters"),
        ("days", "9999999", "Select a valid choice."),
    ],
)
def test_a_refused_invitation_says_why(staff: Client, field: str, value: str, said: str) -> None:
    answer = staff.post(PAGE, {"note": "ann", "days": "7", field: value})
    assert (answer.status_code, said in answer.content.decode()) == (400, True)
    assert not Invitation.objects.exists()


def test_a_thousand_invitations_take_a_few_queries(
    staff: Client, judge: User, django_assert_max_num_queries: DjangoAssertNumQueries
) -> None:
    rows = [Invitation(digest=str(number), note=f"nr {number}", made_by=judge, used_by=judge) for number in range(1000)]
    Invitation.objects.bulk_create(rows)
    with django_assert_max_num_queries(5):
        page = staff.get(PAGE).content.decode()
    assert page.count('<th scope="row">') == 50
    assert staff.get(f"{PAGE}?page=21").status_code == 404
