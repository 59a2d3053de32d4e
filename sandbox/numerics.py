"""numpy, the one package beside the standard library that bots may import.

A bot asks for it by naming it in one of its modules. The zygote of such a bot imports it before it forks, for a single
thread, as its children can't start any. In all other boxes it can't be imported.
"""

from __future__ import annotations

import importlib
import importlib.util
import os
import sys
from collections.abc import Sequence
from importlib.machinery import ModuleSpec
from pathlib import Path
from types import ModuleType

NAME = "numpy"
PARTS = ("char", "fft", "linalg", "ma", "polynomial", "random", "rec", "strings", "typing")
THREADS = ("OPENBLAS_NUM_THREADS", "OMP_NUM_THREADS", "MKL_NUM_THREADS")
SQUARE = 256
REFUSAL = "numpy is there for bots whose source names it: write `import numpy` in one of the bot's .py files"


def home() -> Path:
    """The folder of the installed numpy; nothing is imported.

    Raises:
        OSError: it is not installed.
    """
    spec = importlib.util.find_spec(NAME)
    if spec is None or spec.origin is None:
        raise OSError("numpy is not installed in the Python that runs this")
    return Path(spec.origin).parent


def libraries(folder: Path) -> Path:
    """Where the wheel of the numpy in that folder keeps its shared libraries; a distribution's numpy has none there."""
    return folder.with_name("numpy.libs")


def is_wanted(bot: Path) -> bool:
    """If a module in that folder names numpy. Its bytes are searched: to be deceived by a comment costs only memory."""
    return any(NAME.encode() in module.read_bytes() for module in bot.rglob("*.py") if module.is_file())


def offer(folder: Path | None) -> None:
    """Imports the numpy of that folder into this process, without what is installed beside it.

    Without a folder a later import fails, and says what to do.
    """
    sys.meta_path.append(_Finder(folder))
    if folder is None:
        return
    os.environ.update(dict.fromkeys(THREADS, "1"))
    for name in (NAME, *(f"{NAME}.{part}" for part in PARTS)):
        importlib.import_module(name)
    # OpenBLAS takes its working memory, 32 MiB, with the first product, and ends the process where there is none left.
    square = sys.modules[NAME].ones((SQUARE, SQUARE))
    square @ square
    for variable in THREADS:
        del os.environ[variable]


class _Finder:
    """Asked last, so that a bot's own module of that name goes first."""

    def __init__(self, folder: Path | None) -> None:
        self._folder = folder

    def find_spec(
        self, name: str, path: Sequence[str] | None = None, target: ModuleType | None = None
    ) -> ModuleSpec | None:
        if name != NAME:
            return None
        if self._folder is None:
            raise ModuleNotFoundError(REFUSAL, name=NAME)
        start = self._folder / "__init__.py"
        return importlib.util.spec_from_file_location(NAME, start, submodule_search_locations=[str(self._folder)])
