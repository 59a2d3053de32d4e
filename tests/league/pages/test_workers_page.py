from __future__ import annotations

import html
import re
from collections.abc import Callable
from datetime import timedelta

import pytest
from django.test import Client
from django.utils import timezone
from pytest_django import DjangoAssertNumQueries

from league.accounts.models import User
from league.bots.models import Version
from league.matches import holder, pausing, slowness
from league.matches import services as matches
from league.matches.models import Checking, Match, Worker
from league.organisers.models import Act

NAME = "host-1/7/99"


@pytest.fixture
def worker(db: None) -> Worker:
    return Worker.objects.create(
        name=NAME, sandbox="containers of Docker 29", able=True, processes=["host-1/8/99", "host-1/9/99"]
    )


def read(client: Client) -> str:
    answer = client.get("/workers/")
    assert answer.status_code == 200
    return html.unescape(answer.content.decode())


def figures(page: str) -> list[int]:
    """Workers that work, are paused, are lost; matches that are played."""
    return [int(figure) for figure in re.findall(r"<dd>(\d+)</dd>", page)]


def test_everybody_sees_what_each_worker_is_and_plays(worker: Worker, queued: Match, people: dict[str, Client]) -> None:
    matches.claim("host-1/9/99")
    Worker.objects.update(matches=1_204, faults=3, version="0.1.0")
    page = read(people["anonymous"])
    assert figures(page) == [1, 0, 0, 1]
    for told in ("containers of Docker 29", "Bishop – Rook", "1,204", "0.1.0", '<td class="number">3</td>'):
        assert told in page
    assert "host-1" not in page


def test_everybody_sees_what_is_checked_but_no_trial(
    worker: Worker, upload: Callable[..., Version], client: Client
) -> None:
    version = upload("Queen")
    Checking.objects.create(process="host-1/8/99", version=version)
    Checking.objects.create(process="host-1/9/99", version=None)
    Checking.objects.create(process="host-1/1/1", version=version)  # of a process that was killed
    page = read(client)
    assert page.count("Queen v1") == 1
    assert page.count("checks a trial") == 1
    assert "plays nothing" not in page


def test_a_match_that_a_visitor_may_not_see_has_no_names(
    worker: Worker, queued: Match, people: dict[str, Client]
) -> None:
    Match.objects.update(ranked=False)
    matches.claim("host-1/8/99")
    page = read(people["other"])
    assert "a match outside the tables" in page
    assert "Rook" not in page
    assert "Bishop – Rook" in read(people["staff"])


def test_staff_alone_read_why_a_worker_is_paused_and_its_last_fault(worker: Worker, people: dict[str, Client]) -> None:
    Worker.objects.update(fault="Traceback: <b>the engine</b>", faulted_at=timezone.now())
    pausing.pause(worker, Worker.Pause.FAULTS, "5 faults, the last: the engine is gone")
    page = read(people["owner"])
    assert figures(page) == [0, 1, 0, 0]
    assert "the platform failed several times in a row" in page
    assert "the engine" not in page
    answer = people["staff"].get("/workers/").content.decode()
    assert "the engine is gone" in answer
    assert "&lt;b&gt;the engine&lt;/b&gt;" in answer
    assert NAME in answer


def test_a_worker_that_was_silent_for_long_is_lost_until_it_is_heard_of(worker: Worker, client: Client) -> None:
    Worker.objects.update(seen_at=timezone.now() - timedelta(seconds=31))
    assert figures(read(client)) == [0, 0, 1, 0]
    Worker.objects.update(seen_at=timezone.now())
    assert figures(read(client)) == [1, 0, 0, 0]


def test_staff_pause_a_worker_and_let_it_go_on_and_the_log_tells(people: dict[str, Client]) -> None:
    worker = Worker.objects.create(name=holder.name(), sandbox="containers", able=True)
    pause, resume = (f"/organise/workers/{worker.pk}/{verb}/" for verb in ("pause", "resume"))
    assert "takes nothing more" in people["staff"].post(pause, follow=True).content.decode()
    assert not pausing.works()
    assert "paused already" in people["staff"].post(pause, follow=True).content.decode()
    assert "takes work again" in people["staff"].post(resume, follow=True).content.decode()
    assert pausing.works()
    assert "not paused" in people["staff"].post(resume, follow=True).content.decode()
    acts = Act.objects.order_by("pk").values_list("actor_name", "action", "details", "reason")
    told = {"worker": holder.name()}
    assert list(acts) == [("sue", "pause_worker", told, ""), ("sue", "resume_worker", told, "paused by sue")]
    assert holder.name() in html.unescape(people["staff"].get("/organise/log/").content.decode())
    worker.delete()
    assert people["staff"].post(pause).status_code == 404


def test_staff_read_on_which_machine_bots_run_out_of_time_and_in_which_matches(
    worker: Worker, people: dict[str, Client], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(slowness, "slow", lambda: [slowness.Slow("host-1", 20, 10.04, [4711, 4712])])
    page = read(people["staff"])
    assert "On host-1 bots ran out of time in 20 of the last matches, where 10.0 were to be expected" in page
    assert '<a href="/matches/4711/">4711</a>, <a href="/matches/4712/">4712</a>' in page
    assert "ran out of time" not in read(people["owner"])


def test_only_what_is_live_is_asked_for_again(worker: Worker, people: dict[str, Client]) -> None:
    """A button under somebody's finger, and a fault that is read, stay where they are."""
    part = people["staff"].get("/workers/", headers={"HX-Request": "true"}).content.decode()
    assert part.strip().startswith('<div id="crew"')
    assert "<form" not in part


def test_the_page_takes_the_same_few_queries_however_many_workers_there_are(
    author: User, django_assert_max_num_queries: DjangoAssertNumQueries, people: dict[str, Client]
) -> None:
    for number in range(20):
        Worker.objects.create(name=f"host/{number}/1", sandbox="containers", able=True)
    with django_assert_max_num_queries(7):
        read(people["staff"])
