"""Uploads, good and bad. The bad archives are made by hand where no library makes them."""

from __future__ import annotations

import io
import stat
import struct
import zipfile
import zlib
from pathlib import Path

import pytest

from sandbox import BadUpload
from sandbox.bundle import MAX_FILES, MAX_TOTAL_BYTES, prepare

BOT = b"class Bot:\n    def play(self, observation):\n        return []\n"
ENCRYPTED_FLAG_AT = 6
"""In a local file header; in the central directory it is two bytes later."""


def archive(files: dict[str, bytes], compression: int = zipfile.ZIP_DEFLATED) -> bytes:
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w", compression) as made:
        for name, content in files.items():
            made.writestr(name, content)
    return buffer.getvalue()


def archive_of_entry(name: str, mode: int, content: bytes = b"/etc/passwd") -> bytes:
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w") as made:
        made.writestr("bot.py", BOT)
        entry = zipfile.ZipInfo(name)
        entry.create_system = 3
        entry.external_attr = mode << 16
        made.writestr(entry, content)
    return buffer.getvalue()


def refused(content: bytes, folder: Path, filename: str = "bot.zip") -> str:
    """The message; nothing has been written."""
    with pytest.raises(BadUpload) as refusal:
        prepare(content, filename, folder)
    assert not folder.exists()
    message = str(refusal.value)
    assert message.isprintable()
    return message


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return tmp_path / "bot"


def written(folder: Path) -> dict[str, bytes]:
    return {str(path.relative_to(folder)): path.read_bytes() for path in folder.rglob("*") if path.is_file()}


def test_a_module_becomes_bot_py(folder: Path) -> None:
    bundle = prepare(BOT, "My Bot (3).PY", folder)
    assert bundle.path == folder
    assert written(folder) == {"bot.py": BOT}


def test_an_archive_keeps_its_modules_and_data(folder: Path) -> None:
    files = {"bot.py": BOT, "lib/helper.py": b"x = 1\n", "lib/weights.bin": bytes(range(256)) * 1_000, "empty": b""}
    prepare(archive(files), "bot.zip", folder)
    assert written(folder) == files


def test_one_top_folder_is_taken_off(folder: Path) -> None:
    prepare(archive({"mybot/": b"", "mybot/bot.py": BOT, "mybot/lib/helper.py": b"x = 1\n"}), "bot.zip", folder)
    assert set(written(folder)) == {"bot.py", "lib/helper.py"}


def test_what_a_mac_adds_is_left_out(folder: Path) -> None:
    files = {"mybot/bot.py": BOT, "__MACOSX/._mybot": b"", "__MACOSX/mybot/._bot.py": b"\0\5\x16\7"}
    prepare(archive(files), "bot.zip", folder)
    assert set(written(folder)) == {"bot.py"}


@pytest.mark.parametrize("compression", [zipfile.ZIP_STORED, zipfile.ZIP_BZIP2, zipfile.ZIP_LZMA])
def test_other_compressions_are_read(folder: Path, compression: int) -> None:
    prepare(archive({"bot.py": BOT}, compression), "bot.zip", folder)
    assert written(folder) == {"bot.py": BOT}


def test_files_can_be_read_by_everybody_and_written_by_nobody_else(folder: Path) -> None:
    prepare(archive({"bot.py": BOT, "lib/helper.py": b""}), "bot.zip", folder)
    modes = {stat.S_IMODE(path.stat().st_mode) for path in folder.rglob("*.py")}
    assert modes == {0o644}
    assert stat.S_IMODE((folder / "lib").stat().st_mode) == 0o755


@pytest.mark.parametrize("filename", ["bot.txt", "bot", "bot.tar.gz", "bot.pyc", "zip"])
def test_other_kinds_of_files_are_refused(folder: Path, filename: str) -> None:
    assert "expected a .py or a .zip" in refused(BOT, folder, filename)


@pytest.mark.parametrize("filename", ["bot.py", "bot.zip"])
def test_an_empty_file_is_refused(folder: Path, filename: str) -> None:
    assert "empty" in refused(b"", folder, filename)


def test_a_program_of_another_kind_is_refused(folder: Path) -> None:
    assert "NUL" in refused(b"\x7fELF\0\0", folder, "bot.py")


def test_too_large_a_file_is_refused(folder: Path) -> None:
    assert "32 MiB" in refused(b"#" * (MAX_TOTAL_BYTES + 1), folder, "bot.py")


@pytest.mark.parametrize(
    "content",
    [
        b"PK",
        b"no archive at all",
        b"PK\x05\x06" + bytes(18),
        archive({"bot.py": BOT})[:-30],
        archive({"bot.py": BOT})[20:],
    ],
)
def test_a_damaged_archive_is_refused(folder: Path, content: bytes) -> None:
    assert "archive" in refused(content, folder)


def test_an_archive_with_a_wrong_checksum_is_refused(folder: Path) -> None:
    content = archive({"bot.py": BOT}, zipfile.ZIP_STORED).replace(b"class", b"clasp")
    assert "CRC" in refused(content, folder)


def test_an_encrypted_archive_is_refused(folder: Path) -> None:
    content = bytearray(archive({"bot.py": BOT}))
    content[ENCRYPTED_FLAG_AT] |= 1
    content[content.index(b"PK\x01\x02") + ENCRYPTED_FLAG_AT + 2] |= 1
    assert "password" in refused(bytes(content), folder)


@pytest.mark.parametrize("name", ["../bot.py", "lib/../../evil.py", "lib/./x.py", "lib//x.py", ".."])
def test_a_path_out_of_the_archive_is_refused(folder: Path, name: str) -> None:
    assert "leads out" in refused(archive({"bot.py": BOT, name: b""}), folder)


@pytest.mark.parametrize("name", ["/etc/passwd", "C:\\bot.py", "C:/bot.py", "lib\\..\\..\\evil.py"])
def test_an_absolute_path_is_refused(folder: Path, name: str) -> None:
    assert "no path inside" in refused(archive({"bot.py": BOT, name: b""}), folder)


@pytest.mark.parametrize("name", ["a\nb.py", "\x1b[31m.py", "\u202egnp.py", "x" * 300])
def test_a_name_that_deceives_is_refused(folder: Path, name: str) -> None:
    assert "file name" in refused(archive({"bot.py": BOT, name: b""}), folder)


@pytest.mark.parametrize("kind", [stat.S_IFLNK, stat.S_IFCHR, stat.S_IFIFO, stat.S_IFBLK, stat.S_IFSOCK])
def test_links_and_devices_are_refused(folder: Path, kind: int) -> None:
    assert "link or a device" in refused(archive_of_entry("link", kind | 0o777), folder)


def test_a_setuid_file_becomes_a_plain_one(folder: Path) -> None:
    prepare(archive_of_entry("tool", stat.S_IFREG | 0o6777), "bot.zip", folder)
    assert stat.S_IMODE((folder / "tool").stat().st_mode) == 0o644


def test_duplicate_names_are_refused(folder: Path) -> None:
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w") as made:
        made.writestr("bot.py", BOT)
        with pytest.warns(UserWarning, match="Duplicate"):
            made.writestr("bot.py", b"evil")
    assert "twice" in refused(buffer.getvalue(), folder)
    assert "twice" in refused(archive({"bot.py": BOT, "Bot.py": BOT}), folder)


def test_a_name_that_is_file_and_folder_is_refused(folder: Path) -> None:
    assert "both a file and a folder" in refused(archive({"bot.py": BOT, "lib": b"", "lib/x.py": b""}), folder)


def test_too_many_files_are_refused(folder: Path) -> None:
    files = {f"{number}.py": b"" for number in range(MAX_FILES)}
    assert "1,000 files" in refused(archive({"bot.py": BOT, **files}), folder)


def test_a_bomb_is_refused(folder: Path) -> None:
    content = archive({"bot.py": BOT, "zeros": bytes(MAX_TOTAL_BYTES * 3)})
    assert len(content) < 200_000
    assert "32 MiB" in refused(content, folder)


def test_a_bomb_that_lies_about_its_size_is_refused(folder: Path) -> None:
    content = bytearray(archive({"bot.py": BOT, "zeros": bytes(MAX_TOTAL_BYTES * 3)}))
    size = struct.pack("<I", MAX_TOTAL_BYTES * 3)
    lie = struct.pack("<I", 1_000)
    assert "archive" in refused(bytes(content).replace(size, lie), folder)


def test_a_bomb_of_overlapping_files_is_refused(folder: Path) -> None:
    # One stretch of compressed data that many entries of the directory point to.
    data = zlib.compress(bytes(1 << 20), 9)[2:-4]
    checksum = zlib.crc32(bytes(1 << 20))
    head = struct.pack("<4s5H3L2H", b"PK\x03\x04", 20, 0, 8, 0, 0, checksum, len(data), 1 << 20, 1, 0) + b"x" + data
    directory = b"".join(
        struct.pack("<4s6H3L5H2L", b"PK\x01\x02", 20, 20, 0, 8, 0, 0, checksum, len(data), 1 << 20, 1, 0, 0, 0, 0, 0, 0)
        + b"x"
        for _ in range(900)
    )
    end = struct.pack("<4s4H2LH", b"PK\x05\x06", 0, 0, 900, 900, len(directory), len(head), 0)
    assert "32 MiB" in refused(head + directory + end, folder)


def test_an_archive_without_a_bot_is_refused(folder: Path) -> None:
    assert "holds no bot.py" in refused(archive({"main.py": BOT}), folder)
    assert "holds no bot.py" in refused(archive({}), folder)


def test_a_bot_in_the_wrong_place_is_pointed_out(folder: Path) -> None:
    assert "a/bot.py, b/bot.py" in refused(archive({"a/bot.py": BOT, "b/bot.py": BOT}), folder)
    assert "a/b/bot.py" in refused(archive({"a/b/bot.py": BOT}), folder)
    assert "Bot.py" in refused(archive({"Bot.py": BOT}), folder)


def test_an_existing_file_is_never_replaced(folder: Path) -> None:
    prepare(BOT, "bot.py", folder)
    with pytest.raises(FileExistsError):
        prepare(b"evil", "bot.py", folder)
    assert written(folder) == {"bot.py": BOT}
