from __future__ import annotations

import zipfile
from collections.abc import Callable
from io import BytesIO
from pathlib import Path
from typing import Any

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client
from pytest_django import DjangoAssertNumQueries, Settings

from arena.match import play
from arena.outcome import Termination
from arena.players import LocalPlayer
from arena.ruleset import Ruleset, TimeControl
from league.accounts.models import User
from league.bots.models import Bot, Version

BOT = b"class Bot:\n    def play(self, observation):\n        return ()\n"


@pytest.fixture
def browser(client: Client, author: User) -> Client:
    client.force_login(author)
    return client


def send(browser: Client, content: bytes = BOT, filename: str = "bot.py", **fields: Any) -> Any:
    fields = {"name": "Bishop", "file": SimpleUploadedFile(filename, content), **fields}
    return browser.post("/bots/submit/", fields)


def a_zip(**files: bytes) -> bytes:
    packed = BytesIO()
    with zipfile.ZipFile(packed, "w") as archive:
        for name, content in files.items():
            archive.writestr(f"{name}.py", content)
    return packed.getvalue()


def test_an_upload_becomes_a_version_that_is_checked(browser: Client, bells: list[str]) -> None:
    answer = send(browser, message="first")
    version = Version.objects.get()
    assert answer["Location"] == f"/bots/versions/{version.pk}/"
    assert (version.bot.name, version.number, version.status) == ("Bishop", 1, "checking")
    assert (bytes(version.source.content), version.message) == (BOT, "first")
    assert bells == ["league.matches.tasks.check"]


def test_a_zip_is_taken_as_it_is(browser: Client) -> None:
    content = a_zip(bot=BOT, helper=b"")
    send(browser, content, "bishop.zip")
    assert bytes(Version.objects.get().source.content) == content


def test_the_next_upload_of_a_bot_is_its_next_version(browser: Client) -> None:
    send(browser)
    bot = Bot.objects.get()
    send(browser, BOT + b"# better\n", name="", bot=str(bot.pk))
    assert [version.number for version in bot.versions.order_by("number")] == [1, 2]


@pytest.mark.parametrize(
    ("filename", "content", "said"),
    [
        ("bot.txt", BOT, "neither a .py nor a .zip file"),
        ("bot.py", b"", "The file is empty."),
        ("bot.py", b"  \n", "bot.py is empty."),
        ("bot.py", b"\xff\xfe\x00", "Save it as UTF-8"),
        ("bot.py", a_zip(bot=BOT), "name it .zip"),
        ("bot.zip", b"\xff\xd8\xff\xe0 a picture", "is not a zip archive"),
        ("bot.py", b"#" * 300, "the limit for a .py file is 200"),
        ("bot.zip", b"PK\x03\x04" + b"0" * 400, "The file has 404 bytes; the limit is 300."),
    ],
)
def test_a_refused_file_is_named_with_what_to_do(
    browser: Client, settings: Settings, filename: str, content: bytes, said: str
) -> None:
    settings.UPLOAD_MAX_BYTES, settings.ZIP_MAX_BYTES = 200, 300
    answer = send(browser, content, filename)
    assert answer.status_code == 400
    assert said in answer.content.decode()
    assert not Version.objects.exists()


def test_an_archive_may_be_as_large_as_is_said_and_no_larger(browser: Client, settings: Settings) -> None:
    most = settings.ZIP_MAX_BYTES
    assert "a .zip of at most 24 MiB" in browser.get("/bots/submit/").content.decode()
    content = b"PK\x03\x04".ljust(most, b"x")
    answer = send(browser, content + b"x", "bishop.zip")
    assert answer.status_code == 400
    assert "The file has 25,165,825 bytes; the limit is 25,165,824." in answer.content.decode()
    assert send(browser, content, "bishop.zip").status_code == 302
    assert len(Version.objects.get().source.content) == most


@pytest.mark.parametrize(
    ("fields", "said"),
    [
        ({"name": ""}, "Give the new bot a name"),
        ({"name": "x" * 41}, "at most 40 characters"),
        ({"name": "a\u202eb"}, "which can&#x27;t be seen"),
        ({"name": "rook"}, "Another user has a bot named Rook"),
        ({"message": "x" * 201}, "at most 200 characters"),
        ({"file": ""}, "Choose a file."),
        ({"bot": "999"}, "Select a valid choice."),
    ],
)
def test_a_refused_field_says_why(browser: Client, fields: dict[str, Any], said: str) -> None:
    Bot.objects.create(owner=User.objects.create_user("bob"), name="Rook")
    answer = send(browser, **fields)
    assert answer.status_code == 400
    assert said in answer.content.decode()
    assert not Version.objects.exists()


def test_nobody_submits_a_version_of_anothers_bot(browser: Client) -> None:
    bot = Bot.objects.create(owner=User.objects.create_user("bob"), name="Rook")
    assert "Select a valid choice." in send(browser, name="", bot=str(bot.pk)).content.decode()


def test_the_quota_is_said_before_it_hits_and_when_it_does(browser: Client, settings: Settings) -> None:
    settings.BOTS_PER_USER = 1
    assert "You may make 1 more bot." in browser.get("/bots/submit/").content.decode()
    send(browser)
    assert "as many bots as one user may have" in browser.get("/bots/submit/").content.decode()
    assert "as many as one user may have" in send(browser, name="Rook").content.decode()


def test_a_double_submit_makes_one_version(browser: Client) -> None:
    first, second = send(browser), send(browser)
    assert first["Location"] == second["Location"] == f"/bots/versions/{Version.objects.get().pk}/"


def test_markup_in_names_is_shown_as_text(browser: Client) -> None:
    answer = send(browser, name="<b>&", message="<script>")
    page = browser.get(answer["Location"]).content.decode()
    assert "&lt;b&gt;&amp;" in page
    assert "&lt;script&gt;" in page


@pytest.mark.django_db
def test_a_visitor_reads_what_is_expected_and_sends_after_logging_in(client: Client) -> None:
    page = client.get("/bots/submit/").content.decode()
    assert "log in first" in page
    assert "class Bot:" in page
    assert send(client)["Location"] == "/accounts/login/?next=/bots/submit/"


@pytest.mark.django_db
def test_limits_are_those_in_force(client: Client, settings: Settings) -> None:
    settings.UPLOAD_MAX_BYTES = 3 * 1024
    for page in ("/bots/submit/", "/guide/"):
        text = client.get(page).content.decode()
        assert "3 KiB" in text
        assert "256 MiB" in text


def test_the_example_bot_plays_a_whole_match() -> None:
    path = Path(__file__).parents[3] / "platform/league/templates/bots/example_bot.txt"
    source = path.read_text()
    assert len(source.splitlines()) == 10
    made: dict[str, Any] = {}
    exec(source, made)
    players = LocalPlayer(made["Bot"]), LocalPlayer(made["Bot"])
    record = play(players, Ruleset(games=2), TimeControl(), seed=1)
    assert record.outcome.termination == Termination.COMPLETED


def test_the_form_takes_few_queries(
    browser: Client,
    activate: Callable[..., Version],
    django_assert_max_num_queries: DjangoAssertNumQueries,
) -> None:
    for name in ("Pawn", "Rook", "King"):
        activate(name)
    with django_assert_max_num_queries(7):
        browser.get("/bots/submit/")


def test_what_is_written_in_the_page_becomes_a_version(browser: Client) -> None:
    send(browser, how="code", file="", code="class Bot:\r\n    pass\r\n")
    version = Version.objects.get()
    assert (version.filename, bytes(version.source.content)) == ("bot.py", b"class Bot:\n    pass\n")


def test_what_is_written_is_stored_in_the_encoding_that_it_names(browser: Client) -> None:
    send(browser, how="code", file="", code="# coding: cp1251\nclass Bot: 'шестёрка'\n")
    assert bytes(Version.objects.get().source.content) == "# coding: cp1251\nclass Bot: 'шестёрка'\n".encode("cp1251")


@pytest.mark.parametrize(("how", "stored"), [("file", BOT), ("code", b"class Bot: ...\n"), ("", BOT)])
def test_of_a_file_and_what_is_written_the_chosen_one_is_taken(browser: Client, how: str, stored: bytes) -> None:
    send(browser, how=how, code="class Bot: ...\n")
    assert bytes(Version.objects.get().source.content) == stored


def test_what_is_refused_stays_in_the_editor(browser: Client) -> None:
    answer = send(browser, how="code", file="", code="# coding: punycode\n<b>&", name="x")
    page = answer.content.decode()
    assert answer.status_code == 400
    assert "save it as UTF-8" in page
    assert "# coding: punycode\n&lt;b&gt;&amp;</textarea>" in page
    assert 'value="code" id="id_how_1" checked' in page


def test_the_editor_offers_the_example_or_the_newest_source_of_the_bot(browser: Client, people: Any) -> None:
    assert "Lays as many cards as it can" in browser.get("/bots/submit/").content.decode()
    send(browser)
    send(browser, b"# \xe9\n# the newest\n".replace(b"\xe9", "é".encode()) + BOT)
    address = f"/bots/submit/?bot={Bot.objects.get().pk}"
    assert "# é\n# the newest" in browser.get(address).content.decode()
    for visitor in ("anonymous", "other", "staff"):
        assert "the newest" not in people[visitor].get(address).content.decode()


def test_an_archive_is_not_offered_for_editing(browser: Client) -> None:
    send(browser, a_zip(bot=BOT), "bishop.zip")
    page = browser.get(f"/bots/submit/?bot={Bot.objects.get().pk}").content.decode()
    assert "Lays as many cards as it can" in page


def test_a_wrong_parameter_is_named(browser: Client) -> None:
    answer = browser.get("/bots/submit/?bot=bishop")
    assert answer.status_code == 400
    assert "bot: expected a whole number" in answer.content.decode()
