"""Puts itself in the way of every later import, and of every module that is there."""

import sys

from attempts import Honest


class Finder:
    def find_spec(self, name, path=None, target=None):
        raise SystemExit(f"no {name}")


class Anything:
    def __getattr__(self, name):
        return lambda *_, **__: "WORKED"


class Bot(Honest):
    def __init__(self):
        sys.meta_path.insert(0, Finder())
        sys.path_hooks.clear()
        sys.modules["traceback"] = Anything()
