"""Reads a zip archive in a confined child, which only tells what it found: it can't open a file.

It is given the archive as descriptor 0 and answers on 1: one line of JSON, `[[name, size, mode, encrypted], ...]` of
all entries but folders, or `{"error": "..."}`; then for each entry a line of JSON with its size, and its bytes.
"""

from __future__ import annotations

import contextlib
import io
import json
import os
import sys
import zipfile

from sandbox.confine import Confinement

MEMORY_MIB = 256
CPU_S = 10.0
BLOCK_BYTES = 1 << 16
FLAG_ENCRYPTED = 1


def main() -> None:
    """Runs with one argument, the limits as JSON: files and bytes in all."""
    limits = json.loads(sys.argv[1])
    for name in ("bz2", "lzma", "zlib", "encodings.cp437"):
        # Loaded while files can be opened; where one is lacking, such archives are damaged ones.
        with contextlib.suppress(ImportError):
            __import__(name)
    confinement = Confinement([], MEMORY_MIB, open_files=32, stack_mib=8)
    confinement.seal(0, 1, 2, cpu_s=CPU_S, opens_files=False)
    try:
        _tell(limits["files"], limits["total_bytes"])
    except MemoryError:
        _say({"error": "needs too much memory"})
    except (zipfile.BadZipFile, zipfile.LargeZipFile, NotImplementedError, RuntimeError, EOFError) as error:
        _say({"error": str(error)[:200]})
    except Exception as error:
        _say({"error": f"{type(error).__name__}: {error}"[:200]})


def _tell(most_files: int, most_bytes: int) -> None:
    with zipfile.ZipFile(io.BufferedReader(io.FileIO(0, closefd=False))) as archive:
        # One more than may be is enough for the worker to see that it is too many.
        entries = [each for each in archive.infolist() if not each.is_dir()][: most_files + 1]
        _say([[e.filename, e.file_size, e.external_attr >> 16, bool(e.flag_bits & FLAG_ENCRYPTED)] for e in entries])
        left = most_bytes
        for entry in entries:
            data = bytearray()
            with archive.open(entry) as file:
                while block := file.read(BLOCK_BYTES):
                    data += block
                    left -= len(block)
                    if left < 0:
                        return
            _say(len(data))
            _write(data)


def _say(found: object) -> None:
    _write(json.dumps(found).encode() + b"\n")


def _write(data: bytes | bytearray) -> None:
    view = memoryview(data)
    while view:
        view = view[os.write(1, view) :]
