"""`arena table DUMP`: a tournament's table from its results alone, beside the one that the site made of them."""

from __future__ import annotations

import argparse
import contextlib
import gzip
import sys
import zlib
from collections.abc import Iterator, Mapping, Sequence
from io import BufferedReader
from pathlib import Path
from typing import TYPE_CHECKING, Any, BinaryIO, NamedTuple, cast

from arena import standings
from arena.cli import options, screen
from arena.cli.failure import DIFFERS, USAGE, Failure
from arena.cli.league import ties
from arena.dump import Dump, DumpError, Row

if TYPE_CHECKING:
    from arena.rating import Rating

EXAMPLES = """  arena table ladder.jsonl
  arena table season-1.jsonl.gz --check
  curl -s https://arena.example.org/leaderboard/ladder/dump | arena table - --json

The file is the download of a leaderboard's page. Nothing in it is taken on trust: it
has to be whole, each line is checked, and ranks and ratings are computed here.
"""
COLUMNS = tuple(name for name in Row._fields if name not in ("version", "elo", "elo_error"))
RATED = ("elo", "elo_error")
GZIP = b"\x1f\x8b"
"""How what gzip compressed begins."""
LAST_DIGIT = 2e-6
"""The sixth digit of a rating may differ between two machines; all other figures are exact."""
SHOWN = 20


def add_to(commands: options.Commands) -> None:
    about = "Compute a tournament's table from a dump of the site, and compare it with the site's."
    parser = options.add_command(commands, run, "table", about, EXAMPLES)
    parser.add_argument("file", metavar="DUMP", help="a dump, plain or compressed by gzip; - for standard input")
    form = parser.add_mutually_exclusive_group()
    form.add_argument("--json", action="store_true", help="print table and differences as JSON")
    form.add_argument("--check", action="store_true", help="print no table, only how the two compare")


class Found(NamedTuple):
    dump: Dump
    rows: Sequence[Row]
    """As the results give them."""
    computed: Sequence[standings.Row]
    ratings: Mapping[int, Rating]
    """Of those with a match that says something of their strength."""
    differences: Sequence[str]

    @property
    def site(self) -> str:
        """How the site's table compares: `equal`, `differs`, or `behind` where it is not of these results."""
        if not self.dump.header.is_current:
            return "behind"
        return "differs" if self.differences else "equal"


def run(parsed: argparse.Namespace) -> int:
    found = _found(_read(parsed.file))
    if parsed.json:
        screen.show_json(_as_dict(found))
    else:
        if not parsed.check:
            _show(found)
        _compare(found)
    return 0 if found.site == "equal" else DIFFERS


def _read(name: str) -> Dump:
    try:
        with _opened(name) as file:
            return Dump.load(file)
    except FileNotFoundError:
        raise Failure(f"{name}: there is no such file", USAGE) from None
    except (DumpError, EOFError, zlib.error, OSError, ValueError) as error:
        words = screen.printable(str(getattr(error, "strerror", None) or error))
        raise Failure(f"{name}: {words}", USAGE) from None


@contextlib.contextmanager
def _opened(name: str) -> Iterator[BinaryIO]:
    """That file, uncompressed if it is compressed."""
    with contextlib.ExitStack() as opened:
        file = cast(BufferedReader, sys.stdin.buffer) if name == "-" else opened.enter_context(Path(name).open("rb"))
        if file.peek(2).startswith(GZIP):
            yield cast(BinaryIO, opened.enter_context(gzip.GzipFile(fileobj=file)))
        else:
            yield file


def _found(dump: Dump) -> Found:
    from arena.rating import rate, told_of  # numpy takes its time to load, and no other command needs it

    entered = set(dump.entrants)
    counted = [result for result in dump.results if result.a in entered and result.b in entered]
    computed = standings.table(counted, entered, dump.header.legs)
    ratings = {rating.entrant: rating for rating in rate(counted, told_of(counted)).rows()}
    rows = [_row(row, ratings.get(row.entrant)) for row in computed]
    return Found(dump, rows, computed, ratings, list(_differences(dump, rows)))


def _row(row: standings.Row, rating: Rating | None) -> Row:
    figures = {name: getattr(row, name) for name in COLUMNS}
    figures["decided"] = row.decided or ""
    elo, error = (rating.elo, rating.error) if rating else (None, None)
    return Row(version=row.entrant, **figures, elo=elo, elo_error=error)


def _differences(dump: Dump, rows: Sequence[Row]) -> Iterator[str]:
    """What the site's table has otherwise, a line for each figure."""
    told = {row.version: row for row in dump.rows}
    columns = (*COLUMNS, *RATED) if _are_rated(dump.rows) else COLUMNS
    for row in rows:
        name = dump.called(row.version)
        if row.version not in told:
            yield f"{name}: not in the site's table"
            continue
        other = told[row.version]
        for column in columns:
            given, expected = getattr(other, column), getattr(row, column)
            if not _same(given, expected):
                yield f"{name}: {column}: {given!r} in the site's table, {expected!r} by its matches"
    for version in sorted(told.keys() - {row.version for row in rows}):
        yield f"{dump.called(version)}: in the site's table, and not entered"


def _same(given: Any, expected: Any) -> bool:
    if isinstance(given, float) and isinstance(expected, float):
        return abs(given - expected) <= LAST_DIGIT
    return bool(given == expected)


def _as_dict(found: Found) -> dict[str, Any]:
    dump = found.dump
    return {
        "tournament": dump.header._asdict(),
        "matches": len(dump.results),
        "site": found.site,
        "differences": found.differences,
        "table": [
            {
                "bot": dump.versions[row.version].name,
                "author": dump.versions[row.version].author,
                "number": dump.versions[row.version].number,
                **row._asdict(),
            }
            for row in found.rows
        ],
        "disqualified": [each._asdict() for each in dump.disqualified],
    }


def _show(found: Found) -> None:
    dump = found.dump
    names: Mapping[int, str] = {row.version: screen.printable(dump.called(row.version)) for row in found.rows}
    head = ("", "bot", "author", "played", "W-D-L", "match pts", "for", "against", "faults", "rating", "±")
    lines = [
        (
            row.rank or "-",
            names[row.version],
            screen.printable(dump.versions[row.version].author),
            f"{row.played}/{row.possible}",
            f"{row.won}-{row.drawn}-{row.lost}",
            row.match_points,
            row.points_for,
            row.points_against,
            row.faults,
            *_rating(found.ratings.get(row.version)),
        )
        for row in found.rows
    ]
    screen.say(f"{screen.printable(dump.header.name)}, revision {dump.header.revision}\n", "bold")
    screen.show_table(head, lines, left=(1, 2))
    for line in ties(found.computed, names):
        screen.say(line)
    for each in dump.disqualified:
        screen.say(screen.printable(f"{each.name} by {each.author} is disqualified: {each.reason}"))
    screen.say("")


def _rating(rating: Rating | None) -> tuple[str, str]:
    """The rating and how far its 95 % interval reaches to each side."""
    if rating is None:
        return "-", "-"
    low, high = rating.interval
    return f"{rating.elo:+.0f}", f"{(high - low) / 2:.0f}"


def _compare(found: Found) -> None:
    header = found.dump.header
    screen.say(f"{len(found.dump.results)} matches of {len(found.rows)} entered versions; the file is whole")
    match found.site:
        case "equal":
            rated = "" if _are_rated(found.dump.rows) else "; it has no ratings"
            screen.say(f"equal to the site's table, to the last digit{rated}", "green")
        case "behind" if header.computed_at is None:
            screen.say("the site had not made a table yet: take the dump again in a while", "bold yellow")
        case "behind":
            screen.say(
                f"the site's table is of revision {header.table_revision}, the results of {header.revision}: "
                "take the dump again once no matches are being played",
                "bold yellow",
            )
        case "differs":
            places = "place" if len(found.differences) == 1 else "places"
            screen.say(f"the site's table differs in {len(found.differences)} {places}:", "bold red")
            for line in found.differences[:SHOWN]:
                screen.say(f"  {screen.printable(line)}")
            if len(found.differences) > SHOWN:
                screen.say(f"  and {len(found.differences) - SHOWN} more; --json prints them all")


def _are_rated(rows: Sequence[Row]) -> bool:
    return any(row.elo is not None for row in rows)
