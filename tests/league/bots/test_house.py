from __future__ import annotations

from io import StringIO

import pytest
from django.contrib.auth import authenticate
from django.core.management import CommandError, call_command

from arena import bots as arena_bots
from league.accounts.models import User
from league.bots import house, services
from league.bots.models import Bot, Version

NAMES = ("passer", "random")


@pytest.fixture(autouse=True)
def two_house_bots(monkeypatch: pytest.MonkeyPatch, db: None) -> dict[str, bytes]:
    sources = {name: f"class Bot: name = {name!r}\n".encode() for name in NAMES}
    monkeypatch.setattr(arena_bots, "HOUSE", NAMES)
    monkeypatch.setattr(arena_bots, "source", lambda name: sources[name])
    return sources


def test_house_bots_are_submitted_as_by_the_form() -> None:
    versions = house.upload()
    assert [(version.bot.name, version.status, version.filename) for version in versions] == [
        ("passer", "checking", "passer.py"),
        ("random", "checking", "random.py"),
    ]
    assert {bot.owner.username for bot in Bot.objects.all()} == {"house"}


def test_submitting_them_again_does_nothing(two_house_bots: dict[str, bytes]) -> None:
    house.upload()
    assert house.upload() == []
    held = services.claim_check()
    assert held is not None
    services.finish_check(held, services.Finding(""), passed=True)
    assert house.upload() == []


def test_a_house_bot_whose_source_changed_gets_a_new_version(two_house_bots: dict[str, bytes]) -> None:
    house.upload()
    two_house_bots["random"] = b"class Bot: pass\n"
    (version,) = house.upload()
    assert (version.bot.name, version.number) == ("random", 2)


def test_a_rejected_house_bot_is_submitted_again() -> None:
    house.upload()
    held = services.claim_check()
    assert held is not None
    services.finish_check(held, services.Finding("the platform was ill"), passed=False)
    assert [version.bot.name for version in house.upload()] == [held.bot.name]


def test_nobody_can_sign_in_as_the_house() -> None:
    owner = house.owner()
    assert not owner.has_usable_password()
    assert not owner.is_staff
    assert authenticate(username="house", password="") is None


def test_a_name_taken_by_somebody_else_is_said() -> None:
    services.submit(User.objects.create_user("eve"), "Random", "bot.py", b"class Bot: pass\n")
    with pytest.raises(CommandError, match="Another user has a bot named Random"):
        call_command("upload_house_bots", stdout=StringIO())


def test_the_command_says_what_it_did() -> None:
    out = StringIO()
    call_command("upload_house_bots", stdout=out)
    call_command("upload_house_bots", stdout=out)
    assert out.getvalue() == "submitted passer v1\nsubmitted random v1\nthe house bots are up to date\n"
    assert Version.objects.count() == 2
