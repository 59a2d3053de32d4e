"""A whole season in two browsers, an author's and an organiser's: from registration to the final table."""

from __future__ import annotations

import re
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.e2e.conftest import ORGANISER, PASSWORD
from tests.e2e.test_the_whole_way import CHECKED_MS, EXAMPLE, PLAYED_MS, sign_up, submit

pytestmark = [pytest.mark.browser, pytest.mark.timeout(240)]


@pytest.fixture
def organiser(browser: Browser, site: str) -> Iterator[Page]:
    context = browser.new_context(base_url=site, viewport={"width": 1280, "height": 900})
    page = context.new_page()
    page.goto("/accounts/login/")
    page.get_by_label("Username").fill(ORGANISER)
    page.get_by_label("Password").fill(PASSWORD)
    page.get_by_role("button", name="Log in").click()
    yield page
    context.close()


def moment(ahead: timedelta) -> str:
    return f"{datetime.now(UTC) + ahead:%Y-%m-%dT%H:%M:%S}"


def announce(organiser: Page) -> None:
    organiser.get_by_role("link", name="Organise").click()
    organiser.get_by_role("link", name="Announce a season").first.click()
    organiser.get_by_label("Name").fill("May cup")
    organiser.get_by_label("Deadline (UTC)").fill(moment(timedelta(hours=1)))
    organiser.get_by_label("Decks").select_option("2")
    organiser.get_by_label("Games a match").fill("2")
    organiser.get_by_role("button", name="Announce it").click()
    expect(organiser.get_by_text("The season is announced.")).to_be_visible()


def test_a_season_from_registration_to_its_final_table(page: Page, organiser: Page) -> None:
    announce(organiser)

    sign_up(page, "grace")
    submit(page, "Grace's rook", EXAMPLE.read_bytes())
    expect(page.locator(".state-word")).to_have_text("Active", timeout=CHECKED_MS)
    page.get_by_role("link", name="Seasons").click()
    page.get_by_role("link", name="May cup").click()
    page.get_by_role("button", name="Register Grace's rook").click()
    expect(page.get_by_text("registered, version 1")).to_be_visible()

    organiser.get_by_label("Deadline (UTC)").fill(moment(timedelta(seconds=3)))
    organiser.get_by_role("button", name="Move it").click()
    expect(organiser.get_by_text("The deadline is moved.")).to_be_visible()

    page.goto("/leaderboard/may-cup/")
    # The house's three bots and hers: 6 pairs, 2 matches each.
    expect(page.get_by_text("12 of 12 matches played")).to_be_visible(timeout=PLAYED_MS)
    expect(page.locator(".board-table tbody tr")).to_have_count(4)

    organiser.reload()
    organiser.get_by_role("button", name="Close the season").click()
    expect(organiser.get_by_text("The season is closed.")).to_be_visible()

    page.get_by_role("link", name="May cup").click()
    expect(page.get_by_role("heading", name="Final table")).to_be_visible()
    place = page.get_by_role("row").filter(has=page.get_by_role("link", name="Grace's rook"))
    final = place.inner_text()
    assert re.match(r"[1-4]\s", final)

    page.goto("/bots/mine/")
    page.get_by_role("link", name="Versions and settings").click()
    page.get_by_role("link", name="Delete…").click()
    page.get_by_role("button", name="Delete it").click()
    page.goto("/seasons/may-cup/")
    assert place.inner_text() == final
