"""Returns what looks like an action and is none."""

WAY = "subclass"


class Text(str):
    __slots__ = ()

    def __eq__(self, other):
        return True

    __hash__ = str.__hash__


class Cards(list):
    def __iter__(self):
        while True:
            yield "AS"


class Bot:
    def play(self, observation):
        return {
            "subclass": lambda: [Text("AS")],
            "endless": Cards,
            "generator": lambda: (card for card in iter(lambda: "AS", None)),
            "number": lambda: 5,
            "dict": lambda: {"AS": 1},
            "bytes": lambda: b"AS",
            "nested": lambda: [["AS"]],
            "self": lambda: self,
            "coroutine": lambda: waits(),
            "class": lambda: Text,
        }[WAY]()


async def waits():
    return []
