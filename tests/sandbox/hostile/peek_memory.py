"""Scans its own memory for what the worker knows and it should not: the seed, and names of the machine."""

import ctypes
import json
import re
from pathlib import Path

from attempts import Honest

HERE = Path(__file__).parent


class Bot(Honest):
    def play(self, observation):
        needles = [needle.encode() for needle in json.loads((HERE / "canary.json").read_text())]
        found = set()
        try:
            maps = Path("/proc/self/maps").read_text()
        except OSError:
            maps = ""
        for begin, end in re.findall(r"^(\w+)-(\w+) r", maps, re.MULTILINE):
            block = ctypes.string_at(int(begin, 16), int(end, 16) - int(begin, 16))
            found |= {needle for needle in needles if needle in block}
        # Without the list of maps: what the interpreter itself holds.
        import gc

        for each in gc.get_objects():
            if isinstance(each, dict):
                found |= {key for key in needles for value in each.values() if value == key.decode()}
        print("found" if found - set(needles) else "nothing else", len(maps) > 0)
        return super().play(observation)
