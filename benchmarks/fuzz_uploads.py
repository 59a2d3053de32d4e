"""Uploads of every kind, drawn from a seed: good, damaged, hostile, in odd encodings, under odd names."""

import io
import warnings
import zipfile
from collections.abc import Callable
from random import Random

BOT = "class Bot:\n    def play(self, observation):\n        return observation.legal_plays[0]\n"
ENCODINGS = ("utf-8", "utf-8-sig", "utf-16", "utf-32", "cp1251", "koi8-r", "latin-1", "shift_jis")
NAMES = (
    b"bot.py", b"bot.zip", b"Bot.PY", b"", b".py", b"bot", b"bot.exe", b"bot.zip.py", b"../../etc/passwd.py",
    b"/etc/cron.d/bot.py", b"C:\\bot.py", b"bot.py\0.zip", b"a" * 4_000 + b".py", "бот.py".encode(),
    "\u202egpj.py".encode(), b"\xff\xfe.py", b"b\\\"ot.py", b"bot;name=x.py", b"<script>.zip", b"%00%2e%2e.py",
)  # fmt: skip
INSIDE = (
    "bot.py", "../bot.py", "/etc/passwd", "a/" * 200 + "bot.py", "bot.py/", "con", "\u202eyp.tob", "x" * 5_000,
    "C:\\bot.py", "", ".", "..", "bot/__init__.py",
)  # fmt: skip
LARGE_BYTES = (1024 * 1024, 1024 * 1024 + 1, 25 * 1024 * 1024)
LARGE_ONE_IN = 400
LINK = 0o120777 << 16


def drawn(rng: Random) -> tuple[bytes, bytes, bool]:
    """A file's name and content, and whether it is a bot that the site has to take."""
    if rng.random() < 0.25:
        good = _python(rng) if rng.random() < 0.5 else _archive(rng, ["bot.py"])
        return (b"bot.zip" if good.startswith(b"PK") else b"bot.py"), good, True
    name = rng.choice(NAMES)
    if not rng.randrange(LARGE_ONE_IN):
        return name, rng.choice((b"#", b"\0", b"PK\x03\x04")) * rng.choice(LARGE_BYTES), False
    return name, rng.choice(KINDS)(rng), False


def _python(rng: Random) -> bytes:
    return f"{BOT}# {rng.getrandbits(64)}\n".encode()


def _encoded(rng: Random) -> bytes:
    """Source in one encoding that says it is in another."""
    said, real = rng.choice((*ENCODINGS, "punycode", "rot13", "no such", "\0")), rng.choice(ENCODINGS)
    return f"# coding: {said}\n{BOT}# {rng.choice(('ж', 'é', '漢'))}\n".encode(real, "replace")


def _noise(rng: Random) -> bytes:
    return rng.randbytes(rng.choice((0, 1, 7, 100, 5_000)))


def _spaces(rng: Random) -> bytes:
    return rng.choice((b" ", b"\r", b"\n\r", b"\0", b"\x0c", b"(", b"\xef\xbb\xbf")) * rng.choice((1, 3, 2_000))


def _archive(rng: Random, names: list[str]) -> bytes:
    packed = io.BytesIO()
    with warnings.catch_warnings(), zipfile.ZipFile(packed, "w", rng.choice((0, 8))) as archive:
        warnings.simplefilter("ignore")  # of names that come twice
        for name in names:
            archive.writestr(zipfile.ZipInfo(name), _python(rng))
    return packed.getvalue()


def _hostile(rng: Random) -> bytes:
    """An archive with names that lead out of it, twice the same, or very many."""
    names = [rng.choice(INSIDE) for _ in range(rng.choice((0, 1, 3)))]
    return _archive(rng, names or [f"{number}.py" for number in range(rng.choice((0, 300)))])


def _bomb(rng: Random) -> bytes:
    """An archive that unpacks to a thousand times its size, or holds a link."""
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("bot.py", b"\0" * rng.choice((10_000, 1_000_000)))
        link = zipfile.ZipInfo("data")
        link.external_attr = LINK
        archive.writestr(link, "/etc/passwd")
    return packed.getvalue()


def _damaged(rng: Random) -> bytes:
    """An archive that is cut off, or in which some bytes are others."""
    content = bytearray(_archive(rng, ["bot.py", "data.bin"]))
    for _ in range(rng.choice((0, 1, 5, 40))):
        content[rng.randrange(4, len(content))] = rng.randrange(256)
    return bytes(content[: rng.choice((len(content), rng.randrange(len(content))))])


KINDS: tuple[Callable[[Random], bytes], ...] = (_encoded, _noise, _spaces, _hostile, _bomb, _damaged)
