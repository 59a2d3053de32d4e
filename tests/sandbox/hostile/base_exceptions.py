"""Raises what ordinary handlers do not catch."""

import asyncio

WAY = "own"


class Own(BaseException):
    pass


class Bot:
    def play(self, observation):
        raise {
            "own": Own("mine"),
            "exit": SystemExit(0),
            "exit text": SystemExit("all is well"),
            "interrupt": KeyboardInterrupt(),
            "generator": GeneratorExit(),
            "stop": StopIteration([]),
            "cancelled": asyncio.CancelledError(),
            "group": BaseExceptionGroup("many", [SystemExit(1), MemoryError()]),
            "memory": MemoryError(),
        }[WAY]
