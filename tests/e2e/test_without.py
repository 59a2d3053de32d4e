"""The site without a script, and without a mouse."""

from __future__ import annotations

import re
from collections.abc import Callable

import pytest
from playwright.sync_api import BrowserContext, Locator, Page, expect

from tests.e2e.pages import PAGES
from tests.e2e.pages import Page as Place

pytestmark = pytest.mark.browser

ONE_OF_EACH = tuple({place.view: place for place in PAGES if not place.press}.values())
SAID = "h1, h2, h3, th, dt, label:not([for=speed]), legend, caption"
BOT = "class Bot:\n    def play(self, observation):\n        return observation.legal_plays[0]\n"


@pytest.mark.parametrize("place", ONE_OF_EACH, ids=lambda place: place.name)
def test_a_page_says_the_same_without_script(visit: Callable[..., Page], place: Place) -> None:
    page, plain = visit(place), visit(place, script=False)
    assert said(plain) == said(page)
    assert said(plain)


def said(page: Page) -> list[str]:
    """Headings of all kinds and names of fields, as they are seen."""
    return [text for text in page.locator(f"main :is({SAID}):visible").all_inner_texts() if text.strip()]


def test_a_form_sent_twice_makes_one_version(visitors: Callable[..., BrowserContext]) -> None:
    page = visitors("other", script=False).new_page()
    page.goto("/bots/submit/")
    page.get_by_label("Write it here").check()
    page.get_by_label("Python source").fill(BOT + "# twice\n")
    page.get_by_label("Name of the new bot").fill("Twice")
    page.get_by_role("button", name="Submit", exact=True).dblclick()
    page.wait_for_url(re.compile(r"/bots/versions/\d+/$"))
    page.get_by_role("link", name="All versions").click()
    expect(page.locator("tbody tr")).to_have_count(1)
    page.close()


def test_an_author_needs_no_mouse(visitors: Callable[..., BrowserContext]) -> None:
    page = visitors("nobody yet").new_page()
    page.goto("/")
    page.keyboard.press("Tab")
    expect(page.get_by_role("link", name="Skip to content")).to_be_focused()
    press(page, page.get_by_role("link", name="Log in"))
    press(page, page.get_by_role("link", name="Make an account"))
    write(page, page.get_by_label("Username"), "keys")
    write(page, page.get_by_label("Password", exact=True), "a long enough one")
    write(page, page.get_by_label("Password confirmation"), "a long enough one")
    page.keyboard.press("Enter")
    reach(page, page.get_by_label("Upload a file"))
    page.keyboard.press("ArrowRight")
    expect(page.locator(".cm-content")).to_be_visible()
    write(page, page.locator(".cm-content"), "# by keys\n")
    page.keyboard.press("Escape")
    write(page, page.get_by_label("Name of the new bot"), "Keys")
    press(page, page.get_by_role("button", name="Submit", exact=True))
    page.wait_for_url(re.compile(r"/bots/versions/\d+/$"))
    expect(page.get_by_role("heading", name="Version 1")).to_be_visible()
    press(page, page.get_by_role("button", name="Log out"))
    expect(page.get_by_role("link", name="Log in")).to_be_visible()
    page.close()


def test_a_spectator_needs_no_mouse(visitors: Callable[..., BrowserContext]) -> None:
    page = visitors().new_page()
    page.goto("/")
    press(page, page.get_by_role("link", name="Matches", exact=True))
    write(page, page.get_by_label("Bot"), "Rival")
    reach(page, page.get_by_label("Result"))
    page.keyboard.press("l")
    press(page, page.get_by_role("button", name="Show"))
    page.wait_for_url(re.compile("outcome=lost"))
    press(page, page.get_by_role("link", name=re.compile(r"^\d+ : \d+$")).first)
    press(page, page.get_by_role("link", name="Game 3", exact=True))
    page.wait_for_url(re.compile("/games/3/"))
    press(page, page.locator("#next"))
    expect(page.locator("[data-number]")).to_have_text("1")
    page.keyboard.press("End")
    expect(page.locator("[data-number]")).to_have_text(page.locator("#move").get_attribute("max") or "")
    press(page, page.get_by_role("link", name="as B"))
    page.wait_for_url(re.compile("see=B"))
    page.close()


def reach(page: Page, wanted: Locator) -> None:
    """Press Tab until it has the focus."""
    wanted.wait_for()
    for _ in range(120):
        if wanted.evaluate("one => one === one.getRootNode().activeElement"):
            return
        page.keyboard.press("Tab")
    pytest.fail(f"Tab does not reach {wanted}")


def press(page: Page, wanted: Locator) -> None:
    reach(page, wanted)
    page.keyboard.press("Enter")


def write(page: Page, wanted: Locator, text: str) -> None:
    reach(page, wanted)
    page.keyboard.type(text)
