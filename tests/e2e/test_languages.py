"""The site in Russian: the choice keeps the reader's place, and longer words break no page."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.e2e.pages import PAGES
from tests.e2e.pages import Page as Place

if TYPE_CHECKING:
    from tests.e2e.conftest import League

pytestmark = [pytest.mark.browser, pytest.mark.timeout(120)]

WIDTHS = (1440, 768, 390)


@pytest.fixture(scope="module")
def read(league: League, browser: Browser) -> Iterator[Callable[[Place], Page]]:
    """Opens a page of the league in a browser that asks for Russian, one for each kind of visitor."""
    opened: dict[str, Page] = {}

    def read(place: Place) -> Page:
        if place.who not in opened:
            context = browser.new_context(base_url=league.address, locale="ru-RU", reduced_motion="reduce")
            context.add_cookies(league.cookies(place.who))  # type: ignore[arg-type]
            opened[place.who] = context.new_page()
        page = opened[place.who]
        page.goto(league.path(place))
        expect(page.locator("html")).to_have_attribute("lang", "ru")
        return page

    yield read
    for page in opened.values():
        page.context.close()


def test_the_choice_of_a_language_keeps_the_place_in_a_replay(visit: Callable[..., Page]) -> None:
    page = visit(Place("replay", "matches:game", {"pk": "completed_match", "number": 1}, "see=A"))
    page.locator("#round-next").click()
    page.locator("#next").click()
    move = page.locator("[data-number]").inner_text()
    expect(page).to_have_url(re.compile(rf"see=A&move={move}$"))
    page.get_by_role("button", name="Русский").click()
    expect(page).to_have_url(re.compile(rf"see=A&move={move}$"))
    expect(page.get_by_role("heading", level=1)).to_have_text("Игра 1 из 12")
    expect(page.locator("[data-number]")).to_have_text(move)
    page.locator("#next").click()
    expect(page.locator("[data-live]")).to_have_text(re.compile("кладёт|пасует|берёт|открывает"))
    page.get_by_role("button", name="English").click()
    expect(page.get_by_role("heading", level=1)).to_have_text("Game 1 of 12")


def test_the_script_draws_cards_with_the_letters_of_the_language(read: Callable[[Place], Page]) -> None:
    page = read(Place("replay", "matches:game", {"pk": "completed_match", "number": 1}))
    page.locator("#last").click()
    expect(page.locator("[data-number]")).to_have_text(page.locator("#move").get_attribute("max") or "")
    taken = " ".join(page.locator("[data-taken] li").all_inner_texts())
    assert re.search("[ВДКТ][♣♦♥♠]", taken)
    assert not re.search("[JQKA][♣♦♥♠]", taken)


def test_the_editor_speaks_the_language(read: Callable[[Place], Page]) -> None:
    page = read(Place("submit", "bots:submit", who="owner"))
    page.get_by_label("Написать здесь").check(force=True)
    page.locator(".editor .cm-content").click()
    page.keyboard.press("Control+f")
    expect(page.get_by_placeholder("Найти")).to_be_visible()
    expect(page.get_by_role("button", name="заменить все")).to_be_visible()


@pytest.mark.parametrize("place", PAGES, ids=lambda place: place.name)
def test_no_russian_page_scrolls_sideways(read: Callable[[Place], Page], place: Place) -> None:
    page = read(place)
    for width in WIDTHS:
        page.set_viewport_size({"width": width, "height": 900})
        assert page.evaluate("document.documentElement.scrollWidth") <= width
