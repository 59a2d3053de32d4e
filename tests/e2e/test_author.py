"""What an author does with his bots, in a browser, through the real workers and sandbox."""

from __future__ import annotations

import re
import time
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, expect

pytestmark = [pytest.mark.browser, pytest.mark.timeout(120)]

EXAMPLE = (Path(__file__).parents[2] / "platform/league/templates/bots/example_bot.txt").read_text()
FAILING = "class Bot:\n    def play(self, observation):\n        return self.plan\n"
CHECKED_MS = 60_000
HANGS = "while True:\n    pass\n"

DROP = """(zone, [name, text]) => {
    const data = new DataTransfer();
    data.items.add(new File([text], name, { type: "text/x-python" }));
    for (const type of ["dragenter", "dragover", "drop"])
        zone.dispatchEvent(new DragEvent(type, { dataTransfer: data, bubbles: true, cancelable: true }));
}"""


def sign_up(page: Page, name: str) -> None:
    page.goto("/accounts/signup/")
    page.get_by_label("Username").fill(name)
    page.get_by_label("Password", exact=True).fill("a long enough one")
    page.get_by_label("Password confirmation").fill("a long enough one")
    page.get_by_role("button", name="Sign up").click()
    expect(page.get_by_role("heading", name="Submit a bot")).to_be_visible()


def write(page: Page, code: str) -> None:
    """Type over what the editor holds."""
    page.get_by_label("Write it here").check()
    page.locator(".cm-content").click()
    page.keyboard.press("Control+a")
    page.keyboard.insert_text(code)


def submit(page: Page, name: str = "") -> None:
    if name:
        page.get_by_label("Name of the new bot").fill(name)
    page.get_by_role("button", name="Submit", exact=True).click()
    expect(page).to_have_url(re.compile(r"/bots/versions/\d+/"))


def drop(page: Page, code: str) -> None:
    page.locator("[data-drop]").evaluate(DROP, ["dropped.py", code])
    expect(page.get_by_text("dropped.py")).to_be_visible()


def state(page: Page, word: str) -> None:
    expect(page.locator(".state-word")).to_have_text(word, timeout=CHECKED_MS)


def test_a_bot_is_written_checked_corrected_and_submitted_in_the_page(page: Page) -> None:
    sign_up(page, "clara")
    write(page, FAILING)
    page.get_by_role("button", name="Check").click()
    trial = page.locator("#trial")
    expect(trial.locator(".trial-word")).to_have_text("Failed", timeout=CHECKED_MS)
    expect(trial.get_by_role("heading", name="What it saw")).to_be_visible()
    expect(trial.locator(".moment .card")).not_to_have_count(0)
    expect(trial).to_contain_text("'Bot' object has no attribute 'plan'")
    expect(trial).to_contain_text("arena check bot.py")

    write(page, EXAMPLE)
    page.get_by_role("button", name="Check").click()
    expect(trial.locator(".trial-word")).to_have_text("Passed", timeout=CHECKED_MS)
    submit(page, "Clara's bishop")
    state(page, "Active")
    page.get_by_role("link", name="Submit a bot").first.click()
    page.get_by_label("Bot", exact=True).select_option("Clara's bishop")
    expect(page.get_by_label("Name of the new bot")).to_be_hidden()


def test_the_editor_indents_and_is_left_by_keyboard(page: Page) -> None:
    sign_up(page, "dora")
    write(page, "class Bot:")
    page.keyboard.press("End")
    page.keyboard.press("Enter")
    page.keyboard.type("x = 1")
    assert page.locator("#id_code").input_value() == "class Bot:\n    x = 1"
    page.keyboard.press("Escape")
    page.keyboard.press("Tab")
    expect(page.get_by_label("Name of the new bot")).to_be_focused()


def test_versions_are_dropped_compared_rolled_back_and_the_bot_retired(page: Page) -> None:
    sign_up(page, "emil")
    drop(page, EXAMPLE)
    submit(page, "Emil's rook")
    state(page, "Active")
    page.get_by_role("link", name="All versions").click()
    page.get_by_role("link", name="Submit a new version").click()
    drop(page, EXAMPLE + "# two\n")
    submit(page)
    state(page, "Active")
    page.get_by_role("link", name="since version 1").click()
    expect(page.locator(".diff-new .diff-text")).to_have_text("# two")
    page.go_back()

    page.get_by_role("link", name="All versions").click()
    page.get_by_role("button", name="Roll back to version 1").click()
    expect(page.get_by_text("Version 1 plays again.")).to_be_visible()
    state(page, "Active")
    page.get_by_role("link", name="All versions").click()
    page.get_by_role("textbox", name="Name").fill("Emil's tower")
    page.get_by_role("button", name="Rename").click()
    expect(page.get_by_role("heading", name="Emil's tower")).to_be_visible()
    page.get_by_role("button", name="Retire").click()
    expect(page.get_by_text("Emil's tower is retired.")).to_be_visible()
    page.get_by_role("button", name="Come back").click()
    expect(page.get_by_text("version 1 playing")).to_be_visible()


def test_a_bot_that_hangs_does_not_hold_up_its_correction(page: Page) -> None:
    sign_up(page, "fritz")
    write(page, HANGS)
    submit(page, "Fritz")
    state(page, "Checking")
    page.get_by_role("link", name="Submit a bot").first.click()
    page.get_by_label("Bot", exact=True).select_option("Fritz")
    write(page, EXAMPLE)
    begun = time.monotonic()
    submit(page)
    state(page, "Active")
    assert time.monotonic() - begun < 15  # to be found hanging takes 10 s of CPU time, which is more on a busy machine
    expect(page.get_by_role("link", name="since version 1")).to_be_visible()


def test_all_of_it_works_without_script(browser: Browser, site: str) -> None:
    context = browser.new_context(base_url=site, java_script_enabled=False)
    page = context.new_page()
    sign_up(page, "greta")
    page.get_by_label("Write it here").check()
    expect(page.get_by_label("Python source")).to_have_value(EXAMPLE)
    page.get_by_role("button", name="Check").click()
    expect(page.locator(".trial-word")).to_have_text("Passed", timeout=CHECKED_MS)
    page.get_by_role("link", name="Submit a bot").last.click()
    page.get_by_label("Write it here").check()
    submit(page, "Greta")
    state(page, "Active")
    context.close()


def test_no_page_of_an_author_scrolls_sideways_on_a_phone(page: Page) -> None:
    page.set_viewport_size({"width": 390, "height": 844})
    sign_up(page, "hugo")
    write(page, FAILING + "#" * 300)
    submit(page, "Hugo" + "x" * 36)
    state(page, "Rejected")
    version = page.url
    page.goto("/bots/submit/?bot=")
    write(page, EXAMPLE)
    page.get_by_role("button", name="Check").click()
    expect(page.locator(".trial-word")).to_have_text("Passed", timeout=CHECKED_MS)
    fits(page)
    page.goto(version)
    fits(page)
    for link in ("All versions", "Delete…"):
        with page.expect_navigation():
            page.get_by_role("link", name=link).click()
        fits(page)
    page.goto("/bots/mine/")
    fits(page)


def fits(page: Page) -> None:
    page.evaluate("document.fonts.ready")
    assert page.evaluate("document.documentElement.scrollWidth") <= 390, page.url
