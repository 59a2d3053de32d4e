from __future__ import annotations

import gzip
import io
import json
from collections.abc import Callable
from pathlib import Path
from types import SimpleNamespace

import pytest
from hypothesis import HealthCheck, given, settings
from leagues import dumped, league, leagues
from terminal import Ran, one_line

from arena import dump
from arena.standings import Result

Arena = Callable[..., Ran]
Write = Callable[[bytes], Path]

RESULTS = [Result(1, 2, "A", 90, 70, ""), Result(1, 3, "draw", 80, 80, ""), Result(2, 3, "B", 0, 200, "A")]
LINES = league(RESULTS, [1, 2, 3])
EQUAL = "3 matches of 3 entered versions; the file is whole\nequal to the site's table, to the last digit\n"


@pytest.fixture
def written(tmp_path: Path) -> Write:
    def write(content: bytes) -> Path:
        path = tmp_path / "spring.jsonl"
        path.write_bytes(content)
        return path

    return write


def test_the_table_is_printed_and_equals_the_sites(arena: Arena, written: Write) -> None:
    ran = arena("table", written(dumped(LINES)))
    assert (ran.status, ran.err) == (0, "")
    assert ran.out.startswith("Spring season, revision 7\n")
    assert ran.out.endswith(EQUAL)
    # by hand: 1 and 3 have 3 points and drew, so that it is Sonneborn-Berger: 0 + 3/2 each; then +20 and +200
    rows = [line.split()[:4] for line in ran.out.splitlines() if line[:1].isdigit() and " v2" in line]
    assert rows == [["1", "King", "—", "“the"], ["2", "Pawn", "v2", "ada"], ["3", "Ладья", "v2", "ada"]]
    assert "King — “the old one” v2 is ahead of Pawn v2 by difference of points, +200 : +20" in ran.out


def test_only_the_comparison_is_printed_for_a_check(arena: Arena, written: Write) -> None:
    assert arena("table", written(dumped(LINES)), "--check") == Ran(0, EQUAL, "")


def test_a_compressed_dump_and_one_from_standard_input_are_read(
    arena: Arena, written: Write, monkeypatch: pytest.MonkeyPatch
) -> None:
    compressed = gzip.compress(dumped(LINES))
    assert arena("table", written(compressed), "--check").out == EQUAL
    for content in (compressed, dumped(LINES)):
        given = SimpleNamespace(buffer=io.BufferedReader(io.BytesIO(content)))  # type: ignore[arg-type]
        monkeypatch.setattr("sys.stdin", given)
        assert arena("table", "-", "--check").out == EQUAL


@given(lines=leagues())
@settings(max_examples=15, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_whatever_the_league_its_table_follows_from_its_matches(
    lines: list[dump.Line], arena: Arena, written: Write
) -> None:
    ran = arena("table", written(dumped(lines)), "--json")
    told = json.loads(ran.out)
    assert (ran.status, told["site"], told["differences"]) == (0, "equal", [])
    stored = [line._asdict() for line in lines if isinstance(line, dump.Row)]
    assert [{name: row[name] for name in dump.Row._fields} for row in told["table"]] == stored


def test_each_figure_that_differs_is_listed(arena: Arena, written: Write) -> None:
    *rest, first, second, _ = LINES
    assert isinstance(first, dump.Row)
    assert isinstance(second, dump.Row)
    assert second.elo is not None
    changed = [first._replace(won=2), second._replace(elo=second.elo + 1e-5)]
    ran = arena("table", written(dumped([*rest, *changed])), "--check")
    assert ran.status == 1
    assert ran.out.splitlines()[1:] == [
        "the site's table differs in 3 places:",
        "  King — “the old one” v2: won: 2 in the site's table, 1 by its matches",
        f"  Pawn v2: elo: {changed[1].elo!r} in the site's table, {second.elo!r} by its matches",
        "  Ладья v2: not in the site's table",
    ]
    as_json = json.loads(arena("table", written(dumped([*rest, *changed])), "--json").out)
    assert (as_json["site"], len(as_json["differences"])) == ("differs", 3)
    versions = [line._replace(entered=line.id != 2) if isinstance(line, dump.Version) else line for line in LINES]
    left = json.loads(arena("table", written(dumped(versions)), "--json").out)
    assert left["differences"][-1] == "Ладья v2: in the site's table, and not entered"


def test_the_last_digit_of_a_rating_may_differ_and_ratings_may_be_missing(arena: Arena, written: Write) -> None:
    near = [line._replace(elo=line.elo + 1e-6) if isinstance(line, dump.Row) and line.elo else line for line in LINES]
    assert arena("table", written(dumped(near)), "--check").out == EQUAL
    unrated = [line._replace(elo=None, elo_error=None) if isinstance(line, dump.Row) else line for line in LINES]
    ran = arena("table", written(dumped(unrated)), "--check")
    assert (ran.status, ran.out) == (0, EQUAL.replace("digit\n", "digit; it has no ratings\n"))


@pytest.mark.parametrize(
    ("header", "words"),
    [
        ({"revision": 9}, "the site's table is of revision 7, the results of 9: take the dump again once no matches"),
        ({"table_revision": None, "computed_at": None}, "the site had not made a table yet: take the dump again"),
    ],
)
def test_a_table_of_other_results_is_not_compared(
    arena: Arena, written: Write, header: dict[str, object], words: str
) -> None:
    path = written(dumped(LINES, **header))
    ran = arena("table", path, "--check")
    assert (ran.status, words in ran.out) == (1, True)
    assert json.loads(arena("table", path, "--json").out)["site"] == "behind"


@pytest.mark.parametrize(
    ("content", "words"),
    [
        (dumped(LINES)[:-100], "line 11: cut off: expected the line to end with a line feed"),
        (gzip.compress(dumped(LINES))[:-20], "Compressed file ended before the end-of-stream marker was reached"),
        (b"\x1f\x8bnonsense that is no gzip", ""),
        (b"", "cut off after 0 lines"),
        (b"a table\n", "line 1: expected a JSON object"),
    ],
    ids=["cut", "cut gzip", "no gzip", "empty", "text"],
)
def test_a_file_that_is_no_whole_dump_is_refused(arena: Arena, written: Write, content: bytes, words: str) -> None:
    path = written(content)
    ran = arena("table", path)
    assert ran.status == 2
    assert one_line(ran).startswith(f"arena: {path}: {words}")


def test_a_file_that_is_not_there_is_named(arena: Arena, tmp_path: Path) -> None:
    ran = arena("table", tmp_path / "none.jsonl")
    assert (ran.status, one_line(ran)) == (2, f"arena: {tmp_path / 'none.jsonl'}: there is no such file")
    assert one_line(arena("table", tmp_path)) == f"arena: {tmp_path}: Is a directory"
