"""Fails with an error that is larger, deeper or longer than what whoever reads it would expect."""

import sys

WAY = "message"


class Notes(list):
    def __iter__(self):
        while True:
            yield "a note"


def chained(depth):
    error = None
    for number in range(depth):
        link = ValueError(number)
        link.__cause__ = error
        error = link
    return error


def grouped(depth):
    error = ValueError("the innermost")
    for number in range(depth):
        error = ExceptionGroup(f"group {number}", [error])
    return error


class Bot:
    def play(self, observation):
        if WAY == "message":
            raise ValueError("x" * 50_000_000)
        if WAY == "number":
            sys.set_int_max_str_digits(0)
            raise ValueError(1 << 10**7)
        if WAY == "digits":
            return [str(10**5_000)]
        if WAY == "notes":
            error = ValueError("many")
            error.__notes__ = ["a note"] * 10**5
            raise error
        if WAY == "endless notes":
            error = ValueError("many")
            error.__notes__ = Notes()
            raise error
        if WAY == "chain":
            raise chained(10**5)
        if WAY == "circle":
            first, second = ValueError("first"), ValueError("second")
            first.__cause__, second.__cause__ = second, first
            raise first
        if WAY == "groups":
            raise grouped(10**4)
        error = SyntaxError("forged")
        error.filename, error.lineno, error.text, error.offset = "/etc/shadow", 10**12, "y" * 10**6, -(10**9)
        raise error
