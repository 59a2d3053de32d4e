"""A wrong parameter is answered 400 with a text that names it, whichever page has it."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path

import pytest
from django.conf import settings
from django.test import Client

from arena.replay import Record
from league.accounts.models import User
from league.bots.models import Version
from league.matches import services as matches
from league.matches.models import Match
from league.matches.services import BotLog

NUMBER = ("soon", "-1", "1.5", "1e3", "٣", "9" * 30, "<b>", "\0")
TEXT = ("x" * 151, "a\0b")
CHOICE = ("sideways", "WON", "<b>", "\0")
WRONG = {
    "/leaderboard/": {"q": TEXT, "sort": CHOICE, "page": ("0", *NUMBER)},
    "/leaderboard/ladder/compare/": {"a": TEXT, "b": TEXT},
    "/matches/": {
        "tournament": CHOICE,
        "bot": TEXT,
        "author": TEXT,
        "outcome": CHOICE,
        "fault": CHOICE,
        "before": ("0", *NUMBER),
    },
    "/matches/{match}/games/1/": {"move": ("9999", *NUMBER), "see": CHOICE},
    "/bots/submit/": {"bot": ("0", *NUMBER)},
    "/bots/versions/{version}/changes/": {"since": ("0", *NUMBER)},
    "/announcements/": {"page": ("0", *NUMBER)},
    "/organise/flags/": {"show": CHOICE, "kind": CHOICE, "before": ("0", *NUMBER)},
    "/organise/log/": {"before": ("0", *NUMBER)},
    "/organise/rejudgings/": {"before": ("0", *NUMBER)},
}
NEVER_WRONG = {"seen", "names", "next"}
"""What a page compares with, or what only tells addresses apart; Django looks after `next`."""


@pytest.fixture
def shown(
    author: User, client: Client, activate: Callable[..., Version], queued: Match, played: Callable[..., Record]
) -> dict[str, int]:
    """A match with a replay and a version with an earlier one, and a client of their owner, who organises."""
    match = matches.claim("worker")
    assert match is not None
    assert matches.record(match, played(), (BotLog(), BotLog()))
    version = activate("Bishop", b"class Bot:\n    def play(self, observation):\n        return ()\n")
    User.objects.filter(pk=author.pk).update(is_staff=True)
    client.force_login(author)
    return {"match": match.pk, "version": version.pk}


CASES = [(path, name, value) for path, names in WRONG.items() for name, values in names.items() for value in values]


def test_a_wrong_parameter_is_named(shown: dict[str, int], client: Client) -> None:
    for path, name, value in CASES:
        answer = client.get(path.format(**shown), {name: value})
        assert answer.status_code == 400, (path, name, value)
        assert f"{name}: expected" in answer.content.decode(), (path, name, value)
        assert "<b>" not in re.sub(r"(?s).*<main", "", answer.content.decode()), (path, name, value)


def test_an_empty_or_unknown_parameter_changes_nothing(shown: dict[str, int], client: Client) -> None:
    for path, names in WRONG.items():
        for name in (*names, "utm_source"):
            assert client.get(path.format(**shown), {name: ""}).status_code == 200, (path, name)


def test_every_parameter_is_in_the_list() -> None:
    source = "".join(path.read_text() for path in Path(settings.BASE_DIR / "platform/league").rglob("*views.py"))
    read = re.findall(r'(?:whole_number|one_of|short_text)\(request, "(\w+)"|request\.GET\S*?["(](\w+)"', source)
    assert {first or second for first, second in read} <= {
        name for names in WRONG.values() for name in names
    } | NEVER_WRONG
    assert len(read) >= 10
