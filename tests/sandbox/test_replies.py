"""What a bot's process may send, and what it may not."""

from __future__ import annotations

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from arena.outcome import Forfeit, Termination
from sandbox import replies


def refusal(line: bytes, operation: str = "play", number: int = 5) -> Forfeit:
    with pytest.raises(Forfeit) as raised:
        replies.read(line, operation, number)
    assert "\n" not in raised.value.reason
    assert raised.value.reason.isprintable()
    return raised.value


@pytest.mark.parametrize(
    ("line", "operation", "value"),
    [
        (b'{"cards":["TH","JH"],"id":5}\n', "play", ["TH", "JH"]),
        (b'{"cards":[],"id":5}\n', "play", []),
        (b'{"id":5,"pile":"H"}\n', "choose_pile", "H"),
        (b'{"id":5}\n', "match_start", None),
        (b'{"defines":["play","match_end"],"id":5}\n', "load", ["play", "match_end"]),
        ('{"cards":["ärger"],"id":5}\n'.encode(), "play", ["ärger"]),
    ],
)
def test_answers_are_read(line: bytes, operation: str, value: object) -> None:
    assert replies.read(line, operation, 5) == value


@pytest.mark.parametrize(
    "body",
    [
        b"",
        b"null",
        b"[]",
        b"{}",
        b'{"id":5}',
        b'{"cards":null,"id":5}',
        b'{"cards":"TH","id":5}',
        b'{"cards":[1],"id":5}',
        b'{"cards":[["TH"]],"id":5}',
        b'{"cards":[],"id":true}',
        b'{"cards":[],"id":5.0}',
        b'{"cards":[],"id":"5"}',
        b'{"cards":[],"id":5e0}',
        b'{"cards":[],"id":NaN}',
        b'{"cards":[],"id":1e400}',
        b'{"cards":[],"id":6}',
        b'{"cards":[],"id":99999999999999999999999}',
        b'{"cards":[],"id":5,"result":"win"}',
        b'{"cards":[],"cards":["TH"],"id":5}',
        b'{"cards":[],"id":6,"id":5}',
        b'{"id":5,"cards":[]}',
        b'{"cards": [], "id": 5}',
        b' {"cards":[],"id":5}',
        b'{"cards":[],"id":5} ',
        b'{"cards":["\\u0054H"],"id":5}',
        b'\xef\xbb\xbf{"cards":[],"id":5}',
        b'{"cards":["\xff"],"id":5}',
        b'{"cards":[],"id":5}\0',
        b'{"cards":[' + b",".join([b'"TH"'] * 65) + b'],"id":5}',
        b'{"cards":["' + b"T" * 65 + b'"],"id":5}',
        b'{"id":5,"pile":"H"}',
        b"[" * 60_000,
        b'{"a":' * 12_000,
    ],
)
def test_what_is_no_answer_is_a_protocol_error(body: bytes) -> None:
    assert refusal(body + b"\n").termination is Termination.PROTOCOL


def test_defining_what_is_unknown_is_a_protocol_error() -> None:
    assert refusal(b'{"defines":["win"],"id":0}\n', "load", 0).termination is Termination.PROTOCOL


@pytest.mark.parametrize(
    ("kind", "termination"),
    [("exception", Termination.CRASH), ("exit", Termination.CRASH), ("memory", Termination.MEMORY)],
)
def test_an_error_is_the_bots_own_forfeit(kind: str, termination: Termination) -> None:
    error = {"kind": kind, "message": "ValueError: no\x1b[31m\nluck", "traceback": "line 1\nline 2\0"}
    forfeit = refusal(json.dumps({"id": 5, "error": error}).encode() + b"\n")
    assert forfeit.termination is termination
    assert forfeit.reason == "ValueError: no [31m luck"
    assert forfeit.traceback == "line 1\nline 2\\0"


@pytest.mark.parametrize(
    "change",
    [{"kind": "platform"}, {"message": "x" * 501}, {"traceback": "x" * 8_001}, {"winner": 1}, {"message": None}],
)
def test_an_error_of_another_form_is_a_protocol_error(change: dict[str, object]) -> None:
    error = {"kind": "exit", "message": "", "traceback": "", **change}
    assert refusal(json.dumps({"id": 5, "error": error}).encode() + b"\n").termination is Termination.PROTOCOL


def test_an_error_to_another_question_is_a_protocol_error() -> None:
    error = {"kind": "exit", "message": "", "traceback": ""}
    assert refusal(json.dumps({"id": 4, "error": error}).encode() + b"\n").termination is Termination.PROTOCOL


@given(st.binary(max_size=200), st.sampled_from(["play", "choose_pile", "match_end", "load"]))
def test_no_bytes_do_more_than_forfeit(body: bytes, operation: str) -> None:
    try:
        replies.read(body + b"\n", operation, 5)
    except Forfeit as forfeit:
        assert forfeit.reason.isprintable()  # noqa: PT017
