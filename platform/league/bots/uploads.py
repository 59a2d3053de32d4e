"""What an upload must be before it is stored. Nothing here unpacks, compiles or imports it."""

import codecs
import io
import tokenize
import unicodedata
from pathlib import PurePosixPath

from django.conf import settings
from django.core.exceptions import ValidationError
from django.utils.formats import number_format
from django.utils.translation import gettext_lazy as _

from league.bots.models import Bot, Version

ZIP_STARTS = b"PK\x03\x04"
EMPTY_ZIP_STARTS = b"PK\x05\x06"
# Those in which editors save Python; others, such as punycode, take minutes to decode a megabyte.
ENCODINGS = {
    codecs.lookup(name).name
    for name in (
        "utf-8", "utf-8-sig", "ascii", "latin-1", "iso8859-15", "cp1250", "cp1251", "cp1252", "koi8-r", "koi8-u",
        "mac-roman", "gbk", "gb18030", "big5", "euc-jp", "euc-kr", "shift_jis",
    )
}  # fmt: skip


def validate(filename: str, content: bytes) -> None:
    """Accept the upload of a bot: one Python file, or a .zip.

    Raises:
        ValidationError: it can't be a bot; says what is wrong and what to do.
    """
    kind = PurePosixPath(filename).suffix.lower()
    if kind not in (".py", ".zip"):
        raise ValidationError(
            _("%(name)s is neither a .py nor a .zip file: upload your bot.py, or a .zip that holds it."),
            code="kind",
            params={"name": shown(filename)},
        )
    if not content or content.isspace():
        raise ValidationError(_("%(name)s is empty."), code="empty", params={"name": shown(filename)})
    most = settings.ZIP_MAX_BYTES if kind == ".zip" else settings.UPLOAD_MAX_BYTES
    if len(content) > most:
        raise ValidationError(
            _("%(name)s has %(size)s bytes; the limit for a %(kind)s file is %(most)s."),
            code="size",
            params={"name": shown(filename), "size": figure(len(content)), "kind": kind, "most": figure(most)},
        )
    if kind == ".zip":
        _validate_zip(filename, content)
    else:
        _validate_python(filename, content)


def validate_message(message: str) -> str:
    """That note on a version, stripped; refuses one too long for its column."""
    message = " ".join(message.split()).replace("\0", "")
    most = Version._meta.get_field("message").max_length
    if most is not None and len(message) > most:
        raise ValidationError(_("The message has %(size)s characters; the limit is %(most)s."), code="message",
                              params={"size": len(message), "most": most})  # fmt: skip
    return message


def bot_name(name: str) -> str:
    """That name in the form in which it is stored: composed characters, single spaces.

    Raises:
        ValidationError: it is empty, too long, or holds characters that can't be seen.
    """
    name = " ".join(unicodedata.normalize("NFC", name).split())
    most = Bot._meta.get_field("name").max_length or 0
    if not name:
        raise ValidationError(_("Give the bot a name."), code="name")
    if len(name) > most:
        raise ValidationError(
            _("The name has %(size)s characters; the limit is %(most)s."),
            code="name",
            params={"size": len(name), "most": most},
        )
    for each in name:
        if not each.isprintable():
            raise ValidationError(
                _("The name holds the character U+%(code)s, which can't be seen: leave it out."),
                code="name",
                params={"code": f"{ord(each):04X}"},
            )
    return name


def shown(filename: str) -> str:
    """That file name as it is stored and shown: its last part, printable, at most 120 characters."""
    name = filename.replace("\\", "/").rsplit("/", 1)[-1]
    return "".join(each if each.isprintable() else "?" for each in name)[-120:] or "?"


def figure(count: int) -> str:
    """That number with its thousands apart, as the reader's language has it."""
    return number_format(count, force_grouping=True)


def written(text: str) -> bytes:
    """The file that the text of an editor stands for: as UTF-8, or in the encoding that its first lines name."""
    text = text.replace("\r\n", "\n")
    content = text.encode("utf-8", "replace")
    try:
        encoding, _lines = tokenize.detect_encoding(io.BytesIO(content).readline)
        return text.encode(encoding) if codecs.lookup(encoding).name in ENCODINGS else content
    except (SyntaxError, ValueError):
        return content  # which is then refused with its reason, as a file is


def read(content: bytes) -> str:
    """The text of a Python file; bytes that are none in the encoding it names are replaced."""
    try:
        encoding, _lines = tokenize.detect_encoding(io.BytesIO(content).readline)
    except (SyntaxError, ValueError):
        encoding = "utf-8"
    return content.decode(encoding, "replace")


def is_zip(filename: str) -> bool:
    return filename.lower().endswith(".zip")


def _validate_zip(filename: str, content: bytes) -> None:
    if content.startswith(EMPTY_ZIP_STARTS):
        raise ValidationError(
            _("%(name)s holds no files: it needs a bot.py."), code="zip", params={"name": shown(filename)}
        )
    if not content.startswith(ZIP_STARTS):
        raise ValidationError(
            _("%(name)s is not a zip archive: it starts with %(start)s, a zip archive with PK."),
            code="zip",
            params={"name": shown(filename), "start": repr(content[:4])[1:]},
        )


def _validate_python(filename: str, content: bytes) -> None:
    if content.startswith((ZIP_STARTS, EMPTY_ZIP_STARTS)):
        raise ValidationError(
            _("%(name)s is a zip archive: name it .zip."), code="text", params={"name": shown(filename)}
        )
    if (at := content.find(b"\0")) >= 0:
        raise ValidationError(
            _("%(name)s is not a Python file: byte %(at)s, on line %(line)s, is NUL. Save it as UTF-8 text."),
            code="text",
            params={"name": shown(filename), "at": at, "line": _line(content, at)},
        )
    encoding = _encoding(filename, content)
    try:
        content.decode(encoding)
    except UnicodeDecodeError as error:
        raise ValidationError(
            _(
                "%(name)s is not %(encoding)s text: byte %(at)s, on line %(line)s, is 0x%(byte)s. Save it as UTF-8, "
                "or name its encoding in the first line: # coding: ..."
            ),
            code="text",
            params={
                "name": shown(filename),
                "encoding": encoding.removesuffix("-sig").upper(),
                "at": error.start,
                "line": _line(content, error.start),
                "byte": f"{content[error.start]:02X}",
            },
        ) from None


def _encoding(filename: str, content: bytes) -> str:
    """The name of the encoding that the file says it has, by its byte order mark or its first two lines."""
    try:
        encoding, _lines = tokenize.detect_encoding(io.BytesIO(content).readline)
    except (SyntaxError, ValueError) as error:
        if "unknown encoding" not in str(error) and "encoding problem" not in str(error):
            return "utf-8"  # one of its first lines isn't UTF-8; decoding says which byte
        raise ValidationError(
            _("%(name)s names an encoding in its first lines that Python does not know: save it as UTF-8."),
            code="text",
            params={"name": shown(filename)},
        ) from None
    if codecs.lookup(encoding).name not in ENCODINGS:
        raise ValidationError(
            _("%(name)s says that its encoding is %(encoding)s, which is not taken here: save it as UTF-8."),
            code="text",
            params={"name": shown(filename), "encoding": encoding},
        )
    return encoding


def _line(content: bytes, at: int) -> int:
    return content.count(b"\n", 0, at) + 1
