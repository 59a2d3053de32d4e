"""The Russian catalogue has every text of the site's templates and modules."""

from __future__ import annotations

import ast
import re
import shutil
import subprocess
from collections.abc import Iterator
from gettext import GNUTranslations, NullTranslations
from pathlib import Path
from typing import Any, NamedTuple

import pytest
from django.conf import settings
from django.template.base import Lexer, Node
from django.template.loader import get_template
from django.templatetags.i18n import BlockTranslateNode, TranslateNode
from django.utils.text import smart_split
from django.utils.translation import trim_whitespace

LEAGUE = Path(settings.BASE_DIR) / "platform/league"
TEMPLATES = LEAGUE / "templates"
CATALOGUE = LEAGUE / "locale/ru/LC_MESSAGES"
PLACEHOLDERS = re.compile(r"%\(\w+\)s|\{\w+\}|%%|</?\w+[^>]*>")


class Text(NamedTuple):
    where: str
    text: str
    plural: str | None = None
    context: str | None = None


class Missing(NullTranslations):
    def gettext(self, message: str) -> str:
        return ""

    def ngettext(self, singular: str, plural: str, number: int) -> str:
        return ""

    def pgettext(self, context: str, message: str) -> str:
        return ""

    def npgettext(self, context: str, singular: str, plural: str, number: int) -> str:
        return ""


def texts_of_templates() -> Iterator[Text]:
    for path in sorted(TEMPLATES.rglob("*.html")):
        name = str(path.relative_to(TEMPLATES))
        for node in get_template(name).template.nodelist.get_nodes_by_type(Node):  # type: ignore[attr-defined]
            if isinstance(node, TranslateNode):
                text = node.filter_expression.var.literal
                if text is not None:  # else it is a variable
                    yield Text(name, text, context=_context(node))
            elif isinstance(node, BlockTranslateNode):
                yield Text(
                    name,
                    _block(node, node.singular),
                    _block(node, node.plural) if node.plural else None,
                    _context(node),
                )
        for token in Lexer(path.read_text()).tokenize():
            for bit in smart_split(token.contents) if token.token_type.name == "BLOCK" else ():
                for text in re.findall(r'\b_\("(.+?)"\)', bit):
                    yield Text(name, text)


def _context(node: Any) -> str | None:
    return node.message_context and node.message_context.var


def _block(node: BlockTranslateNode, tokens: Any) -> str:
    text = node.render_token_list(tokens)[0]
    return trim_whitespace(text) if node.trimmed else text


def texts_of_modules() -> Iterator[Text]:
    for path in sorted(LEAGUE.rglob("*.py")):
        for node in ast.walk(ast.parse(path.read_text())):
            if isinstance(node, ast.Call) and isinstance(node.func, ast.Name):
                function = node.func.id.removesuffix("_lazy").removesuffix("_noop")
                given = [each.value for each in node.args if isinstance(each, ast.Constant)]
                where = str(path.relative_to(LEAGUE))
                if function in ("_", "gettext"):
                    yield Text(where, *given)
                elif function == "ngettext":
                    yield Text(where, given[0], given[1])
                elif function == "pgettext":
                    yield Text(where, given[1], context=given[0])


def all_texts() -> list[Text]:
    found = [*texts_of_templates(), *texts_of_modules()]
    assert len(found) > 500
    return found


@pytest.fixture(scope="module")
def russian() -> GNUTranslations:
    with (CATALOGUE / "django.mo").open("rb") as file:
        translations = GNUTranslations(file)
    translations.add_fallback(Missing())
    return translations


def translated(catalogue: GNUTranslations, text: Text) -> list[str]:
    """The translation; of a text with a plural those for the numbers that Russian tells apart."""
    if text.plural is not None:
        return [catalogue.ngettext(text.text, text.plural, number) for number in (1, 2, 5, 21)]
    if text.context is not None:
        return [catalogue.pgettext(text.context, text.text)]
    return [catalogue.gettext(text.text)]


def test_every_text_of_the_site_is_in_the_russian_catalogue(russian: GNUTranslations) -> None:
    # a fuzzy or empty translation is not in the compiled catalogue
    assert [text for text in all_texts() if not all(translated(russian, text))] == []


def test_translations_have_the_placeholders_and_tags_of_their_texts(russian: GNUTranslations) -> None:
    for text in all_texts():
        expected = sorted(PLACEHOLDERS.findall(text.plural or text.text))
        for said in translated(russian, text):
            assert sorted(PLACEHOLDERS.findall(said)) == expected, text


@pytest.mark.skipif(shutil.which("msgfmt") is None, reason="needs gettext, as `make messages` does")
def test_the_compiled_catalogue_is_that_of_the_source(tmp_path: Path) -> None:
    made = tmp_path / "django.mo"
    subprocess.run(["msgfmt", "--check", "-o", made, CATALOGUE / "django.po"], check=True)
    assert made.read_bytes() == (CATALOGUE / "django.mo").read_bytes()


def test_the_catalogue_has_a_form_for_each_number(russian: GNUTranslations) -> None:
    bots = Text("", "You may make %(left)s more bot.", "You may make %(left)s more bots.")
    assert translated(russian, bots) == [
        "Можно завести ещё %(left)s бота.",
        "Можно завести ещё %(left)s ботов.",
        "Можно завести ещё %(left)s ботов.",
        "Можно завести ещё %(left)s бота.",
    ]
