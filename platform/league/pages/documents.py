"""The rules and the guide as pages, from the Markdown that the repository reads too: one source for both."""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from itertools import pairwise
from typing import Any

from django.conf import settings
from django.urls import reverse
from django.utils.safestring import SafeString, mark_safe
from django.utils.text import slugify
from django.utils.translation import get_language
from markdown_it import MarkdownIt
from markdown_it.renderer import RendererHTML
from markdown_it.token import Token

from league.pages.templatetags.league import card

FOLDER = settings.BASE_DIR / "docs"
PAGES = {"rules.md": "pages:rules", "bot-guide.md": "pages:guide"}
TRANSLATED = re.compile(r"\.[a-z]{2}\.md$")
CARDS = re.compile(r"[2-9TJQKA][CDHS](?: [2-9TJQKA][CDHS])*")


@dataclass(frozen=True, slots=True)
class Document:
    title: str
    body: SafeString
    """Without the title; every heading has an id."""
    contents: list[tuple[str, str]]
    """Id and text of each section."""


def document(name: str) -> Document:
    """That document in the reader's language where there is a translation, else in English."""
    return _read(name, get_language() or "")


@cache
def _read(name: str, language: str) -> Document:
    translated = FOLDER / f"{name}.{language}.md"
    path = translated if translated.is_file() else FOLDER / f"{name}.md"
    return rendered(path.read_text(encoding="utf-8"))


def rendered(text: str) -> Document:
    """That Markdown as HTML; HTML inside of it is shown as text."""
    markdown = MarkdownIt("commonmark", {"html": False}, renderer_cls=_Renderer).enable("table")
    tokens = markdown.parse(text)
    title = _take_title(tokens)
    contents = _name_headings(tokens)
    _turn_links(tokens)
    html = markdown.renderer.render(tokens, markdown.options, {})
    return Document(title, mark_safe(html), contents)  # noqa: S308 - the parser lets no HTML through


class _Renderer(RendererHTML):
    """Draws cards: beside code such as `9S`, and in place of code such as `9S TH` that stands alone in a cell.

    Lets the keyboard into what scrolls sideways.
    """

    def code_inline(self, tokens: Sequence[Token], at: int, options: Any, env: Any) -> str:
        code = super().code_inline(tokens, at, options, env)
        names = tokens[at].content.split()
        if not CARDS.fullmatch(tokens[at].content):
            return code
        drawn = "".join(card(name) for name in names)
        if len(tokens) == 1:
            return f'<span class="cards">{drawn}</span>'
        return f'{code} <span class="cards" aria-hidden="true">{drawn}</span>' if len(names) == 1 else code

    def fence(self, tokens: Sequence[Token], at: int, options: Any, env: Any) -> str:
        return super().fence(tokens, at, options, env).replace("<pre>", '<pre tabindex="0">', 1)

    def table_open(self, tokens: Sequence[Token], at: int, options: Any, env: Any) -> str:
        return '<div class="table-scroll" tabindex="0"><table class="results">\n'

    def table_close(self, tokens: Sequence[Token], at: int, options: Any, env: Any) -> str:
        return "</table></div>\n"


def _take_title(tokens: list[Token]) -> str:
    """The first heading, which is taken out: the page shows it in its own head."""
    if not tokens or tokens[0].type != "heading_open" or tokens[0].tag != "h1":
        return ""
    title = tokens[1].content
    del tokens[:3]
    return title


def _name_headings(tokens: list[Token]) -> list[tuple[str, str]]:
    contents = []
    for opened, inline in pairwise(tokens):
        if opened.type == "heading_open":
            text = "".join(child.content for child in inline.children or [])
            name = slugify(text, allow_unicode=True)
            opened.attrSet("id", name)
            if opened.tag == "h2":
                contents.append((name, text))
    return contents


def _turn_links(tokens: list[Token]) -> None:
    """Let links from one document to another lead to its page."""
    for token in tokens:
        for child in token.children or []:
            target = str(child.attrGet("href") or "")
            path, mark, section = target.partition("#")
            name = TRANSLATED.sub(".md", path)
            if name in PAGES:
                child.attrSet("href", reverse(PAGES[name]) + mark + section)
