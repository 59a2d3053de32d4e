from __future__ import annotations

import io
import zipfile

import pytest
from django.core.exceptions import ValidationError
from pytest_django import Settings

from league.bots.uploads import bot_name, shown, validate, validate_message


def refusal(filename: str, content: bytes) -> str:
    with pytest.raises(ValidationError) as refused:
        validate(filename, content)
    return " ".join(refused.value.messages)


def zipped(**files: str) -> bytes:
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w") as archive:
        for name, text in files.items():
            archive.writestr(name, text)
    return packed.getvalue()


@pytest.mark.parametrize(
    "content",
    [
        b"class Bot: ...\n",
        b"\xef\xbb\xbfclass Bot: ...\r\n",
        "class Bot: 'шестёрка ♠'\n".encode(),
        "# coding: cp1251\nclass Bot: 'шестёрка'\n".encode("cp1251"),
        b"# -*- coding: latin-1 -*-\nclass Bot: '\xe9'\n",
        b"this does not compile, which only the sandbox finds out\n",
    ],
)
def test_python_text_is_accepted_in_the_encoding_it_names(content: bytes) -> None:
    validate("bot.py", content)


def test_a_zip_is_accepted_unread() -> None:
    validate("bot.zip", zipped(**{"bot.py": "class Bot: ..."}))
    validate("BOT.ZIP", b"PK\x03\x04 and then rubbish, which the confined child finds out")


@pytest.mark.parametrize("filename", ["bot", "bot.txt", "bot.pyc", "bot.py.exe", "cat.jpg", ""])
def test_other_files_than_py_and_zip_are_refused(filename: str) -> None:
    assert "neither a .py nor a .zip" in refusal(filename, b"class Bot: ...")


def test_an_empty_file_is_refused() -> None:
    assert refusal("bot.py", b"") == "bot.py is empty."
    assert refusal("bot.py", b" \n\t") == "bot.py is empty."
    assert refusal("bot.zip", b"") == "bot.zip is empty."


def test_a_large_file_is_refused_with_both_sizes(settings: Settings) -> None:
    validate("bot.py", b"#" * settings.UPLOAD_MAX_BYTES)
    assert "1,048,577 bytes; the limit for a .py file is 1,048,576" in refusal("bot.py", b"#" * 1_048_577)
    validate("bot.zip", b"PK\x03\x04" + b"0" * 2_000_000)
    settings.ZIP_MAX_BYTES = 100
    assert "the limit for a .zip file is 100" in refusal("bot.zip", b"PK\x03\x04" + b"0" * 97)


def test_a_nul_is_refused_with_its_place() -> None:
    assert "byte 12, on line 3, is NUL" in refusal("bot.py", b"x = 1\ny = 2\n\0")


def test_text_that_is_not_utf_8_is_refused_with_its_place() -> None:
    found = refusal("bot.py", b"x = 1\n\ny = 2\nz = '\xff'\n")
    assert "is not UTF-8 text: byte 18, on line 4, is 0xFF" in found


def test_text_that_is_not_utf_8_in_its_first_line_is_refused_with_its_place() -> None:
    assert "is not UTF-8 text: byte 3, on line 1, is 0xE9" in refusal("bot.py", b"# \xff"[:2] + b" \xe9\n")


@pytest.mark.parametrize("name", ["no-such-code", "punycode", "utf-7", "rot13", "unicode_escape", "zlib"])
def test_strange_encodings_are_refused(name: str) -> None:
    assert "save it as UTF-8" in refusal("bot.py", f"# coding: {name}\nclass Bot: ...\n".encode())


def test_a_file_that_is_no_zip_is_refused() -> None:
    assert "not a zip archive" in refusal("bot.zip", b"\xff\xd8\xff\xe0 a picture")
    assert "needs a bot.py" in refusal("bot.zip", zipped())
    assert "name it .zip" in refusal("bot.py", zipped(a="b"))


def test_names_are_composed_and_trimmed() -> None:
    assert bot_name("  Cafe\u0301   Noir ") == "Café Noir"
    assert bot_name("<b>Bot</b> & 鬼 ♠") == "<b>Bot</b> & 鬼 ♠"


@pytest.mark.parametrize("name", ["", "   ", "x" * 41, "a\0b", "a\u202eb", "a\u200bb", "a\x1b[31mb"])
def test_names_that_are_empty_long_or_hold_the_invisible_are_refused(name: str) -> None:
    with pytest.raises(ValidationError):
        bot_name(name)


def test_a_long_message_is_refused() -> None:
    assert validate_message(" counts\n pairs ") == "counts pairs"
    with pytest.raises(ValidationError, match="limit is 200"):
        validate_message("x" * 201)


def test_file_names_are_shown_without_folders_and_invisible_characters() -> None:
    assert shown("C:\\bots\\my bot.py") == "my bot.py"
    assert shown("../../etc/bot.py") == "bot.py"
    assert shown("a\u202eyp.tob\0.py") == "a?yp.tob?.py"
