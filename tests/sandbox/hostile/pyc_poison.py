"""Wants to leave compiled code where the next match would find it."""

import importlib.util
import json
import py_compile
import sys
from pathlib import Path

from attempts import Honest, attempt

SOURCE = Path(__file__)


class Bot(Honest):
    def __init__(self):
        sys.dont_write_bytecode = False
        for module in (SOURCE, Path(json.__file__)):
            cached = importlib.util.cache_from_source(str(module))
            attempt(f"compile to {cached}", lambda m=module, c=cached: py_compile.compile(m, c, doraise=True))
            attempt(f"write {cached}", lambda c=cached: Path(c).write_bytes(b""))
        attempt("a folder for them", (SOURCE.parent / "__pycache__").mkdir)
