"""Dumps read back, and are refused when anything in them is damaged, altered or out of place."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from hashlib import sha256
from io import BytesIO
from pathlib import Path
from typing import Any

import pytest
from documents import DOCS, run
from hypothesis import given, settings
from hypothesis import strategies as st
from leagues import HEADER, dumped, league, leagues, match, version

from arena import dump
from arena.dump import Dump, DumpError
from arena.standings import Result, table

GOLDEN = (Path(__file__).parent / "golden_dump_1.jsonl").read_bytes()
LINES = GOLDEN.splitlines(keepends=True)


def read(content: bytes) -> list[dump.Line]:
    return list(dump.read(BytesIO(content)))


def refusal(content: bytes) -> str:
    with pytest.raises(DumpError) as refused:
        read(content)
    return str(refused.value)


def changed(number: int, change: Callable[[dict[str, Any]], object]) -> bytes:
    """The golden dump with that line, from 1, as `change` leaves it, and with an end that fits."""
    plain = json.loads(LINES[number - 1])
    change(plain)
    line = (json.dumps(plain, ensure_ascii=False, separators=(",", ":")) + "\n").encode()
    return sealed([*LINES[: number - 1], line, *LINES[number:-1]])


def sealed(lines: list[bytes]) -> bytes:
    """These lines with the golden dump's end, and the checksum that they have."""
    end = json.loads(LINES[-1]) | {"sha256": sha256(b"".join(lines)).hexdigest()}
    return b"".join([*lines, (json.dumps(end, separators=(",", ":")) + "\n").encode()])


def test_a_dump_of_format_1_reads_as_it_was_written() -> None:
    lines = read(GOLDEN)
    assert [type(line).__name__ for line in lines] == (
        ["Header"] + ["Version"] * 5 + ["Disqualified"] + ["Match"] * 7 + ["Row"] * 4 + ["End"]
    )
    header, first, played = lines[0], lines[1], lines[7]
    assert header == HEADER
    assert first == version(1)
    assert played == match(1, Result(1, 2, "A", 90, 70, ""))
    assert lines[-1][:4] == (5, 1, 7, 4)
    assert b"".join(dump.write(lines[:-1])) == GOLDEN


def test_the_table_of_the_golden_dump_is_that_of_its_results() -> None:
    whole = Dump.load(BytesIO(GOLDEN))
    assert whole.entrants == [1, 2, 3, 4]
    rows = table(whole.results, whole.entrants, whole.header.legs)
    # by hand: 3 beat 2 by forfeit and drew with 1, who beat 2; 4 and 3 both failed to load; 5 has left
    assert [(row.entrant, row.rank, row.match_points) for row in rows] == [(1, 1, 5), (3, 2, 3), (2, 3, 2), (4, 4, 0)]
    assert [(row.version, row.rank, row.match_points) for row in whole.rows] == [
        (row.entrant, row.rank, row.match_points) for row in rows
    ]
    assert whole.called(3) == "King — “the old one” v2"
    assert whole.disqualified[0].reason == "two bots of one author"


@given(leagues())
@settings(max_examples=25, deadline=None)
def test_a_league_reads_back(lines: list[dump.Line]) -> None:
    assert read(dumped(lines))[:-1] == lines


@given(st.integers(0, len(GOLDEN) - 1), st.integers(0, 255))
@settings(max_examples=120, deadline=None)
def test_no_byte_can_be_changed(place: int, byte: int) -> None:
    if GOLDEN[place] != byte:
        assert refusal(GOLDEN[:place] + bytes([byte]) + GOLDEN[place + 1 :]).startswith("line ")


@given(st.integers(0, len(GOLDEN) - 1))
@settings(max_examples=40, deadline=None)
def test_no_end_can_be_cut_off(length: int) -> None:
    assert "cut off" in refusal(GOLDEN[:length]) or "JSON" in refusal(GOLDEN[:length])


@pytest.mark.parametrize("number", range(len(LINES) - 1))
def test_no_line_can_be_swapped_doubled_or_left_out_even_with_a_checksum_that_fits(number: int) -> None:
    swapped = [*LINES[:number], LINES[number + 1], LINES[number], *LINES[number + 2 :]]
    assert refusal(b"".join(swapped)).startswith("line ")
    doubled = [*LINES[: number + 1], *LINES[number:-1]]
    assert refusal(sealed(doubled)).startswith("line ")
    without = [*LINES[:number], *LINES[number + 1 : -1]]
    assert refusal(sealed(without)).startswith("line ")
    if number < len(LINES) - 2:
        assert refusal(sealed(swapped[:-1])).startswith("line ")


def test_nothing_may_follow_the_end() -> None:
    assert refusal(GOLDEN + b"\n").startswith("line 20: expected nothing after the end")
    assert refusal(GOLDEN + GOLDEN).startswith("line 20: expected nothing after the end")


@pytest.mark.parametrize("content", [b"", LINES[0], b"".join(LINES[:-1])], ids=["nothing", "a header", "no end"])
def test_what_lacks_its_end_is_not_whole(content: bytes) -> None:
    assert refusal(content) == (
        f"cut off after {len(content.splitlines())} lines: expected a last line 'end'; take the dump again"
    )


@pytest.mark.parametrize(
    ("number", "name", "value", "expected"),
    [
        (1, "kind", "scrimmage", "header: kind: expected one of 'ladder', 'season', got 'scrimmage'"),
        (1, "format", "candidate", "header: format: expected one of 'candidate-arena-dump', got 'candidate'"),
        (1, "version", 0, "header: version: expected a whole number from 1 to 1, got 0"),
        (1, "ruleset", {"decks": 9}, "header: ruleset: expected a ruleset, got {'decks': 9}"),
        (1, "closed_at", "2026-02-30T12:00:00.000000Z", "header: closed_at: expected a moment"),
        (2, "name", "", "version: name: expected a text of 1 to 150 characters, got ''"),
        (2, "entered", 1, "version: entered: expected true or false, got 1"),
        (2, "sha256", "A" * 64, "version: sha256: expected 64 hexadecimal digits"),
        (8, "a", True, "match: a: expected a whole number from 1 to 9223372036854775807, got True"),
        (8, "seed", 2**63, "match: seed: expected a whole number from 0 to 9223372036854775807, got 92233720"),
        (8, "termination", "boredom", "match: termination: expected one of 'completed', 'time'"),
        (8, "games", [[2, 90, 70, 20]], "match: games: expected rows of a dealer, points of A and B, rounds"),
        (8, "points_a", 91, "match 1: expected the points of its games, (90, 70), got (91, 70)"),
        (8, "outcome", "B", "match 1: expected the outcome 'A', got 'B'"),
        (8, "termination", "time", "match 1: 'time' does not go with a forfeit of nobody"),
        (8, "b", 99, "match 1: expected a version of the lines above, got 99"),
        (8, "b", 1, "match 1: expected a below b in leg 1, got 1 and 1"),
        (8, "id", 2, "expected it to come before the match of the line above"),
        (15, "rank", 0, "row: rank: expected a whole number from 1"),
        (15, "sonneborn_berger", 5, "row: sonneborn_berger: expected a number with a decimal point, got 5"),
        (15, "elo", 1e300, "row: elo: expected a number with a decimal point, or null, got 1e+300"),
        (15, "version", 77, "row: expected a version of the lines above, got 77"),
        (15, "note", "x", "row: unknown field 'note'"),
    ],
)
def test_a_field_is_what_the_format_says(number: int, name: str, value: Any, expected: str) -> None:
    told = refusal(changed(number, lambda plain: plain.update({name: value})))
    assert expected in told
    assert re.match(r"line \d+: ", told)


def test_a_field_that_is_missing_is_named() -> None:
    told = refusal(changed(8, lambda plain: plain.pop("replay")))
    assert told == "line 8: match: expected a field 'replay'"


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        (b"{}\n", "expected an object with a 'line' of header, version"),
        (b'{"line":["match"]}\n', "expected an object with a 'line' of header"),
        (b"7\n", "expected an object with a 'line' of header"),
        (b"[" * 60_000 + b"\n", "expected a JSON object"),
        (b"\xff\xfe{\x00}\x00\n", "expected a JSON object"),
        (b"{" * 70_000, "expected at most 65536 bytes"),
        (LINES[1].replace(b'"Pawn"', b'"\\ud800"'), "got other spaces, order or signs"),
        (LINES[1].replace(b'{"line":"version"', b'{"line":"version","id":9'), "got other spaces, order or signs"),
        (LINES[1].replace(b'":', b'": '), "got other spaces, order or signs"),
        (LINES[0], "expected one header, got header"),
    ],
)
def test_what_is_no_line_of_a_dump_is_refused(line: bytes, expected: str) -> None:
    assert expected in refusal(LINES[0] + line)


def test_not_a_number_is_none() -> None:
    row = LINES[14]
    assert "row: elo: expected a number" in refusal(b"".join([*LINES[:14], re.sub(rb'"elo":[^,]+', b'"elo":NaN', row)]))


def test_a_newer_format_names_who_reads_it() -> None:
    newer = LINES[0].replace(b'"version":1,"arena":"0.1.0"', b'"version":2,"arena":"0.9.0"').replace(b'"kind"', b'"x"')
    assert refusal(newer) == (
        "line 1: the dump has format 2, and arena 0.1.0 reads format 1: use arena 0.9.0, which made it, or a newer one"
    )


def test_rows_come_by_rank_and_each_version_has_one() -> None:
    results = [Result(1, 2, "A", 3, 1, "")]
    lines = league(results, [1, 2])
    first, second = lines[-2:]
    assert "expected it to come before the row" in refusal(dumped([*lines[:-2], second, first]))
    again = [*lines, first._replace(rank=3)]
    assert "row: version 1 has another row" in refusal(dumped(again))


def test_every_example_of_the_document_does_what_it_says() -> None:
    outcome = run(DOCS / "dump.md")
    assert outcome.failures == ""
    assert outcome.examples > 3


def test_the_document_has_every_field_of_every_line_in_its_order() -> None:
    text = (DOCS / "dump.md").read_text(encoding="utf-8")
    for name, kind in dump.KINDS.items():
        section = text.partition(f"\n### `{name}`\n")[2].partition("\n##")[0]
        rows = [row.split("|")[1] for row in section.splitlines() if row.startswith("| `")]
        assert [field for row in rows for field in re.findall(r"`(\w+)`", row)] == list(kind._fields), name
