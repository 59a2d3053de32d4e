"""The page about the engine."""

import re
from importlib import import_module

from documents import DOCS, run

PAGE = DOCS / "engine.md"


def test_every_example_does_what_the_page_says() -> None:
    outcome = run(PAGE)
    assert outcome.failures == ""
    assert outcome.examples > 25


def test_every_module_that_it_names_has_a_docstring() -> None:
    named = set(re.findall(r"`(arena\.\w+)`", PAGE.read_text(encoding="utf-8")))
    assert len(named) > 10
    for name in named:
        assert import_module(name).__doc__, name
