"""Every page of the site as it looks: at three widths, in light and dark, to axe-core, and to who uses the keyboard.

A page is opened once for all of it, since that costs more than to look. With ARENA_SCREENS=FOLDER (`make screens`)
pictures of all pages are left in that folder, light and dark.
"""

from __future__ import annotations

import os
import re
from collections.abc import Callable
from hashlib import sha256
from pathlib import Path
from typing import Any

import pytest
from django.urls import get_resolver
from playwright.sync_api import Page

from tests.e2e.axe import AXE, IN_COLOURS, RULES, VENDOR, violations
from tests.e2e.fit import CUT_OFF, OVERLAPPING, UNSEEN_FOCUS, WIDER_THAN_THE_PAGE
from tests.e2e.pages import NO_PAGES, PAGES
from tests.e2e.pages import Page as Place

pytestmark = pytest.mark.browser

WIDTHS = (1440, 768, 390)
SCREENS = os.environ.get("ARENA_SCREENS", "")


@pytest.mark.parametrize("place", PAGES, ids=lambda place: place.name)
def test_a_page_fits_every_width_and_can_be_used_by_everybody(
    visit: Callable[..., Page], subtests: pytest.Subtests, place: Place
) -> None:
    page = visit(place, WIDTHS[0])
    if not place.alike:
        page.evaluate(AXE)
        with subtests.test("axe-core"):
            assert violations(page, RULES) == []
        page.emulate_media(color_scheme="dark")
        with subtests.test("axe-core in the dark"):
            assert violations(page, IN_COLOURS, "rule") == []
        page.set_viewport_size({"width": 390, "height": 844})
        with subtests.test("axe-core on a phone"):
            assert violations(page, ["target-size"], "rule") == []
        page.emulate_media(color_scheme="light")
    for width in WIDTHS:
        page.set_viewport_size({"width": width, "height": 900})
        with subtests.test("fits", width=width):
            assert page.evaluate(WIDER_THAN_THE_PAGE) <= 0
            assert page.evaluate(CUT_OFF) == []
            assert page.evaluate(OVERLAPPING) == []
        if SCREENS:
            picture(page, place, width)
    page.keyboard.press("Tab")  # from now on the focus is a keyboard's
    with subtests.test("shows its focus"):
        assert page.evaluate(UNSEEN_FOCUS) == []


def picture(page: Page, place: Place, width: int) -> None:
    name = re.sub(r"\W+", "-", place.name)
    for scheme in ("light", "dark"):
        page.emulate_media(color_scheme=scheme)
        page.screenshot(path=Path(SCREENS) / f"{name}-{width}-{scheme}.png", full_page=True)
    page.emulate_media(color_scheme="light")


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
