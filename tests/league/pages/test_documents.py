"""The rules and the guide, from the Markdown in `docs/`, and what the configuration adds to them."""

from __future__ import annotations

import html
import re

import pytest
from django.conf import settings
from django.test import Client

from arena.cards import card
from arena.state import RUN, SET, score
from league.pages import documents
from league.tournaments import services as tournaments


def read(client: Client, path: str) -> str:
    answer = client.get(path)
    assert answer.status_code == 200
    return html.unescape(answer.content.decode())


@pytest.mark.django_db
@pytest.mark.parametrize(("path", "name"), [("/rules/", "rules"), ("/guide/", "bot-guide")])
def test_every_section_of_the_document_is_on_its_page(client: Client, path: str, name: str) -> None:
    page = read(client, path)
    text = (settings.BASE_DIR / "docs" / f"{name}.md").read_text(encoding="utf-8")
    title = text.partition("\n")[0].removeprefix("# ")
    assert f"<h1>{title}</h1>" in page
    sections = re.findall(r"^## (.+)$", text, re.MULTILINE)
    assert len(sections) > 5
    for section in sections:
        plain = section.replace("`", "")
        anchors = re.findall(rf'<a href="#([^"]+)">{re.escape(plain)}</a>', page)
        assert len(anchors) == 1, section
        assert f'<h2 id="{anchors[0]}">' in page


def test_the_scoring_examples_of_the_rules_are_what_the_engine_counts() -> None:
    text = (settings.BASE_DIR / "docs/rules.md").read_text(encoding="utf-8")
    rows = re.findall(r"\| `([^`]+)` \| (\d+) x (\d+) = (\d+)", text)
    assert len(rows) == 7
    for names, count, worth, points in rows:
        cards = [card(name) for name in names.split()]
        kind = SET if cards[0].rank == cards[1].rank else RUN
        assert (int(count), int(count) * int(worth)) == (len(cards), int(points)), names
        assert score(cards, kind, "count") == int(points), names


def test_cards_that_stand_alone_are_drawn() -> None:
    alone = documents.rendered("| a | b |\n| --- | --- |\n| `9S TH` | x |").body
    assert alone.count('class="card ') == 2
    assert 'aria-label="10♥' in alone
    assert "<code>" not in alone
    assert documents.rendered("A card is `9S`.").body.count('class="card ') == 1
    assert "<code>9S</code>" in documents.rendered("A card is `9S`.").body
    many = documents.rendered("The pile `9C KC 7C`.").body
    assert "<code>9C KC 7C</code>" in many
    assert 'class="card ' not in many
    assert "<code>1S</code>" in documents.rendered("No card: `1S`.").body


def test_html_in_a_document_is_shown_as_text() -> None:
    body = documents.rendered("# T\n\n<script>alert(1)</script> `<b>` [x](javascript:alert(1))").body
    assert "<script" not in body
    assert "<b>" not in body
    assert 'href="javascript' not in body


def test_links_between_documents_lead_to_their_pages() -> None:
    body = documents.rendered("[rules](rules.md#scoring), [guide](bot-guide.md), [other](https://example.org)").body
    assert re.findall(r'href="([^"]+)"', body) == ["/rules/#scoring", "/guide/", "https://example.org"]


@pytest.mark.django_db
def test_the_options_in_force_are_those_of_the_ladder(client: Client) -> None:
    ladder = tournaments.ladder()
    ladder.ruleset |= {"run_direction": "both", "decks": 2}
    ladder.save()
    page = read(client, "/rules/")
    assert "<dt><code>run_direction</code></dt><dd><code>both</code></dd>" in page
    assert "<dt><code>decks</code></dt><dd><code>2</code></dd>" in page


@pytest.mark.django_db
def test_the_limits_in_force_are_those_of_the_ladder(client: Client) -> None:
    ladder = tournaments.ladder()
    ladder.time_control |= {"decision_s": 2.5}
    ladder.save()
    assert "<dd>2.5 s</dd>" in read(client, "/guide/")
