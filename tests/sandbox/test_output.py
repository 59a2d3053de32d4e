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
    made.pipe.close()


def print_all(output: Output, data: bytes) -> None:
    for start in range(0, len(data), 40_000):
        os.write(output.pipe.writer, data[start : start + 40_000])
        assert output.drain()


def test_little_is_kept_whole(output: Output) -> None:
    print_all(output, b"one\ntwo\n")
    assert output.text() == "one\ntwo\n"
    output.pipe.close_writer()
    assert not output.drain()


def test_nothing_to_read_does_not_block(output: Output) -> None:
    assert output.drain()
    assert output.text() == ""
    output.pipe.close_writer()


def test_of_much_the_first_and_the_last_part_are_kept(output: Output) -> None:
    data = b"first" + b"." * 500_000 + b"last"
    print_all(output, data)
    output.pipe.close_writer()
    text = output.text()
    assert text.startswith("first...")
    assert text.endswith("...last")
    assert f"\n... {len(data) - 2 * KEPT_OUTPUT_BYTES} bytes left out ...\n" in text
    assert len(text) < 2 * KEPT_OUTPUT_BYTES + 60


def test_exactly_twice_the_part_is_kept_whole(output: Output) -> None:
    data = b"a" * KEPT_OUTPUT_BYTES + b"b" * KEPT_OUTPUT_BYTES
    print_all(output, data)
    output.pipe.close_writer()
    assert output.text() == data.decode()


def test_bytes_that_are_no_text_are_shown_as_such(output: Output) -> None:
    print_all(output, b"\xff\xfeok")
    output.pipe.close_writer()
    assert output.text() == "\ufffd\ufffdok"


def test_what_is_printed_belongs_to_the_decision_it_was_drained_at(output: Output) -> None:
    print_all(output, b"imports\n")
    for at in ((1, 0), (1, 1), (1, 3)):
        output.at = at
        print_all(output, f"first at {at}\n".encode())
        print_all(output, "and mоre".encode()[:6])
        print_all(output, "and mоre".encode()[6:])
    assert [tuple(each[:2]) for each in output.printed()] == [(0, 0), (1, 0), (1, 1), (1, 3)]
    assert output.printed()[2].text == "first at (1, 1)\nand mоre"
    assert output.text() == "".join(each.text for each in output.printed())


def test_of_much_the_decisions_of_the_first_and_the_last_part_are_kept(output: Output) -> None:
    for decision in range(1_000):
        output.at = (1, decision)
        print_all(output, b"x" * 999 + b"\n")
    first, last = KEPT_OUTPUT_BYTES // 1_000, KEPT_OUTPUT_BYTES % 1_000
    kept = output.printed()
    assert [each.decision for each in kept] == [*range(first + 1), *range(999 - first, 1_000)]
    assert len(kept[first].text) == last
    marked = kept[first + 1].text
    assert marked.startswith(f"\n... {1_000_000 - 2 * KEPT_OUTPUT_BYTES} bytes left out ...\n")
    assert marked.endswith("x" * (last - 1) + "\n")
