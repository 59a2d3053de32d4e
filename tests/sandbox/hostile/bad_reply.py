"""Writes its answers itself, each bad in its own way."""

import os

WAY = "deep"
WAYS = {
    "deep": "[" * 30_000 + "]" * 30_000,
    "nan": '{"cards":NaN,"id":%d}',
    "infinity": '{"cards":[1e400],"id":%d}',
    "true": '{"cards":[true],"id":%d}',
    "float id": '{"cards":[],"id":%d.0}',
    "text id": '{"cards":[],"id":"%d"}',
    "huge id": '{"cards":[],"id":' + "9" * 5_000 + "}",
    "extra key": '{"cards":[],"id":%d,"points":99}',
    "double key": '{"cards":[],"cards":[],"id":%d}',
    "missing key": '{"id":%d}',
    "object": '{"cards":{"0":"AS"},"id":%d}',
    "null": "null",
    "number": "5",
    "win": '{"result":"win"}',
    "winner": '{"cards":[],"id":%d,"winner":"A"}',
    "other kind": '{"id":%d,"pile":"C"}',
    "many cards": '{"cards":[' + ",".join(['"AS"'] * 9_000) + '],"id":%d}',
    "bom": '\ufeff{"cards":[],"id":%d}',
    "nul": '{"cards":["\0"],"id":%d}',
    "spaces": '{ "cards": [], "id": %d }',
    "exactly a line": '{"cards":[],"id":%d}' + " " * (65_536 - len('{"cards":[],"id":1}') - 1),
    "a byte more": '{"cards":[],"id":%d}' + " " * (65_536 - len('{"cards":[],"id":1}')),
    "two": '{"cards":[],"id":%d}\n{"cards":[],"id":%d}',
}


class Bot:
    asked = 0

    def play(self, observation):
        self.asked += 1
        text = WAYS[WAY]
        if "%d" in text:
            text = text.replace("%d", str(self.asked))
        os.write(4, text.encode() + b"\n")
        return []
