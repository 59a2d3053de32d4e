"""A bot's files, carried in memory into a process that can open none.

This is how a bot runs where the kernel has no Landlock: nothing tells apart what it may open and what not, so it may
open nothing. Its files are read before, and served to imports and to `open`. Of the standard library and the engine it
has what was imported before it.
"""

from __future__ import annotations

import builtins
import contextlib
import importlib
import io
import linecache
import os
import sys
from collections.abc import Callable, Sequence
from importlib.abc import SourceLoader
from importlib.machinery import ModuleSpec, PathFinder
from importlib.util import decode_source, spec_from_file_location
from pathlib import Path
from types import CodeType, ModuleType
from typing import IO, Any

import arena
from arena import host

STANDARD_LIBRARY = """
_strptime argparse ast asyncio atexit binascii calendar cmath codecs concurrent.futures.process
concurrent.futures.thread configparser contextvars ctypes.util difflib dis errno faulthandler fnmatch glob graphlib html
html.parser importlib.util inspect ipaddress keyword linecache locale marshal mmap multiprocessing.pool
multiprocessing.queues numbers opcode optparse os pathlib pickletools pkgutil platform posixpath pprint pty py_compile
resource sched secrets select selectors shlex shutil signal socket stat subprocess symtable tempfile textwrap timeit
token tokenize tomllib tracemalloc urllib.parse warnings xml.dom.minidom xml.etree.ElementTree zipfile zipimport
zoneinfo
"""
ENCODINGS = """
ascii base64_codec big5 bz2_codec cp1250 cp1251 cp1252 cp437 euc_jp euc_kr gb18030 gbk hex_codec idna iso8859_1
iso8859_15 koi8_r koi8_u latin_1 mac_roman punycode raw_unicode_escape rot_13 shift_jis unicode_escape utf_16 utf_16_be
utf_16_le utf_32 utf_32_be utf_32_le utf_7 utf_8 utf_8_sig zlib_codec
"""
"""The usual ones, among them all in which a bot's source may be written."""
READING = {"r", "rb", "rt"}


def load_all() -> None:
    """Imports into this process what its children can't import any more."""
    home = Path(arena.__file__).parent
    engine = [f"arena.{path.stem}" for path in home.glob("[!_]*.py")]
    bots = [f"arena.bots.{path.stem}" for path in home.glob("bots/[!_]*.py")]
    for name in (*STANDARD_LIBRARY.split(), *(f"encodings.{each}" for each in ENCODINGS.split()), *engine, *bots):
        with contextlib.suppress(ImportError):  # not in every version of Python
            importlib.import_module(name)


def load_module(folder: Path) -> Callable[[], Any]:
    """As `arena.host.load_module`, but reads all files of the folder at once."""
    return _Carried(folder).make


class _Carried:
    """The files of a folder; finds modules in it when they are imported."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._files: dict[str, bytes] = {}
        for place, _, names in os.walk(folder):
            for path in (Path(place, name) for name in names):
                if not path.is_symlink():
                    self._files[str(path)] = path.read_bytes()

    def make(self) -> Any:
        """The bot."""
        self._stand_in()
        for path in self._files:
            stem = Path(path).relative_to(self._folder).parts[0].removesuffix(".py")
            if stem not in sys.builtin_module_names:
                sys.modules.pop(stem, None)
        return host.made_by(importlib.import_module(host.MODULE))

    def _stand_in(self) -> None:
        """In the place of the finder that looks into folders, and before the real `open`."""
        sys.path.insert(0, str(self._folder))
        sys.meta_path[:] = [self if each is PathFinder else each for each in sys.meta_path]
        sys.meta_path.append(_Missing())
        builtins.open = io.open = self._opener(io.open)  # type: ignore[assignment]

    def find_spec(
        self, name: str, path: Sequence[str] | None = None, target: ModuleType | None = None
    ) -> ModuleSpec | None:
        for place in sys.path if path is None else path:
            start = f"{place}/{name.rpartition('.')[2]}"
            for location, inside in ((f"{start}/__init__.py", [start]), (f"{start}.py", None)):
                if location in self._files:
                    loader = _Loader(location, self._files)
                    return spec_from_file_location(name, location, loader=loader, submodule_search_locations=inside)
            if any(each.startswith(f"{start}/") for each in self._files):
                spec = ModuleSpec(name, None, is_package=True)
                spec.submodule_search_locations = [start]
                return spec
        return None

    def _opener(self, real: Callable[..., IO[Any]]) -> Callable[..., IO[Any]]:
        def open(file: Any, mode: str = "r", *arguments: Any, **options: Any) -> IO[Any]:  # noqa: A001
            """`open`, which has the bot's own files from memory, for reading."""
            content = None if isinstance(file, int) else self._files.get(os.path.abspath(os.fsdecode(file)))  # noqa: PTH100
            if content is None or mode not in READING:
                return real(file, mode, *arguments, **options)
            if "b" in mode:
                return io.BytesIO(content)
            _, encoding, errors, newline = (*arguments, *(None,) * 4)[:4]
            return io.TextIOWrapper(
                io.BytesIO(content),
                encoding or options.get("encoding") or "utf-8",
                errors or options.get("errors"),
                newline or options.get("newline"),
            )

        # So that it can still be pickled, as by a logger that a bot configures.
        open.__module__, open.__qualname__ = "io", "open"
        return open


class _Loader(SourceLoader):
    def __init__(self, location: str, files: dict[str, bytes]) -> None:
        self._location = location
        self._files = files

    def get_filename(self, fullname: str) -> str:
        return self._location

    def source_to_code(self, data: Any, path: Any = "<string>") -> CodeType:  # type: ignore[override]
        """As usual; tracebacks find the lines."""
        with contextlib.suppress(SyntaxError, UnicodeDecodeError):
            linecache.cache[path] = len(data), None, decode_source(data).splitlines(keepends=True), path
        return super().source_to_code(data, path)

    def get_data(self, path: str | bytes) -> bytes:
        try:
            return self._files[os.fsdecode(path)]
        except KeyError:
            raise FileNotFoundError(f"no file {path!r} in the bot") from None


class _Missing:
    """Asked last."""

    def find_spec(self, name: str, path: Sequence[str] | None = None, target: ModuleType | None = None) -> None:
        raise ModuleNotFoundError(
            f"no module {name!r} in the bot or among those loaded before it; where a kernel has no Landlock, "
            "a bot can't load others",
            name=name,
        )
