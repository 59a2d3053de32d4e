"""What bots and users write is shown as text wherever it is shown, whatever it holds."""

from __future__ import annotations

import re
from collections.abc import Callable

import pytest
from playwright.sync_api import Page

from tests.e2e.pages import Page as Place

pytestmark = pytest.mark.browser

IMAGE = "<img src=x"
SCRIPT = "<script>alert(2)</script>"
RULES_THE_REST = re.compile("[\0\x1b\x07\u202a-\u202e\u2066-\u2069]")

SHOWN = (
    (Place("matches", "matches:list"), IMAGE),
    (Place("match", "matches:match", {"pk": "hostile_match"}, who="staff"), SCRIPT),
    (Place("match failed", "matches:match", {"pk": "hostile_failed"}, who="staff"), IMAGE),
    (Place("replay", "matches:game", {"pk": "hostile_match", "number": 1}, "move=18"), IMAGE),
    (Place("replay, output", "matches:game", {"pk": "hostile_watched", "number": 1}, "move=0", who="staff"), SCRIPT),
    (Place("bot", "pages:bot", {"pk": "hostile_bot"}), IMAGE),
    (Place("author", "pages:author", {"pk": "hostile_user"}), IMAGE),
    (Place("leaderboard", "standings:leaderboard", query="q=img"), IMAGE),
    (Place("leaderboard searched", "standings:leaderboard", query="q=%3Cimg%20src%3Dx%20onerror%3Dalert(9)%3E"), IMAGE),
    (Place("manage", "pages:manage", {"pk": "hostile_bot"}, who="staff"), IMAGE),
    (Place("delete", "pages:delete", {"pk": "hostile_bot"}, who="staff"), IMAGE),
    (Place("version", "bots:version", {"pk": "hostile_version"}, who="staff"), IMAGE),
    (Place("version rejected", "bots:version", {"pk": "hostile_rejected"}, who="staff"), SCRIPT),
    (Place("changes", "bots:changes", {"pk": "hostile_rejected"}, who="staff"), IMAGE),
    (Place("trial", "bots:trial", {"pk": "failed_trial"}, who="owner"), SCRIPT),
    (Place("workers", "pages:queue", who="staff"), SCRIPT),
    (Place("status", "pages:status", who="staff"), SCRIPT),
    (Place("log of acts", "organisers:log", who="staff"), IMAGE),
    (Place("no such bot", "matches:list", query="bot=%3Cimg%20src%3Dx%3E", status=404), IMAGE),
    (Place("parameter", "matches:list", query="before=%3Cimg%20src%3Dx%20onerror%3Dalert(9)%3E", status=400), IMAGE),
)


@pytest.mark.parametrize(("place", "text"), SHOWN, ids=lambda value: getattr(value, "name", ""))
def test_hostile_text_is_text(visit: Callable[..., Page], place: Place, text: str) -> None:
    page = visit(place)
    assert text in page.locator("main").inner_text()
    assert page.locator("img, iframe, object, script:not([src]):not([type='application/json'])").count() == 0
    assert page.locator("h1").count() == 1
    assert page.locator("[onerror], [onload]").count() == 0
    for log in page.locator("main pre").all_inner_texts():
        assert not RULES_THE_REST.search(log)
    assert page.evaluate("document.documentElement.scrollWidth - innerWidth") <= 0


def test_the_record_of_a_hostile_bot_is_a_file_and_no_page(visit: Callable[..., Page]) -> None:
    page = visit(Place("match", "matches:match", {"pk": "hostile_match"}))
    for kind, content_type in (("json", "application/json"), ("txt", "text/plain; charset=utf-8")):
        answer = page.request.get(f"{page.url}record.{kind}")
        assert answer.headers["content-type"] == content_type
        assert answer.headers["content-disposition"].startswith("attachment")
        assert answer.headers["x-content-type-options"] == "nosniff"
