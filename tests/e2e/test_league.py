"""What takes a league of some size, or a bot and a match in a certain state."""

from __future__ import annotations

import re
from collections.abc import Callable

import pytest
from playwright.sync_api import BrowserContext, Page, expect

from tests.e2e.pages import Page as Place

pytestmark = pytest.mark.browser

COMPLETED = {"pk": "completed_match"}


def test_ranks_go_on_from_page_to_page(visit: Callable[..., Page]) -> None:
    page = visit(Place("leaderboard", "standings:leaderboard"))
    first = ranks(page)
    page.get_by_role("link", name="Next").click()
    expect(page.get_by_text("page 2 of 2")).to_be_visible()
    second = ranks(page)
    assert first == sorted(first)
    assert second == sorted(second)
    assert first[0] == 1
    assert second[0] >= first[-1]
    assert len(first) == 25
    expect(page.locator(".crosstable tbody tr")).to_have_count(len(second))
    page.get_by_role("link", name="Previous").click()
    expect(page.get_by_text("page 1 of 2")).to_be_visible()


def ranks(page: Page) -> list[int]:
    return [int(text) for text in page.locator(".board-table tbody .rank").all_inner_texts()]


def test_earlier_matches_follow_the_latest_without_a_gap_or_a_double(visit: Callable[..., Page]) -> None:
    page = visit(Place("matches", "matches:list", query="author=ada"))
    seen: list[str] = []
    while True:
        expect(page.get_by_role("heading", level=1)).to_have_text("Matches by ada")
        links = page.locator(".match-rows a.result").all()
        seen += [str(link.get_attribute("href")) for link in links]
        earlier = page.get_by_role("link", name="Earlier matches")
        if not earlier.count():
            break
        assert len(links) == 50
        earlier.click()
        page.wait_for_url(re.compile(rf"before={seen[-1].split('/')[-2]}"))
    assert len(seen) > 50
    assert len(seen) == len(set(seen))
    page.get_by_role("link", name="Latest").click()
    assert page.locator(".match-rows a.result").first.get_attribute("href") == seen[0]


@pytest.mark.parametrize(("who", "reads"), [("visitor", False), ("other", False), ("owner", True), ("staff", True)])
def test_a_log_is_read_by_the_bots_owner_and_staff_alone(visit: Callable[..., Page], who: str, reads: bool) -> None:
    page = visit(Place("match", "matches:match", COMPLETED, who=who))
    assert ("hand 9S TH" in page.content()) is reads
    page = visit(Place("replay", "matches:game", {**COMPLETED, "number": 1}, "move=2", who=who))
    assert ("hand 9S TH" in page.content()) is reads


def test_a_failed_match_tells_what_the_platform_tried(visit: Callable[..., Page]) -> None:
    page = visit(Place("match", "matches:match", {"pk": "failed_match"}))
    expect(page.get_by_text("It counts for nobody")).to_be_visible()
    expect(page.get_by_role("row").filter(has_text="does not answer")).to_have_count(5)


def test_an_author_downloads_what_he_sent_and_deletes_his_bot(visitors: Callable[..., BrowserContext]) -> None:
    page = visitors("other").new_page()
    source = "class Bot:\r\n    def play(self, observation):\r\n        return ()  # ✓\r\n".encode()
    page.goto("/bots/submit/")
    page.locator("input[type=file]").set_input_files({"name": "b.py", "mimeType": "text/x-python", "buffer": source})
    page.get_by_label("Name of the new bot").fill("Short-lived")
    page.get_by_role("button", name="Submit", exact=True).click()
    expect(page.get_by_role("heading", name="Version 1")).to_be_visible()
    with page.expect_download() as download:
        page.get_by_role("link", name="b.py").click()
    assert download.value.path().read_bytes() == source
    page.get_by_role("link", name="All versions").click()
    page.get_by_role("link", name="Delete…").click()
    page.get_by_role("button", name=re.compile("Delete")).click()
    expect(page.get_by_text("Short-lived is deleted.")).to_be_visible()
    expect(page.get_by_role("heading", name="Short-lived")).to_have_count(0)
    page.close()
