from __future__ import annotations

import html
import re
from collections.abc import Callable

import pytest
from django.test import Client
from pytest_django import DjangoAssertNumQueries

from league.bots.models import Version
from league.matches import services as matches
from league.matches.models import Match, Replay

PlayAll = Callable[..., list[Match]]
Activate = Callable[..., Version]
HTMX = {"HX-Request": "true"}


def read(client: Client) -> str:
    answer = client.get("/")
    assert answer.status_code == 200
    return html.unescape(answer.content.decode())


def state_of(page: str) -> str:
    found = re.search(r'hx-get="/(\?seen=[^"]+)"', page)
    assert found
    return found[1]


def test_home_shows_the_latest_decided_match_and_who_leads(
    activate: Activate, play_all: PlayAll, client: Client
) -> None:
    for name in ("Pawn", "Rook", "King"):
        activate(name)
    league = play_all()
    page = read(client)
    assert f'href="/matches/{league[-1].pk}/games/1/"' in page
    assert page.count('<td class="rank">') == 3
    Replay.objects.filter(match=league[-1]).delete()
    assert f'href="/matches/{league[-2].pk}/games/1/"' in read(client)  # what can't be watched is not offered


@pytest.mark.django_db
def test_home_of_an_empty_league_invites(client: Client) -> None:
    page = read(client)
    assert "No bot has played yet." in page
    assert "/bots/submit/" in page


def test_a_match_that_is_being_played_shows_how_far_it_is(queued: Match, activate: Activate, client: Client) -> None:
    activate("King")
    running = matches.claim("a worker")
    assert running is not None
    matches.extend(running, 5)
    page = read(client)
    now = page[page.index('aria-labelledby="now"') :]
    assert f'href="/matches/{running.pk}/"' in now
    assert 'value="5"' in now
    assert "2 matches wait" in now


def test_home_is_sent_again_only_when_it_shows_something_else(
    queued: Match, play_all: PlayAll, client: Client, django_assert_max_num_queries: DjangoAssertNumQueries
) -> None:
    def poll(query: str) -> tuple[int, str]:
        answer = client.get(f"/{query}", headers=HTMX)
        page = html.unescape(answer.content.decode())
        return answer.status_code, state_of(page) if page else query

    seen = state_of(read(client))
    with django_assert_max_num_queries(5):
        assert poll(seen) == (204, seen)
    running = matches.claim("a worker")
    assert running is not None
    status, seen = poll(seen)
    assert status == 200
    matches.extend(running, 1)
    status, seen = poll(seen)
    assert status == 200
    matches.release(running)
    play_all()
    assert poll(seen)[0] == 200
    assert "<html" not in client.get("/", headers=HTMX).content.decode()
