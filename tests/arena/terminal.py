"""What a command of `arena` printed, for the tests of the command line."""

from typing import NamedTuple


class Ran(NamedTuple):
    status: int
    out: str
    err: str


def one_line(ran: Ran) -> str:
    """The complaint on stderr, if it is one line and nothing else was printed."""
    assert ran.out == ""
    assert ran.err.count("\n") == 1, ran.err
    return ran.err.rstrip("\n")
