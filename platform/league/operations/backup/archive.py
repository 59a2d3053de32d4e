"""The file of a backup: a line that says what follows and what it must hash to, and a database behind it."""

import hashlib
import os
import re
from collections.abc import Iterator
from datetime import datetime
from pathlib import Path
from typing import IO, NamedTuple

from league.operations.backup.failure import Refused

FORMAT = 1
CHUNK = 1024 * 1024
LONGEST_LINE = 200
LINE = re.compile(
    rb"candidate-arena backup (?P<format>\d{1,9}) (?P<kind>[a-z]+) (?P<made_at>[!-~]+) "
    rb"(?P<size>\d{1,18}) (?P<sha256>[0-9a-f]{64})\n"
)


class Header(NamedTuple):
    kind: str
    """The kind of database, as Django calls it."""
    made_at: str
    """ISO 8601."""
    size: int
    """Bytes behind the line."""
    sha256: str

    def line(self) -> bytes:
        return f"candidate-arena backup {FORMAT} {self.kind} {self.made_at} {self.size} {self.sha256}\n".encode()


def write(path: Path, kind: str, made_at: datetime, database: Path) -> Header:
    """Make that file, for its owner's eyes, whole or not at all."""
    header = Header(kind, made_at.isoformat(timespec="seconds"), database.stat().st_size, _sha256(database))
    part = database.with_name("whole")
    with (
        os.fdopen(os.open(part, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "wb") as out,
        database.open("rb") as copy,
    ):
        out.write(header.line())
        for chunk in _chunks(copy):
            out.write(chunk)
        out.flush()
        os.fsync(out.fileno())
    try:
        os.link(part, path)  # a file that was made meanwhile stays
    except FileExistsError:
        raise Refused(f"{path} is there already: choose another name") from None
    return header


def header(path: Path) -> Header:
    """What that file says that it is.

    Raises:
        Refused: it can't be read, is no backup, or one of another release.
    """
    try:
        with path.open("rb") as file:
            line = file.readline(LONGEST_LINE)
    except OSError as error:
        raise Refused(f"{path} can't be read: {error.strerror}") from None
    found = LINE.fullmatch(line)
    if found is None:
        raise Refused(
            f"{path} is no backup: expected a file that manage.py backup wrote, got one that begins {line[:40]!r}"
        )
    if int(found["format"]) != FORMAT:
        raise Refused(f"expected a backup of format {FORMAT}, got {int(found['format'])}: use the release that made it")
    return Header(found["kind"].decode(), found["made_at"].decode(), int(found["size"]), found["sha256"].decode())


def extract(path: Path, database: Path) -> None:
    """Write what is behind the line to a new file.

    Raises:
        Refused: it is not what the line says.
    """
    expected = header(path)
    size, digest = 0, hashlib.sha256()
    with path.open("rb") as file, database.open("xb") as out:
        file.readline(LONGEST_LINE)
        for chunk in _chunks(file):
            out.write(chunk)
            digest.update(chunk)
            size += len(chunk)
    if size != expected.size:
        raise Refused(f"{path} is damaged: expected {expected.size} bytes, got {size}; take another backup")
    if digest.hexdigest() != expected.sha256:
        raise Refused(f"{path} is damaged: its checksum is not what it says; take another backup")


def _sha256(path: Path) -> str:
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def _chunks(file: IO[bytes]) -> Iterator[bytes]:
    while chunk := file.read(CHUNK):
        yield chunk
