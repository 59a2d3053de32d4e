"""Leaderboard, crosstable, match lists and match page in a browser, with the house bots' round robin played."""

from __future__ import annotations

import re
from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, Locator, Page, expect

pytestmark = [pytest.mark.browser, pytest.mark.timeout(240)]

PLAYED_MS = 120_000
SCORE = re.compile(r"^\d+ : \d+$")


@pytest.fixture
def board(page: Page) -> Page:
    """The leaderboard, once every pair of it has been played."""
    page.goto("/leaderboard/")
    expect(page.get_by_text(re.compile(r"(The only pair has|All \d+ pairs have) been played."))).to_be_visible(
        timeout=PLAYED_MS
    )
    return page


@pytest.fixture
def far_away(browser: Browser, site: str) -> Iterator[Page]:
    """A page of a reader in a zone that is a day ahead."""
    context = browser.new_context(base_url=site, timezone_id="Pacific/Apia")
    yield context.new_page()
    context.close()


def column(page: Page, number: int) -> list[str]:
    return page.locator(f".board-table tbody tr > :nth-child({number})").all_inner_texts()


def test_the_table_is_sorted_by_its_heads_and_searched(board: Page) -> None:
    ranks = column(board, 1)
    heads = board.locator(".board-table thead")
    expect(heads.locator("[aria-sort]")).to_have_text("Rank")
    heads.get_by_role("link", name="Bot").click()
    expect(heads.locator("[aria-sort=ascending]")).to_have_text("Bot")
    names = [name.split("\n")[0].lower() for name in column(board, 2)]
    assert names == sorted(names)
    heads.get_by_role("link", name="Bot").click()
    expect(heads.locator("[aria-sort=descending]")).to_have_text("Bot")
    board.get_by_role("searchbox").fill("LONGEST")
    board.get_by_role("searchbox").press("Enter")
    expect(board.locator(".board-table tbody tr")).to_have_count(1)
    assert column(board, 1)[0] in ranks


def test_a_cell_of_the_crosstable_opens_its_match(board: Page) -> None:
    row = board.locator(".crosstable tbody tr").first
    name = row.get_by_role("link").first.inner_text()
    cell = row.locator("a.cell").first
    difference = int(cell.inner_text().replace("−", "-").rstrip("F"))
    cell.click()
    expect(board.get_by_role("heading", level=1)).to_contain_text(name)
    points = [int(text) for text in board.locator(".score-points").all_inner_texts()]
    assert difference in (points[0] - points[1], points[1] - points[0])


def test_a_refresh_leaves_the_reader_where_he_was(board: Page) -> None:
    board.set_viewport_size({"width": 390, "height": 700})
    box = board.locator("[data-keep-scroll]")
    box.evaluate("box => box.scrollTo(60, 0)")
    board.locator("a.cell").nth(1).focus()
    focused = board.evaluate("document.activeElement.getAttribute('href')")
    scrolled = board.evaluate("[scrollY, document.querySelector('[data-keep-scroll]').scrollLeft]")
    board.evaluate("document.querySelector('#table').dataset.old = 'yes'")
    board.evaluate("htmx.ajax('GET', '/leaderboard/', { target: '#table', swap: 'outerHTML' })")
    expect(board.locator("#table[data-old]")).to_have_count(0)
    assert board.evaluate("document.activeElement.getAttribute('href')") == focused
    assert board.evaluate("[scrollY, document.querySelector('[data-keep-scroll]').scrollLeft]") == scrolled


def test_nothing_is_sent_while_nothing_changes(board: Page) -> None:
    with board.expect_response(re.compile("seen="), timeout=25_000) as polled:
        pass
    assert polled.value.status == 204
    expect(board.locator(".board-table")).to_be_visible()


def test_matches_are_found_by_bot_and_result(board: Page) -> None:
    board.goto("/matches/")
    everything = rows(board).count()
    board.get_by_label("Bot").fill("longest")
    board.get_by_label("Result").select_option("won")
    board.get_by_role("button", name="Show").click()
    expect(board.get_by_role("heading", level=1)).to_have_text("Matches of longest")
    assert 0 < rows(board).count() < everything
    for winner in board.locator(".match-rows .row-link:not(.is-quiet)").all():
        expect(winner).to_have_text("longest")
    board.get_by_role("link", name="All matches").click()
    expect(rows(board)).to_have_count(everything)


def test_a_bot_that_is_not_found_may_be_one_of_these(board: Page, far_away: Page) -> None:
    far_away.goto("/matches/?bot=long")
    far_away.get_by_role("link", name="longest").click()
    expect(far_away.get_by_role("heading", level=1)).to_have_text("Matches of longest")


def rows(page: Page) -> Locator:
    return page.get_by_role("link", name=SCORE)


def test_a_replay_is_two_clicks_from_a_row_of_matches(board: Page) -> None:
    board.goto("/matches/?tournament=ladder")
    rows(board).first.click()
    board.locator(".games-table").get_by_role("link", name="Game 7", exact=True).click()
    expect(board.get_by_role("heading", level=1)).to_have_text("Game 7 of 12")


def test_times_are_those_of_the_readers_zone_which_is_named(board: Page, far_away: Page) -> None:
    board.goto("/matches/?tournament=ladder")
    address = str(rows(board).first.get_attribute("href"))
    far_away.goto(address)
    shown = far_away.locator("time[data-exact]").first
    expect(shown).to_have_text(re.compile(r"^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d GMT\+13$"))
    expect(shown).to_have_attribute("datetime", re.compile(r"\+00:00$"))
    far_away.goto("/matches/?tournament=ladder")
    expect(far_away.locator("time").first).to_have_attribute("title", re.compile(r"GMT\+13$"))


def test_home_leads_to_a_bot_to_its_author_and_to_the_queue(board: Page) -> None:
    board.goto("/")
    board.locator("#live").get_by_role("link", name="longest").first.click()
    expect(board.get_by_role("heading", name="Points in a game")).to_be_visible()
    board.locator(".form-marks a").first.click()
    expect(board.locator(".score-points")).to_have_count(2)
    board.go_back()
    board.locator(".kicker").get_by_role("link").click()
    expect(board.get_by_role("heading", level=1)).to_have_text("house")
    board.get_by_role("link", name="Queue").click()
    expect(board.get_by_role("heading", name="Workers")).to_be_visible()


def test_the_rules_lead_to_their_sections(page: Page) -> None:
    page.goto("/rules/")
    page.get_by_role("navigation", name="On this page").get_by_role("link", name="Scoring").click()
    expect(page.locator("h2#scoring")).to_be_in_viewport()
    expect(page.locator("td .card").first).to_be_visible()
