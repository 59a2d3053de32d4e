"""Readers get the site in the language that they ask for, all of it."""

from __future__ import annotations

import html
import re
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest
from django.conf import settings
from django.http import HttpResponse
from django.test import Client
from django.utils import timezone

from league.matches import seasons

RUSSIAN = {"HTTP_ACCEPT_LANGUAGE": "ru-RU,ru;q=0.9,en;q=0.8"}
PASSING = b"class Bot:\n    def play(self, observation):\n        return observation.legal_plays[0]\n"
# Words in Latin letters that a Russian page may have: names, and what is not translated.
LATIN = """
    Candidate Arena English Python Bot UTF UTC SHA stdout stderr json txt zip bot match play
    before Bishop Rook ada bob sue house random Tab Escape API Bearer
"""


@pytest.mark.django_db
@pytest.mark.parametrize(
    ("asked", "language"),
    [("", "en"), ("en-GB", "en"), ("ru", "ru"), ("ru-RU,ru;q=0.9,en;q=0.8", "ru"), ("de", "en"), ("de,ru;q=0.5", "ru")],
)
def test_a_page_is_in_the_language_that_the_browser_asks_for(client: Client, asked: str, language: str) -> None:
    page = client.get("/rules/", headers={"accept-language": asked})
    assert f'<html lang="{language}">' in page.text
    assert page["Content-Language"] == language
    assert ("Правила" in page.text) == (language == "ru")


def document(name: str) -> str:
    return (Path(settings.BASE_DIR) / "docs" / name).read_text()


@pytest.mark.parametrize("name", ["rules", "bot-guide"])
def test_the_russian_documents_say_what_the_english_ones_say(name: str) -> None:
    english, russian = document(f"{name}.md"), document(f"{name}.ru.md")
    for same in (
        r"^```.*?^```$",  # code, which the tests run in the English one
        r"^#+(?= )",  # sections
        r"^\|(?: `[^`|]+`,?)*",  # rows of tables and what they are about
        r"^ *(?:\d+\.|-) ",  # items of lists
        r"\d+ x \d+ = \d+",
    ):
        assert re.findall(same, russian, re.MULTILINE | re.DOTALL) == re.findall(
            same, english, re.MULTILINE | re.DOTALL
        )


@pytest.mark.django_db
@pytest.mark.parametrize(("path", "title"), [("/rules/", "Правила «Кандидата»"), ("/guide/", "Как написать бота")])
def test_documents_are_shown_in_russian_with_links_to_the_pages(client: Client, path: str, title: str) -> None:
    page = client.get(path, **RUSSIAN).text
    assert f"<h1>{title}</h1>" in page
    assert ".md" not in page
    assert 'aria-label="Д♥' in page or path == "/guide/"  # cards have the letters of Russian decks


def choose(client: Client, language: str, on: str) -> HttpResponse:
    """Sends the form at the foot of that page, as a browser does."""
    return client.post("/language/", {"language": language}, headers={"referer": f"http://testserver{on}"})


@pytest.mark.django_db
def test_a_chosen_language_goes_back_to_the_page_with_its_query_and_stays(client: Client) -> None:
    assert choose(client, "ru", "/matches/?fault=time")["Location"] == "http://testserver/matches/?fault=time"
    assert '<html lang="ru">' in client.get("/matches/?fault=time").text
    assert '<html lang="ru">' in client.get("/rules/", headers={"accept-language": "en"}).text
    choose(client, "en", "/rules/")
    assert '<html lang="en">' in client.get("/rules/", **RUSSIAN).text


@pytest.mark.django_db
def test_the_choice_is_offered_on_every_page_each_language_in_its_own_name(client: Client) -> None:
    for language in ("en", "ru"):
        page = client.get("/rules/", headers={"accept-language": language}).text
        assert re.search(r'value="en" lang="en"[^>]*>English</button>', page)
        assert re.search(r'value="ru" lang="ru"[^>]*>русский</button>', page, re.IGNORECASE)
        assert re.search(rf'value="{language}" lang="{language}" aria-current="true"', page)


@pytest.mark.django_db
@pytest.mark.parametrize("language", ["tlh", "", "../en", "ru\0"])
def test_a_language_that_the_site_does_not_have_changes_nothing(client: Client, language: str) -> None:
    assert choose(client, language, "/rules/").status_code == 302
    assert '<html lang="en">' in client.get("/rules/").text


@pytest.mark.django_db
def test_the_choice_leads_to_no_other_site(client: Client) -> None:
    answer = client.post("/language/", {"language": "ru", "next": "https://example.org/"})
    assert answer["Location"] == "/"


@pytest.mark.django_db
@pytest.mark.parametrize("htmx", [{}, {"HX-Request": "true"}])
@pytest.mark.parametrize("address", ["/", "/leaderboard/", "/matches/", "/rules/", "/guide/", "/nothing/"])
def test_caches_keep_a_page_for_each_language(client: Client, address: str, htmx: dict[str, str]) -> None:
    varies = client.get(address, headers=htmx)["Vary"].lower()
    assert "accept-language" in varies
    assert "cookie" in varies


@pytest.mark.django_db
def test_numbers_and_times_are_written_as_in_the_language(client: Client) -> None:
    guide = client.get("/guide/", **RUSSIAN).text
    assert "Ограничения" in guide
    assert "10 с" in guide
    assert "256 МиБ" in guide


@pytest.fixture
def league(activate: Any, play_all: Any, author: Any) -> dict[str, int]:
    """A small league with everything that a page can show, by number: two bots, a played match, a failed version."""
    older = activate("Bishop", PASSING + b"# 1\n")
    newer = activate("Bishop", PASSING + b"# 2\n")
    activate("Rook")
    match = play_all()[0]
    now = timezone.now()
    seasons.announce("Весна", "spring", now, now + timedelta(days=7))
    return {"bot": newer.bot_id, "older": older.pk, "version": newer.pk, "match": match.pk, "author": author.pk}


PAGES = (
    "/",
    "/leaderboard/",
    "/leaderboard/?q=никто",
    "/matches/",
    "/matches/?bot=никто",
    "/matches/?fault=time",
    "/matches/?before=0",
    "/matches/{match}/",
    "/matches/{match}/games/1/",
    "/matches/{match}/games/1/?move=9&see=A",
    "/matches/{match}/games/99/",
    "/bots/{bot}/",
    "/bots/{bot}/manage/",
    "/bots/{bot}/delete/",
    "/bots/mine/",
    "/bots/submit/",
    "/bots/versions/{version}/",
    "/bots/versions/{older}/",
    "/bots/versions/{version}/changes/",
    "/authors/{author}/",
    "/announcements/",
    "/organise/log/",
    "/queue/",
    "/status/",
    "/leaderboard/ladder/compare/",
    "/leaderboard/ladder/compare/?a=Bishop&b=Rook",
    "/seasons/",
    "/seasons/spring/",
    "/organise/",
    "/organise/tournaments/",
    "/organise/seasons/new/",
    "/organise/seasons/spring/",
    "/organise/ladders/new/",
    "/organise/flags/",
    "/organise/rejudgings/",
    "/organise/announcements/",
    "/organise/announcements/new/",
    "/organise/bots/{bot}/disqualify/",
    "/organise/matches/{match}/annul/",
    "/organise/rejudgings/new/?match={match}",
    "/accounts/tokens/",
    "/accounts/close/",
    "/accounts/login/",
    "/accounts/signup/",
    "/nothing/",
)


@pytest.mark.parametrize("visitor", ["anonymous", "other", "owner", "staff"])
def test_a_russian_page_has_no_english_on_it(
    league: dict[str, int], people: dict[str, Client], visitor: str, subtests: Any
) -> None:
    for address in PAGES:
        with subtests.test(address=address):
            page = people[visitor].get(address.format(**league), follow=True, **RUSSIAN)
            assert '<html lang="ru">' in page.text
            assert sorted(english_in(page.text)) == []


def english_in(page: str) -> set[str]:
    """Words in Latin letters that a reader sees or hears, apart from names and code."""
    page = re.sub(r'<td class="diff-text">.*?</td>', " ", page)
    for code in ("script", "style", "pre", "code", "textarea", "kbd"):
        page = re.sub(rf"<{code}\b.*?</{code}>", " ", page, flags=re.DOTALL)
    heard = re.findall(r'(?:aria-label|title|placeholder|alt)="([^"]*)"', page)
    seen = html.unescape(re.sub(r"<[^>]+>", " ", page))
    words = set(re.findall(r"\b[A-Za-z]{3,}\b", " ".join([seen, *heard])))
    return words - set(LATIN.split())
