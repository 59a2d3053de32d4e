from __future__ import annotations

import os
from collections.abc import Iterator

import pytest

from sandbox.limits import KEPT_OUTPUT_BYTES
from sandbox.output import Output


@pytest.fixture
def output() -> Iterator[Output]:
    made = Output()
    yield made
    made.close()


def print_all(output: Output, data: bytes) -> None:
    for start in range(0, len(data), 40_000):
        os.write(output.writer, data[start : start + 40_000])
        assert output.drain()


def test_little_is_kept_whole(output: Output) -> None:
    print_all(output, b"one\ntwo\n")
    assert output.text() == "one\ntwo\n"
    output.close_writer()
    assert not output.drain()


def test_nothing_to_read_does_not_block(output: Output) -> None:
    assert output.drain()
    assert output.text() == ""
    output.close_writer()


def test_of_much_the_first_and_the_last_part_are_kept(output: Output) -> None:
    data = b"first" + b"." * 500_000 + b"last"
    print_all(output, data)
    output.close_writer()
    text = output.text()
    assert text.startswith("first...")
    assert text.endswith("...last")
    assert f"\n... {len(data) - 2 * KEPT_OUTPUT_BYTES} bytes left out ...\n" in text
    assert len(text) < 2 * KEPT_OUTPUT_BYTES + 60


def test_exactly_twice_the_part_is_kept_whole(output: Output) -> None:
    data = b"a" * KEPT_OUTPUT_BYTES + b"b" * KEPT_OUTPUT_BYTES
    print_all(output, data)
    output.close_writer()
    assert output.text() == data.decode()


def test_bytes_that_are_no_text_are_shown_as_such(output: Output) -> None:
    print_all(output, b"\xff\xfeok")
    output.close_writer()
    assert output.text() == "\ufffd\ufffdok"
