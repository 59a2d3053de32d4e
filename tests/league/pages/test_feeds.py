"""The Atom feeds: valid, of ranked matches alone, and sent again only when something is new."""

from __future__ import annotations

import re
from collections.abc import Callable
from datetime import datetime, timedelta
from xml.etree import ElementTree

import pytest
from django.test import Client
from django.utils import timezone
from pytest_django import DjangoAssertNumQueries

from league.accounts.models import User
from league.bots.models import Bot, Version
from league.matches.models import Match
from league.organisers import services
from league.organisers.models import Announcement
from league.pages import feeds
from league.scrimmages import services as scrimmages
from league.tournaments import services as tournaments
from league.tournaments.models import Tournament

Activate = Callable[..., Version]
PlayAll = Callable[..., list[Match]]
ATOM = {"a": "http://www.w3.org/2005/Atom"}


def feed(client: Client, path: str) -> ElementTree.Element:
    answer = client.get(path)
    assert answer.status_code == 200
    assert answer["Content-Type"] == "application/atom+xml; charset=utf-8"
    return ElementTree.fromstring(answer.content)


def texts(found: ElementTree.Element, name: str) -> list[str]:
    return [each.text or "" for each in found.findall(f"a:entry/a:{name}", ATOM)]


def test_an_entry_says_who_played_and_how_it_ended(
    activate: Activate, play_all: PlayAll, client: Client, raiser: type
) -> None:
    activate("Pawn <&>", owner=User.objects.create_user("zoe"))
    activate("Ладья")
    (match,) = play_all(bots=(raiser, raiser))
    found = feed(client, "/feed.atom")
    score = f"{match.points_a} : {match.points_b}"
    assert texts(found, "title") == [f"Pawn <&> – Ладья {score}"]
    assert texts(found, "summary") == [
        f"Open ladder: Pawn <&> v1 by zoe, Ладья v1 by ada: {score}, {match.forfeits} forfeited: crash"
    ]
    link = found.find("a:entry/a:link", ATOM)
    assert link is not None
    assert link.get("href") == f"http://testserver/matches/{match.pk}/"


def test_a_feed_has_what_atom_asks_for(activate: Activate, play_all: PlayAll, client: Client) -> None:
    for name in ("Pawn", "Rook", "King"):
        activate(name)
    played = play_all()
    for path in ("/feed.atom", "/leaderboard/ladder/feed.atom", f"/bots/{Bot.objects.get(name='Pawn').pk}/feed.atom"):
        found = feed(client, path)
        ids = texts(found, "id")
        assert len(set(ids)) == len(ids) >= 2
        assert all(re.fullmatch(r"http://testserver/matches/\d+/", each) for each in ids)
        assert found.findtext("a:author/a:name", namespaces=ATOM) == "Candidate Arena"
        links = {each.get("rel"): each.get("href") for each in found.findall("a:link", ATOM)}
        assert links["self"] == f"http://testserver{path}"
        updated = [datetime.fromisoformat(each) for each in texts(found, "updated")]
        assert updated == sorted(updated, reverse=True)
        assert found.findtext("a:updated", namespaces=ATOM) == texts(found, "updated")[0]
    assert len(texts(feed(client, "/feed.atom"), "id")) == len(played) == 3


def test_each_feed_tells_of_its_own(activate: Activate, play_all: PlayAll, client: Client, author: User) -> None:
    pawn, rook, king = (activate(name) for name in ("Pawn", "Rook", "King"))
    play_all()
    rules = tournaments.ladder()
    other = Tournament.objects.create(
        slug="other", name="Other", kind="season", ruleset=rules.ruleset, time_control=rules.time_control
    )
    Match.objects.create(tournament=other, version_a=rook, version_b=king, seed=1)
    (of_other,) = play_all()
    scrimmages.ask(author, pawn.pk, king.pk, rules.pk)
    play_all()

    def told(path: str) -> int:
        return len(texts(feed(client, path), "id"))

    assert (told("/feed.atom"), told("/leaderboard/ladder/feed.atom")) == (4, 3)
    assert texts(feed(client, "/leaderboard/other/feed.atom"), "title") == [
        f"Rook – King {of_other.points_a} : {of_other.points_b}"
    ]
    assert (told(f"/bots/{pawn.bot_id}/feed.atom"), told(f"/bots/{king.bot_id}/feed.atom")) == (2, 3)
    hidden = Tournament.objects.get(kind="scrimmage")
    for path in (f"/leaderboard/{hidden.slug}/feed.atom", "/leaderboard/none/feed.atom", "/bots/999/feed.atom"):
        assert client.get(path).status_code == 404


def test_a_feed_is_sent_again_only_when_something_is_new(activate: Activate, play_all: PlayAll, client: Client) -> None:
    empty = client.get("/feed.atom")
    assert client.get("/feed.atom").content == empty.content
    activate("Pawn")
    activate("Rook")
    (match,) = play_all()
    first = client.get("/feed.atom")
    assert first["ETag"] != empty["ETag"]
    assert match.finished_at is not None
    assert first["Last-Modified"] == f"{match.finished_at:%a, %d %b %Y %H:%M:%S GMT}"
    again = client.get("/feed.atom", headers={"If-None-Match": first["ETag"]})
    assert (again.status_code, again.content) == (304, b"")
    assert client.get("/feed.atom", headers={"If-Modified-Since": first["Last-Modified"]}).status_code == 304
    assert client.post("/feed.atom").status_code == 405


def test_a_feed_is_the_same_in_every_language(activate: Activate, play_all: PlayAll, client: Client) -> None:
    activate("Pawn")
    activate("Rook")
    play_all()
    english = client.get("/feed.atom")
    russian = client.get("/feed.atom", headers={"Accept-Language": "ru"})
    assert english.content == russian.content
    assert "Vary" not in russian or "Cookie" not in russian["Vary"]


@pytest.mark.parametrize("path", ["/feed.atom", "/leaderboard/ladder/feed.atom", "/bots/{bot}/feed.atom"])
def test_a_feed_is_bounded_and_takes_few_queries(
    path: str,
    activate: Activate,
    play_all: PlayAll,
    client: Client,
    monkeypatch: pytest.MonkeyPatch,
    django_assert_max_num_queries: DjangoAssertNumQueries,
) -> None:
    monkeypatch.setattr(feeds, "ENTRIES", 2)
    for name in ("Pawn", "Rook", "King", "Queen"):
        activate(name)
    play_all(games=1)
    address = path.format(bot=Bot.objects.get(name="Pawn").pk)
    with django_assert_max_num_queries(3):
        found = feed(client, address)
    assert len(texts(found, "id")) == 2


def test_pages_name_their_feeds(activate: Activate, client: Client) -> None:
    bot = activate("Pawn").bot

    def named(path: str) -> list[str]:
        page = client.get(path).content.decode()
        return re.findall(r'<link rel="alternate" type="application/atom\+xml" title="[^"]+" href="([^"]+)">', page)

    assert named("/") == ["/feed.atom"]
    assert named("/leaderboard/") == ["/feed.atom", "/leaderboard/ladder/feed.atom"]
    assert named(f"/bots/{bot.pk}/") == ["/feed.atom", f"/bots/{bot.pk}/feed.atom"]


def test_what_organisers_announce_is_in_the_feed_of_everything_and_of_its_tournament(
    activate: Activate, play_all: PlayAll, client: Client, author: User
) -> None:
    pawn = activate("Pawn")
    activate("Rook")
    play_all()
    ladder, now = tournaments.ladder(), timezone.now()
    services.publish(author, Announcement(title="Open <now>", text="Come.", published_at=now))
    services.publish(author, Announcement(title="Of the ladder", text="Go.", published_at=now, tournament=ladder))
    services.publish(author, Announcement(title="Tomorrow", text="-", published_at=now + timedelta(days=1)))
    everything = feed(client, "/feed.atom")
    assert sorted(texts(everything, "title")[:2]) == ["Of the ladder", "Open <now>"]
    assert len(texts(everything, "title")) == 3
    links = [link.get("href") or "" for link in everything.findall("a:entry/a:link", ATOM)[:2]]
    for link in links:
        page = client.get(link.removeprefix("http://testserver").partition("#")[0]).content.decode()
        assert f'id="{link.partition("#")[2]}"' in page
    assert texts(feed(client, "/leaderboard/ladder/feed.atom"), "title")[0] == "Of the ladder"
    assert len(texts(feed(client, f"/bots/{pawn.bot_id}/feed.atom"), "title")) == 1
