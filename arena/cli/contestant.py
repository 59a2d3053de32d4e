"""Bots as the command line names them: a house bot, a .py or .zip file, or a folder with `bot.py`."""

from __future__ import annotations

import io
import zipfile
from dataclasses import dataclass
from pathlib import Path

from arena import bots
from arena.cli.failure import USAGE, Failure
from sandbox.bundle import MAX_FILES, MAX_TOTAL_BYTES
from sandbox.limits import ARCHIVE_BYTES, MODULE_BYTES

ENTRY = "bot.py"


@dataclass(frozen=True, slots=True)
class Contestant:
    """A bot as it would be uploaded."""

    name: str
    filename: str
    content: bytes


def read(name: str) -> Contestant:
    """The bot that is meant by that house-bot name or path.

    Raises:
        Failure: there is no such bot, or its file can't be read.
    """
    if name in bots.HOUSE:
        return Contestant(name, f"{name}.py", bots.source(name))
    path = Path(name)
    try:
        if path.is_dir():
            return Contestant(path.resolve().name, f"{path.resolve().name}.zip", _pack(path))
        _check_size(name, path.stat().st_size, path.suffix.lower())
        return Contestant(path.stem, path.name, path.read_bytes())
    except (FileNotFoundError, ValueError):
        known = ", ".join(bots.HOUSE)
        raise Failure(f"{name}: neither a file nor a house bot; house bots are {known}", USAGE) from None
    except OSError as error:
        raise Failure(f"{name}: {error.strerror}", USAGE) from None


def _pack(folder: Path) -> bytes:
    """The folder as the archive that its author would upload, without caches and hidden files."""
    if not (folder / ENTRY).is_file():
        raise Failure(f"{folder}: the folder holds no {ENTRY}", USAGE)
    packed = io.BytesIO()
    size = 0
    with zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED) as archive:
        for count, path in enumerate(_files(folder)):
            size += path.stat().st_size
            if count >= MAX_FILES or size > MAX_TOTAL_BYTES:
                raise Failure(f"{folder}: more than {MAX_FILES:,} files or {MAX_TOTAL_BYTES >> 20} MiB", USAGE)
            archive.writestr(path.relative_to(folder).as_posix(), path.read_bytes())
    _check_size(f"{folder}, packed,", packed.tell(), ".zip")
    return packed.getvalue()


def _check_size(name: str, size: int, kind: str) -> None:
    """Refuses what the site would refuse."""
    most = MODULE_BYTES if kind == ".py" else ARCHIVE_BYTES
    if size > most:
        what = "file" if kind == ".py" else "archive"
        raise Failure(f"{name} has {size:,} bytes; the limit for one {what} is {most:,} ({most >> 20} MiB)", USAGE)


def _files(folder: Path) -> list[Path]:
    def belongs(path: Path) -> bool:
        parts = path.relative_to(folder).parts
        return path.is_file() and not any(part.startswith(".") or part == "__pycache__" for part in parts)

    return sorted(path for path in folder.rglob("*") if belongs(path))
