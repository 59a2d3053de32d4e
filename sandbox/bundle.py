"""Turns an upload into a folder that holds a bot. Nothing of it is imported, compiled or unpacked in this process."""

from __future__ import annotations

import json
import os
import select
import stat
import subprocess
import tempfile
import time
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path, PurePosixPath
from typing import Annotated, NamedTuple, TypeVar, cast

from msgspec import DecodeError, Meta, ValidationError
from msgspec.json import decode

from sandbox.errors import BadUpload, SandboxFault
from sandbox.interpreter import SOURCES, command

ENTRY = "bot.py"
MAX_FILES = 1_000
MAX_TOTAL_BYTES = 32 * 1024 * 1024
MAX_NAME_CHARS = 200
MAX_ANSWER_BYTES = MAX_TOTAL_BYTES + 2 * 1024 * 1024
UNPACK_S = 20.0
MAC_FOLDER = "__MACOSX"


T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Bundle:
    """A folder that holds `bot.py` and what it needs, ready to be given to a launcher."""

    path: Path


class Entry(NamedTuple):
    """What an archive says of one file; names are as they stand there."""

    name: Annotated[str, Meta(max_length=65_536)]
    size: int
    mode: int
    encrypted: bool


def prepare(content: bytes, filename: str, folder: Path) -> Bundle:
    """Writes the upload's files into the folder, which is made if need be.

    Args:
        content: A Python module, or a zip archive with `bot.py` at its top or in its one top folder.
        filename: As the author named it; its ending says which of the two it is.

    Raises:
        BadUpload: it is no bot.
        SandboxFault: the archive could not be looked at.
    """
    kind = PurePosixPath(filename).suffix.lower()
    if kind not in (".py", ".zip"):
        raise BadUpload(f"expected a .py or a .zip file, got {filename!r:.80}")
    if not content:
        raise BadUpload("the file is empty; upload a Python module with a class Bot")
    if len(content) > MAX_TOTAL_BYTES:
        raise BadUpload(f"the file is larger than {MAX_TOTAL_BYTES >> 20} MiB")
    _write({PurePosixPath(ENTRY): _module(content)} if kind == ".py" else unpack(content), folder)
    return Bundle(folder)


def unpack(content: bytes) -> dict[PurePosixPath, memoryview]:
    """The files of a zip archive, read by a confined child; the one top folder is taken off.

    Raises:
        BadUpload, SandboxFault: see `prepare`.
    """
    answer = _read_in_child(content)
    start = answer.find(b"\n") + 1
    listing = bytes(answer[: max(0, start - 1)])
    if not listing:
        raise SandboxFault("the unpacker ended without an answer")
    if listing.startswith(b"{"):
        raise _damaged(listing)
    entries = [entry for entry in _decode(listing, list[Entry]) if not entry.name.startswith(f"{MAC_FOLDER}/")]
    everything = _decode(listing, list[Entry])
    paths = _checked(entries)
    contents = dict(zip(everything, _contents(answer, start, everything), strict=True))
    return _without_top({path: contents[entry] for path, entry in paths.items()})


def _module(content: bytes) -> bytes:
    if b"\0" in content:
        raise BadUpload("not a Python file: it holds NUL bytes; upload the source, saved as UTF-8")
    return content


def _checked(entries: list[Entry]) -> dict[PurePosixPath, Entry]:
    """The entries by their paths, if all of them may be unpacked."""
    if len(entries) > MAX_FILES:
        raise BadUpload(f"the archive holds more than {MAX_FILES:,} files; leave out what the bot does not need")
    if sum(entry.size for entry in entries) > MAX_TOTAL_BYTES:
        raise BadUpload(f"the archive unpacks to more than {MAX_TOTAL_BYTES >> 20} MiB; leave out what is not needed")
    paths: dict[PurePosixPath, Entry] = {}
    folded: set[str] = set()
    for entry in entries:
        path = _checked_path(entry)
        if str(path).casefold() in folded:
            raise BadUpload(f"the archive holds {str(path)!r:.100} twice; each name may occur once")
        folded.add(str(path).casefold())
        paths[path] = entry
    for path in paths:
        for parent in path.parents:
            if parent in paths:
                raise BadUpload(f"{str(parent)!r:.100} is both a file and a folder in the archive")
    return paths


def _checked_path(entry: Entry) -> PurePosixPath:
    name = entry.name
    shown = f"{name!r:.100}"
    if entry.encrypted:
        raise BadUpload(f"{shown} is encrypted; make the archive without a password")
    kind = stat.S_IFMT(entry.mode)
    if kind not in (0, stat.S_IFREG):
        raise BadUpload(f"{shown} is a link or a device; the archive may hold plain files alone")
    parts = name.split("/")
    if name.startswith("/") or "\\" in name or ":" in parts[0]:
        raise BadUpload(f"{shown} is no path inside the archive; use relative paths with /")
    if ".." in parts or "." in parts or "" in parts:
        raise BadUpload(f"{shown} leads out of the archive; make it anew from inside the bot's folder")
    if len(name) > MAX_NAME_CHARS or not name.isprintable() or any(len(part.encode()) > 255 for part in parts):
        raise BadUpload(f"{shown} is no usable file name; keep to at most {MAX_NAME_CHARS} printable characters")
    return PurePosixPath(name)


def _without_top(files: dict[PurePosixPath, memoryview]) -> dict[PurePosixPath, memoryview]:
    if PurePosixPath(ENTRY) in files:
        return files
    tops = sorted({path.parts[0] for path in files})
    if len(tops) == 1 and PurePosixPath(tops[0], ENTRY) in files:
        return {path.relative_to(tops[0]): content for path, content in files.items()}
    advice = f"put {ENTRY} at the top of the archive, or in its one folder"
    near = [str(path) for path in files if path.name.lower() == ENTRY]
    if near:
        raise BadUpload(f"the archive holds {', '.join(near)[:200]}, which is not where it is looked for; {advice}")
    raise BadUpload(f"the archive holds no {ENTRY}; {advice}")


def _contents(answer: bytearray, start: int, entries: list[Entry]) -> list[memoryview]:
    """The files in the order of the entries, from that place in the answer on; nothing is copied."""
    found = []
    view = memoryview(answer)
    for entry in entries:
        end = answer.find(b"\n", start)
        head = bytes(view[start:end]) if end >= 0 else b""
        if head.startswith(b"{") or not head:
            raise _damaged(head)
        size = _decode(head, int)
        if size != entry.size or len(view) - end - 1 < size:
            raise BadUpload(f"the archive is damaged at {entry.name!r:.100}; make it anew")
        start = end + 1 + size
        found.append(view[end + 1 : start])
    return found


def _damaged(line: bytes) -> BadUpload:
    try:
        words = json.loads(line)["error"]
    except (ValueError, KeyError, TypeError):
        words = ""
    words = "".join(char if char.isprintable() else " " for char in str(words))[:200]
    return BadUpload(f"the archive can't be read: {words or 'it is damaged'}; make it anew as a plain .zip")


def _decode(data: bytes, kind: type[T]) -> T:
    try:
        return decode(data, type=kind)
    except (DecodeError, ValidationError, UnicodeDecodeError):
        raise BadUpload("the archive can't be read; make it anew as a plain .zip") from None


def _read_in_child(content: bytes) -> bytearray:
    """All that the unpacker says, at most `MAX_ANSWER_BYTES` and for at most `UNPACK_S`."""
    limits = json.dumps({"files": MAX_FILES, "total_bytes": MAX_TOTAL_BYTES})
    with tempfile.TemporaryFile() as archive:
        archive.write(content)
        archive.seek(0)
        child = subprocess.Popen(  # noqa: S603 - our own interpreter and words
            command("unpacker", limits, str(SOURCES)),
            stdin=archive,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            env={},
            cwd="/",
            start_new_session=True,
        )
        try:
            return _read_all(cast("int", child.stdout and child.stdout.fileno()))
        finally:
            child.kill()
            child.wait()
            if child.stdout:
                child.stdout.close()


def _read_all(descriptor: int) -> bytearray:
    deadline = time.monotonic() + UNPACK_S
    data = bytearray()
    while select.select([descriptor], [], [], max(0.0, deadline - time.monotonic()))[0]:
        block = os.read(descriptor, 1 << 20)
        if not block:
            return data
        data += block
        if len(data) > MAX_ANSWER_BYTES:
            raise BadUpload(
                f"the archive unpacks to more than {MAX_TOTAL_BYTES >> 20} MiB; leave out what is not needed"
            )
    raise BadUpload("the archive takes too long to unpack; make it anew as a plain .zip")


def _write(files: Mapping[PurePosixPath, bytes | memoryview], folder: Path) -> None:
    """Writes them readable for all: in a container the bot runs as nobody."""
    folder.mkdir(parents=True, exist_ok=True)
    folder.chmod(0o755)
    for path, content in files.items():
        place = folder / path
        for parent in reversed(place.relative_to(folder).parents[:-1]):
            (folder / parent).mkdir(exist_ok=True)
            (folder / parent).chmod(0o755)
        with place.open("xb") as file:
            file.write(content)
        place.chmod(0o644)
