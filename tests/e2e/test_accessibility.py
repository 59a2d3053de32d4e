"""axe-core on every page: WCAG 2.2 AA and good practice; the colours in the dark too, the targets on a phone too."""

from __future__ import annotations

from collections.abc import Callable
from hashlib import sha256
from pathlib import Path
from typing import Any

import pytest
from django.urls import get_resolver
from playwright.sync_api import Page

from tests.e2e.pages import NO_PAGES, PAGES
from tests.e2e.pages import Page as Place

pytestmark = pytest.mark.browser

VENDOR = Path(__file__).parent / "vendor"
AXE = VENDOR / "axe-core-4.14.1/axe.min.js"
RULES = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"]
IN_COLOURS = ["color-contrast", "link-in-text-block"]
"""The rules that come out differently in the dark."""
REPEATED = [
    ".crosstable tr:nth-child(n+7)",
    ".crosstable td:nth-child(n+8)",
    ".board-table tbody tr:nth-child(n+10)",
    ".games-table tbody tr:nth-child(n+5)",
    ".match-rows tbody tr:nth-child(n+15)",
    ".move-list > li:nth-child(n+15)",
]
"""Rows and cells that are like those before them, and would take axe-core most of its time."""
RUN = """async ([repeated, wanted]) => {
  const context = { exclude: repeated.map((selector) => [selector]) };
  const found = await axe.run(context, { runOnly: wanted, resultTypes: ["violations"] });
  return found.violations.flatMap((rule) => rule.nodes.map((node) =>
    `${rule.id}: ${node.html.slice(0, 200)} (${node.failureSummary.replace(/\\s+/g, " ")})`));
}"""


@pytest.mark.parametrize("place", [place for place in PAGES if not place.alike], ids=lambda place: place.name)
def test_a_page_can_be_used_by_everybody(visit: Callable[..., Page], place: Place) -> None:
    page = visit(place)
    page.evaluate(AXE.read_text())
    assert violations(page, RULES) == []
    page.emulate_media(color_scheme="dark")
    assert violations(page, IN_COLOURS, "rule") == []
    page.set_viewport_size({"width": 390, "height": 844})
    assert violations(page, ["target-size"], "rule") == []


def violations(page: Page, wanted: list[str], of: str = "tag") -> list[str]:
    """What axe-core has against the page, by rules or by tags of rules."""
    found: list[str] = page.evaluate(RUN, [REPEATED, {"type": of, "values": wanted}])
    return found


def test_every_page_is_in_the_list() -> None:
    names = {f"{space}:{view}" for space, view in url_names()}
    assert {place.view for place in PAGES} | set(NO_PAGES) == names


def url_names() -> list[tuple[str, str]]:
    """Name space and name of each URL of the site; those of the admin are Django's."""
    resolver = get_resolver()
    spaces: dict[str, Any] = resolver.namespace_dict
    return [
        (space, name)
        for space, (_prefix, inner) in spaces.items()
        if space != "admin"
        for name in inner.reverse_dict
        if isinstance(name, str)
    ]


def test_vendored_files_are_those_of_the_manifest() -> None:
    listed = dict(line.split("  ")[::-1] for line in (VENDOR / "SHA256SUMS").read_text().splitlines())
    files = [path for path in VENDOR.rglob("*") if path.is_file() and path.name != "SHA256SUMS"]
    assert listed == {str(path.relative_to(VENDOR)): sha256(path.read_bytes()).hexdigest() for path in files}
