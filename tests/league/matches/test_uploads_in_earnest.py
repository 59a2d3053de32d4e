"""Uploads as authors send them, through the real sandbox: what can be played plays, the rest says what is wrong."""

from __future__ import annotations

import ctypes
import gc
import io
import random
import zipfile
from collections.abc import Callable, Iterator
from pathlib import Path
from zlib import crc32

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client

import sandbox
from league.accounts.models import User
from league.bots import services as bots
from league.bots.models import Report, Version
from league.matches import playing, services
from league.matches.boxes import Boxes
from league.matches.models import Log
from sandbox.limits import ARCHIVE_BYTES
from tests.sandbox.harness import resident_mib

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("short_ladder")]
Upload = Callable[..., Version]

PASSES = "class Bot:\n    def play(self, observation):\n        return observation.legal_plays[0]\n"
PRINTS_ITS_HELPER = (
    "import helper\n"
    "class Bot:\n"
    "    def play(self, observation):\n"
    "        print(helper.NAME)\n"
    "        return observation.legal_plays[0]\n"
)
WEIGHTS_BYTES = 20 * 1024 * 1024
READS_ITS_WEIGHTS = """
from pathlib import Path
from zlib import crc32
import numpy as np
WEIGHTS = np.load(Path(__file__).with_name("weights.npy"))
class Bot:
    def match_start(self, seat, ruleset, time_control):
        print(len(WEIGHTS), crc32(WEIGHTS))
    def play(self, observation):
        return observation.legal_plays[0]
"""
MAC = {"__MACOSX/._bot.py": "\0", "__MACOSX/bishop/._bot.py": "\0"}


@pytest.fixture
def boxes(tmp_path: Path) -> Iterator[Boxes]:
    opened = Boxes(sandbox.open_launcher("process"), 3, tmp_path / "unpacked")
    yield opened
    opened.close()


def check(boxes: Boxes) -> Version:
    held = bots.claim_check()
    assert held is not None
    playing.check(held, boxes)
    return Version.objects.get(pk=held.pk)


def zipped(files: dict[str, str]) -> bytes:
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w") as archive:
        for name, text in files.items():
            archive.writestr(name, text)
    return packed.getvalue()


@pytest.mark.parametrize(
    ("filename", "content"),
    [
        ("flat.zip", zipped({"bot.py": PASSES})),
        ("wrapped.zip", zipped({"bishop/bot.py": PASSES})),
        ("from_a_mac.zip", zipped({"bishop/bot.py": PASSES, **MAC})),
        ("flat_from_a_mac.zip", zipped({"bot.py": PASSES, **MAC})),
        ("class_elsewhere.zip", zipped({"bot.py": "from mine import Bot\n", "mine.py": PASSES})),
        ("random.py", PASSES.encode()),
        ("types.py", PASSES.encode()),
        (
            "modules_of_their_own.zip",
            zipped({"bot.py": f"import random, types\n{PASSES}", "types.py": "", "json.py": ""}),
        ),
        ("bom.py", b"\xef\xbb\xbf" + PASSES.encode()),
        ("windows.py", PASSES.replace("\n", "\r\n").encode()),
        ("latin.py", b"# -*- coding: latin-1 -*-\nNAME = '\xe9'\nassert len(NAME) == 1\n" + PASSES.encode()),
        ("emoji.py", f"NAME = '🃏 шестёрка'\nprint(NAME)\n{PASSES}".encode()),
        ("bytes.py", b"import os\nfor to in 1, 2:\n    os.write(to, b'\\xff\\0 ok\\n')\n" + PASSES.encode()),
        ("terminal.py", f"print('\\x1b[31mred\\r\\u202e')\n{PASSES}".encode()),
    ],
    ids=lambda value: value if isinstance(value, str) else "",
)
def test_what_can_be_played_is_active(upload: Upload, boxes: Boxes, filename: str, content: bytes) -> None:
    upload("Bishop", content, filename=filename)
    assert check(boxes).status == "active", Report.objects.get().reason


@pytest.mark.parametrize(
    ("filename", "content", "reason"),
    [
        ("case.zip", zipped({"Bot.py": PASSES}), "Bot.py"),
        ("two.zip", zipped({"one/bot.py": PASSES, "two/bot.py": PASSES}), "one/bot.py, two/bot.py"),
        ("deep.zip", zipped({"a/b/bot.py": PASSES}), "a/b/bot.py"),
        ("no_class.py", b"x = 1\n", "bot.py defines no class Bot"),
        ("case.py", PASSES.replace("Bot", "bot").encode(), "found 'bot': names are case-sensitive"),
        ("emoji.py", "class 🃏:\n    pass\n".encode(), "SyntaxError"),
        ("wrong_bytes.zip", zipped({"bot.py": ""}).replace(b"bot.py", b"b\xfft.py"), ""),
    ],
    ids=lambda value: value if isinstance(value, str) else "",
)
def test_what_can_not_be_played_says_why(
    upload: Upload, boxes: Boxes, filename: str, content: bytes, reason: str
) -> None:
    upload("Bishop", content, filename=filename)
    assert check(boxes).status == "rejected"
    assert reason in Report.objects.get().reason
    assert Report.objects.get().reason


def test_what_a_bot_prints_is_kept_as_text(upload: Upload, boxes: Boxes) -> None:
    content = b"import os\nfor to in 1, 2:\n    os.write(to, b'\\xff\\0 \\x1b[31m\\n')\n" + PASSES.encode()
    upload("Bishop", content)
    assert check(boxes).status == "active"
    assert Report.objects.get().output.count("\ufffd␀ \x1b[31m") == 2


def test_each_of_two_bots_sees_its_own_modules(upload: Upload, boxes: Boxes) -> None:
    for name in ("First", "Second"):
        files = {"bot.py": PRINTS_ITS_HELPER, "helper.py": f"NAME = 'the helper of {name}'\n"}
        upload(name, zipped(files), filename=f"{name}.zip")
        assert check(boxes).status == "active"
    match = services.claim("w")
    assert match is not None
    assert playing.play(match, boxes)
    outputs = [set(log.output.splitlines()) for log in Log.objects.order_by("seat")]
    assert outputs == [{"the helper of First"}, {"the helper of Second"}]


def with_weights(seed: int) -> tuple[bytes, int]:
    """An archive with 20 MiB that can't be compressed, and their checksum."""
    weights = random.Random(seed).randbytes(WEIGHTS_BYTES)
    described = f"{{'descr': '|u1', 'fortran_order': False, 'shape': ({WEIGHTS_BYTES},), }}".ljust(117) + "\n"
    head = b"\x93NUMPY\x01\x00" + len(described).to_bytes(2, "little") + described.encode()
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("bishop/bot.py", READS_ITS_WEIGHTS)
        archive.writestr("bishop/weights.npy", head + weights)
    return packed.getvalue(), crc32(weights)


def held_mib() -> float:
    """Memory that this process really holds: what it has freed goes back to the kernel first."""
    gc.collect()
    ctypes.CDLL(None).malloc_trim(0)
    return resident_mib()


def test_twenty_mebibytes_of_weights_play_and_leave_the_worker_as_it_was(
    client: Client, author: User, boxes: Boxes
) -> None:
    client.force_login(author)
    checksums = {}
    for seed, name in enumerate(("First", "Second", "Third")):
        content, checksums[name] = with_weights(seed)
        assert WEIGHTS_BYTES < len(content) < ARCHIVE_BYTES
        sent = client.post("/bots/submit/", {"name": name, "file": SimpleUploadedFile(f"{name}.zip", content)})
        assert sent.status_code == 302
    del content, sent
    assert check(boxes).status == "active", Report.objects.get().reason
    held = held_mib()
    assert {check(boxes).status, check(boxes).status} == {"active"}
    match = services.claim("w")
    assert match is not None
    assert playing.play(match, boxes)
    assert held_mib() - held < WEIGHTS_BYTES / 2**20
    seats = {"A": match.version_a.bot.name, "B": match.version_b.bot.name}
    printed = {seats[log.seat]: log.output for log in Log.objects.all()}
    assert printed == {name: f"{WEIGHTS_BYTES} {checksums[name]}\n" for name in seats.values()}
