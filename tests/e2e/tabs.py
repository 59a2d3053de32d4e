"""Pages of a browser that go from test to test: to open a new one costs as much as to show something in it."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import NamedTuple

from playwright.sync_api import BrowserContext, Dialog, Page


class Tab(NamedTuple):
    page: Page
    errors: list[str]
    """What went wrong in it since it was lent: a script that failed, what the policy blocked, a dialog."""


Take = Callable[..., Tab]


class Tabs:
    def __init__(self) -> None:
        self._spare: dict[str, list[Tab]] = defaultdict(list)

    @contextmanager
    def lent(self) -> Iterator[Take]:
        """Lends one test pages by what they are like, from a context of that kind; none may log an error."""
        used: list[tuple[str, Tab]] = []
        closed: list[Tab] = []

        def take(kind: str, context: Callable[[], BrowserContext], spare: bool = True) -> Tab:
            if not spare:  # a page that asks for itself again without a script would get in the way of the next one
                closed.append(_opened(context()))
                return closed[-1]
            tab = self._spare[kind].pop() if self._spare[kind] else _opened(context())
            used.append((kind, tab))
            tab.page.once("framenavigated", lambda _: tab.errors.clear())  # those of what the last test left in it
            return tab

        yield take
        for kind, tab in used:
            tab.page.emulate_media(color_scheme="light")
            self._spare[kind].append(tab)
        for tab in closed:
            tab.page.close()
        assert [error for tab in [*closed, *(tab for _, tab in used)] for error in tab.errors] == []


def _opened(context: BrowserContext) -> Tab:
    tab = Tab(context.new_page(), [])
    tab.page.on("pageerror", lambda error: tab.errors.append(str(error)))
    tab.page.on("console", lambda message: tab.errors.append(message.text) if message.type == "error" else None)

    def dismiss(dialog: Dialog) -> None:  # this site never opens one
        tab.errors.append(f"a dialog: {dialog.message}")
        dialog.dismiss()

    tab.page.on("dialog", dismiss)
    return tab
