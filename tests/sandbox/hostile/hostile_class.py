"""A class Bot that is none, or is another each time it is looked at."""

import time

WAY = "metaclass"


class Meta(type):
    def __call__(cls):
        return {"metaclass": 5, "module": time}.get(WAY, None) if WAY != "loop" else cls.__call__()

    def __instancecheck__(cls, instance):
        return True


class Plays:
    def __getattribute__(self, name):
        if WAY == "attributes exit":
            raise SystemExit(f"no {name}")
        if WAY == "attributes hang":
            while True:
                pass
        return lambda *_: []


class Changes:
    looked = 0

    @property
    def play(self):
        Changes.looked += 1
        if Changes.looked > 1:
            raise AttributeError("it was here")
        return lambda observation: []


if WAY in ("metaclass", "module", "loop"):
    Bot = Meta("Bot", (), {})
elif WAY == "changes":
    Bot = Changes
else:
    Bot = Plays
