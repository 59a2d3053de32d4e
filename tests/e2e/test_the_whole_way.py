"""From signing up to the last move of a replay, in a browser, through the real broker, workers and sandbox."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, expect

pytestmark = [pytest.mark.browser, pytest.mark.timeout(240)]

EXAMPLE = Path(__file__).parents[2] / "platform/league/templates/bots/example_bot.txt"
CHECKED_MS = 60_000
PLAYED_MS = 120_000
ALL_PLAYED = re.compile(r"All \d+ pairs have been played.")

TEXTS = {
    "hands": "[data-hand] li",
    "taken": "[data-taken] li",
    "says": "[data-says]",
    "points": "[data-points]",
    "thought": "[data-thought]",
    "banks": "[data-bank]",
    "piles": "[data-count]",
    "lobby": "[data-lobby-cards] li",
    "worth": "[data-worth]",
    "current": "[data-moves] [aria-current]",
}
READ_TABLE = """(texts) => {
  const all = (selector, read) => [...document.querySelectorAll(selector)].map(read);
  const found = {};
  for (const [name, selector] of Object.entries(texts)) found[name] = all(selector, (one) => one.textContent);
  found.classes = all("[data-table], [data-side], [data-lobby], [data-lobby-cards] .card",
    (one) => [...one.classList].sort().join(" "));
  found.suits = all("[data-hand] use, [data-lobby-cards] use", (one) => one.getAttribute("href"));
  return found;
}"""


def sign_up(page: Page, name: str) -> None:
    page.goto("/")
    page.get_by_role("link", name="Log in").click()
    page.get_by_role("link", name="Make an account").click()
    page.get_by_label("Username").fill(name)
    page.get_by_label("Password", exact=True).fill("a long enough one")
    page.get_by_label("Password confirmation").fill("a long enough one")
    page.get_by_role("button", name="Sign up").click()


def submit(page: Page, bot: str, source: bytes) -> None:
    page.get_by_label("One .py file").set_input_files({"name": "bot.py", "mimeType": "text/x-python", "buffer": source})
    page.get_by_label("Name of the new bot").fill(bot)
    page.get_by_role("button", name="Submit", exact=True).click()


def await_the_round_robin(page: Page) -> None:
    """The leaderboard, which refreshes itself, once it has a result of every pair."""
    page.goto("/leaderboard/")
    expect(page.get_by_text(ALL_PLAYED)).to_be_visible(timeout=PLAYED_MS)


def test_a_bot_is_uploaded_plays_everybody_and_is_watched_to_the_last_move(page: Page) -> None:
    sign_up(page, "ada")
    submit(page, "Ada's bishop", EXAMPLE.read_bytes())
    expect(page.locator(".state-word")).to_have_text("Active", timeout=CHECKED_MS)

    page.get_by_role("link", name="Leaderboard").first.click()
    expect(page.get_by_text(ALL_PLAYED)).to_be_visible(timeout=PLAYED_MS)
    own_name = page.get_by_role("link", name="Ada's bishop")  # the row above may name it too: "ahead of Ada's bishop"
    row = page.get_by_role("row").filter(has=own_name).first
    played_of_possible = row.get_by_text(re.compile(r"^(\d+)/\1$"))  # how many bots other tests left is open
    expect(played_of_possible).to_have_count(1, timeout=PLAYED_MS)

    row.get_by_role("link", name="Ada's bishop").click()
    page.get_by_role("link", name=re.compile(r"^\d+ : \d+$")).first.click()
    expect(page.locator(".games a")).to_have_count(12)
    points_b, points_a = (page.locator(f".games a .points-{side}").last.text_content() for side in "ba")

    page.locator(".games a").last.click()
    steps_to_the_last_move(page)
    expect(page.locator("[data-points]")).to_have_text([str(points_b), str(points_a)])


def steps_to_the_last_move(page: Page) -> None:
    """By button, by key and by the address, which keeps the place."""
    last = int(page.locator("#move").get_attribute("max") or 0)
    shown = page.locator("[data-number]")
    expect(shown).to_have_text("0")
    page.locator("#next").click()
    page.keyboard.press("ArrowRight")
    page.keyboard.press("ArrowRight")
    page.keyboard.press("ArrowLeft")
    expect(shown).to_have_text("2")
    expect(page).to_have_url(re.compile(r"\?move=2$"))
    page.reload()
    expect(shown).to_have_text("2")
    page.locator("[data-moves] a").nth(9).click()
    expect(page).to_have_url(re.compile(r"\?move=9$"))
    while int(shown.text_content() or 0) < last:
        page.locator("#next").click()
    expect(page).to_have_url(re.compile(rf"\?move={last}$"))
    expect(page.locator("[data-hand] li")).to_have_count(0)
    expect(page.locator("[data-count]")).to_have_text(["0"] * 4)


def test_the_worker_tells_by_itself_what_it_has_played(page: Page) -> None:
    page.goto("/workers/")
    expect(page.get_by_role("row")).to_have_count(2)
    processes, matches, checks, faults = (page.locator("tbody .number").nth(column) for column in range(4))
    expect(processes).not_to_have_text("0")
    expect(matches).not_to_have_text("0", timeout=PLAYED_MS)
    expect(checks).not_to_have_text("0")
    expect(faults).to_have_text("0")


def test_the_script_draws_every_move_as_the_server_does(page: Page, browser: Browser, site: str) -> None:
    page.emulate_media(reduced_motion="reduce")  # what moves would be read half way
    await_the_round_robin(page)
    page.goto("/matches/?tournament=ladder")
    page.get_by_role("link", name=re.compile(r"\d+ : \d+")).first.click()
    page.locator(".games a").first.click()
    address = page.url
    last = int(page.locator("#move").get_attribute("max") or 0)
    plain = browser.new_context(java_script_enabled=False).new_page()
    plain.goto(address)
    for move in [*range(0, last, 7), last]:
        plain.goto(f"{address}?move={move}")
        while int(page.locator("[data-number]").text_content() or 0) < move:
            page.keyboard.press("ArrowRight")
        assert table_of(page) == table_of(plain), f"move {move}"
    plain.get_by_role("link", name="Back").click()
    expect(plain.locator("[data-number]")).to_have_text(str(move - 1))
    plain.context.close()


def table_of(page: Page) -> dict[str, list[str]]:
    """What lies on the table, as text and classes."""
    found = page.evaluate(READ_TABLE, TEXTS)
    return {name: [" ".join(text.split()) for text in texts] for name, texts in found.items()}


def test_a_bot_that_fails_its_check_is_rejected_with_reason_and_traceback(page: Page) -> None:
    sign_up(page, "boris")
    submit(page, "Broken", b"class Bot:\n    def play(self, observation):\n        return self.plan\n")
    expect(page.locator(".state-word")).to_have_text("Rejected", timeout=CHECKED_MS)
    expect(page.locator(".state-what")).to_contain_text("AttributeError")
    expect(page.get_by_role("heading", name="Traceback")).to_be_visible()
    page.get_by_role("link", name="boris").click()
    expect(page.get_by_role("listitem").filter(has_text="Broken")).to_contain_text("version 1 failed")
