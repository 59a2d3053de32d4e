from __future__ import annotations

import html
import re
from collections.abc import Callable
from datetime import UTC, datetime, timedelta

import pytest
from django.test import Client
from django.utils import timezone
from pytest_django import DjangoAssertNumQueries

from league.bots.models import Version
from league.matches import queue
from league.matches import services as matches
from league.matches.models import Match, Worker
from league.pages.templatetags.league import about, milliseconds

PlayAll = Callable[..., list[Match]]
Activate = Callable[..., Version]


def read(client: Client) -> str:
    answer = client.get("/queue/")
    assert answer.status_code == 200
    return html.unescape(answer.content.decode())


def test_what_waits_is_shown_in_its_order_with_its_place(
    activate: Activate, upload: Callable[..., Version], client: Client
) -> None:
    for name in ("Pawn", "Rook", "King"):
        activate(name)
    upload("Queen")
    running = matches.claim("a worker")
    assert running is not None
    page = read(client)
    rest = [match.pk for match in Match.objects.order_by("pk") if match.pk != running.pk]
    assert [int(pk) for pk in re.findall(r'href="/matches/(\d+)/"', page)] == [running.pk, *rest]
    assert re.findall(r'<td class="number place muted">(\S+)</td>', page) == ["1", "–", "1", "2"]
    assert "Queen" in page


def test_the_wait_follows_from_how_long_the_last_matches_took(
    activate: Activate, play_all: PlayAll, client: Client
) -> None:
    activate("Pawn")
    activate("Rook")
    play_all()
    now = timezone.now()
    Match.objects.update(started_at=now - timedelta(seconds=90), finished_at=now)
    activate("King")
    page = read(client)
    assert re.findall(r'<td class="number">([^<]+)</td>', page) == ["2 min", "3 min"]


@pytest.mark.django_db
def test_nothing_is_promised_before_the_first_match(client: Client) -> None:
    assert queue.seconds_a_match() is None
    page = read(client)
    assert "No check waits." in page
    assert "No match waits." in page
    assert "No worker has reported" in page


def test_time_in_which_nobody_played_does_not_count() -> None:
    at = datetime(2026, 1, 1, tzinfo=UTC)

    def span(start: int, end: int) -> tuple[datetime, datetime]:
        return at + timedelta(seconds=start), at + timedelta(seconds=end)

    assert queue.busy([]) == timedelta()
    assert queue.busy([span(0, 10), span(5, 12), span(6, 8)]) == timedelta(seconds=12)
    assert queue.busy([span(100, 110), span(0, 10)]) == timedelta(seconds=20)
    assert queue.busy([span(10, 9)]) == timedelta()


@pytest.mark.parametrize(
    ("duration_s", "said"),
    [(None, "–"), (0.0, "under a minute"), (59.0, "under a minute"), (60.0, "1 min"), (5_399.0, "90 min")],
)
def test_a_wait_is_said_as_people_say_it(duration_s: float | None, said: str) -> None:
    assert about(duration_s) == said.replace("90 min", "2 hours")


@pytest.mark.parametrize(
    ("duration_s", "said"),
    [(None, "–"), (0.0, "0.0"), (0.000_37, "0.4"), (0.009_9, "9.9"), (0.027_6, "28"), (1.2504, "1,250")],
)
def test_milliseconds_have_as_many_digits_as_tell_something(duration_s: float | None, said: str) -> None:
    assert milliseconds(duration_s) == said


def test_the_workers_are_shown_without_their_names(people: dict[str, Client]) -> None:
    Worker.objects.create(name="host-1/7/99", sandbox="containers of Docker 29", able=True)
    page = read(people["other"])
    assert "containers of Docker 29" in page
    assert "host-1" not in page


def test_ones_own_are_marked(queued: Match, people: dict[str, Client]) -> None:
    assert read(people["owner"]).count("is-mine") == 1
    assert read(people["anonymous"]).count("is-mine") == 0


def test_the_page_takes_the_same_few_queries_however_many_wait(
    activate: Activate, client: Client, django_assert_max_num_queries: DjangoAssertNumQueries
) -> None:
    for name in ("Pawn", "Rook", "King", "Queen"):
        activate(name)
    with django_assert_max_num_queries(7):
        client.get("/queue/")


def test_only_workers_that_take_work_are_counted(client: Client, db: None) -> None:
    silent = timezone.now() - timedelta(seconds=31)
    Worker.objects.create(name="a", sandbox="containers", able=True)
    Worker.objects.create(name="b", sandbox="containers", able=True, pause="disk")
    Worker.objects.create(name="c", sandbox="containers", able=True, seen_at=silent)
    assert "<dt>Workers</dt><dd>1</dd>" in client.get("/queue/").content.decode()
    Worker.objects.update(seen_at=silent)
    assert "<dt>Workers</dt><dd>0</dd>" in client.get("/queue/").content.decode()
