from __future__ import annotations

from datetime import timedelta
from typing import Any

import pytest
from django.core.exceptions import ValidationError
from django.test import Client
from django.utils import timezone
from pytest_django import DjangoAssertNumQueries

from league.accounts.models import User
from league.organisers import services
from league.organisers.models import Act, Announcement
from league.tournaments import services as tournaments


def announce(title: str, days: float = -1, **more: Any) -> Announcement:
    at = timezone.now() + timedelta(days=days)
    return Announcement.objects.create(title=title, text="More soon.", published_at=at, **more)


def test_the_newest_is_on_the_home_page_and_all_are_on_their_own(
    client: Client, db: None, django_assert_max_num_queries: DjangoAssertNumQueries
) -> None:
    announce("Older", -2)
    announce("Newest", tournament=tournaments.ladder())
    announce("Of tomorrow", 1)
    announce("Withdrawn", withdrawn_at=timezone.now())
    home = client.get("/").content.decode()
    assert "Newest" in home
    assert "Older" not in home
    with django_assert_max_num_queries(2):
        page = client.get("/announcements/").content.decode()
    assert page.index("Newest") < page.index("Older")
    for hidden in ("Of tomorrow", "Withdrawn"):
        assert hidden not in home + page


def test_home_without_one_has_no_place_for_it(client: Client, db: None) -> None:
    assert "announcement" not in client.get("/").content.decode()
    assert "Nothing is announced." in client.get("/announcements/").content.decode()
    assert client.get("/announcements/?page=2").status_code == 404


def test_text_is_plain(client: Client, db: None) -> None:
    announcement = announce("<b>Finals</b>")
    Announcement.objects.update(text="<script>x</script>\n\nSee https://example.org/a?b=1&c=2 \u202eend")
    for address in ("/", "/announcements/"):
        page = client.get(address).content.decode()
        assert "&lt;b&gt;Finals&lt;/b&gt;" in page
        assert "<p>&lt;script&gt;x&lt;/script&gt;</p>" in page
        assert 'href="https://example.org/a?b=1&amp;c=2"' in page
        assert "\u202e" not in page
    assert str(announcement) == "<b>Finals</b>"


def test_an_announcement_is_written_changed_and_withdrawn(judge: User, client: Client) -> None:
    client.force_login(judge)
    year = timezone.now().year
    assert f'name="published_at" value="{year}-' in client.get("/organise/announcements/new/").content.decode()
    sent = {"title": "Finals", "text": "On Monday.", "published_at": "2026-03-04T05:06"}
    assert client.post("/organise/announcements/new/", sent).status_code == 302
    announcement = Announcement.objects.get()
    address = f"/organise/announcements/{announcement.pk}/"
    assert 'value="2026-03-04T05:06"' in client.get(address).content.decode()
    assert client.post(address, {**sent, "text": "On Tuesday."}).status_code == 302
    assert Announcement.objects.get().text == "On Tuesday."
    assert client.post(f"{address}withdraw/").status_code == 302
    answer = client.post(address, {**sent, "text": "On Wednesday."})
    assert answer.status_code == 400
    assert "This announcement was withdrawn." in answer.content.decode()
    assert Announcement.objects.get().text == "On Tuesday."
    with pytest.raises(ValidationError, match="withdrawn"):
        services.withdraw(judge, announcement)
    acts = Act.objects.order_by("pk")
    assert [act.action for act in acts] == ["publish", "edit", "withdraw"]
    assert [act.details["text"] for act in acts[:2]] == ["On Monday.", "On Tuesday."]


@pytest.mark.parametrize(
    "wrong", [{"title": ""}, {"title": "x" * 121}, {"text": " "}, {"published_at": "soon"}, {"tournament": "99"}]
)
def test_what_is_wrong_in_the_form_is_said(judge: User, client: Client, wrong: dict[str, str]) -> None:
    client.force_login(judge)
    sent = {"title": "Finals", "text": "On Monday.", "published_at": "2026-03-04T05:06", **wrong}
    answer = client.post("/organise/announcements/new/", sent)
    assert answer.status_code == 400
    assert 'role="alert"' in answer.content.decode()
    assert not Announcement.objects.exists()
