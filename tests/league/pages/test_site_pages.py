from __future__ import annotations

import html
import re
from collections.abc import Callable

import pytest
from django.test import Client
from pytest_django import DjangoAssertNumQueries

from league.accounts.models import User
from league.bots.models import Version
from league.matches.models import Match, Worker

PlayAll = Callable[..., list[Match]]
Activate = Callable[..., Version]
TEXTS = ["/", "/leaderboard/", "/matches/", "/rules/", "/guide/", "/queue/", "/status/", "/workers/", "/bots/submit/"]
FORMS = ["/accounts/login/", "/accounts/signup/"]


def read(client: Client, path: str) -> str:
    answer = client.get(path)
    assert answer.status_code == 200, path
    return html.unescape(answer.content.decode())


@pytest.fixture
def league(activate: Activate, play_all: PlayAll) -> list[Match]:
    for name in ("Pawn", "Rook", "King"):
        activate(name)
    return play_all()


def addresses(league: list[Match]) -> list[str]:
    match = league[0]
    bot = match.version_a.bot
    own = [f"/bots/{bot.pk}/", f"/bots/versions/{match.version_a_id}/", f"/authors/{bot.owner_id}/"]
    return [*TEXTS, *own, f"/matches/{match.pk}/", f"/matches/{match.pk}/games/1/?move=9"]


def test_every_page_has_one_heading_a_title_and_nothing_inline(league: list[Match], client: Client) -> None:
    for path in [*addresses(league), *FORMS]:
        page = read(client, path)
        assert page.count("<h1") == 1, path
        assert re.search(r"<title>\s*\S.* · Candidate Arena</title>", page), path
        assert ' style="' not in page, path
        assert "<style" not in page, path
        assert not re.search(r"\son[a-z]+=\"", page), path
        assert not re.search(r"<script(?![^>]* src=)(?![^>]*application/json)", page), path


def test_every_page_works_for_every_visitor(league: list[Match], people: dict[str, Client]) -> None:
    for browser in people.values():
        for path in addresses(league):
            assert browser.get(path).status_code == 200, path


def test_every_page_takes_at_most_twelve_queries(
    league: list[Match], people: dict[str, Client], django_assert_max_num_queries: DjangoAssertNumQueries
) -> None:
    for path in [*addresses(league), "/bots/mine/"]:
        with django_assert_max_num_queries(12):
            people["owner"].get(path)


def test_the_policy_allows_nothing_inline(client: Client, db: None) -> None:
    policy = client.get("/")["Content-Security-Policy"]
    assert "script-src 'self'" in policy
    assert "style-src 'self'" in policy
    assert "unsafe" not in policy


def test_the_status_counts_what_waits(
    league: list[Match], activate: Activate, upload: Callable[..., Version], client: Client
) -> None:
    activate("Queen")
    upload("Bishop")
    figures = re.findall(r"<dd>(\d+)</dd>", read(client, "/status/"))
    assert figures[:5] == ["1", "3", "0", "3", "0"]


def test_the_status_shows_each_workers_sandbox_and_its_name_to_staff(people: dict[str, Client]) -> None:
    assert "No worker has reported" in read(people["other"], "/status/")
    Worker.objects.create(name="host-1/7/99", sandbox="containers of Docker 29", able=True)
    Worker.objects.create(name="host-2/7/99", sandbox="no user namespaces", able=False)
    page = read(people["other"], "/status/")
    assert "containers of Docker 29" in page
    assert page.count("takes no matches") == 1
    assert "host-1" not in page
    assert "host-1" in read(people["staff"], "/status/")


@pytest.mark.django_db
def test_an_unknown_address_is_answered_with_a_page(client: Client) -> None:
    answer = client.get("/no/such/page/")
    assert answer.status_code == 404
    assert "Not on the table" in answer.content.decode()


def test_a_fault_of_ours_is_answered_with_a_page(db: None, client: Client, monkeypatch: pytest.MonkeyPatch) -> None:
    def broken() -> None:
        raise RuntimeError("broken")

    monkeypatch.setattr("league.pages.views.tournaments.ladder", broken)
    client.raise_request_exception = False
    answer = client.get("/rules/")
    assert answer.status_code == 500
    assert "Our fault" in answer.content.decode()


def test_what_is_forbidden_is_answered_with_a_page(upload: Callable[..., Version], people: dict[str, Client]) -> None:
    version = upload()
    answer = people["other"].get(f"/bots/versions/{version.pk}/source/")
    assert answer.status_code == 403
    assert "Only its owner may download a bot." in html.unescape(answer.content.decode())


def test_a_form_without_its_token_is_answered_with_a_page(author: User) -> None:
    answer = Client(enforce_csrf_checks=True).post("/accounts/login/", {"username": "ada"})
    assert answer.status_code == 403
    assert "Send it again" in answer.content.decode()


@pytest.mark.parametrize("kind", ["multipart/form-data", "multipart/form-data; boundary=x", "application/json"])
def test_a_damaged_form_to_an_address_that_is_none_is_404(db: None, kind: str) -> None:
    browser = Client(enforce_csrf_checks=True)
    browser.get("/accounts/login/")
    answer = browser.post("/nothing/", b"--y\r\n", content_type=kind)
    assert answer.status_code == 404
    assert "Not on the table" in answer.content.decode()
