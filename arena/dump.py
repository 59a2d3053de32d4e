"""A whole tournament as one text file: who plays, all results, and the table that the site made of them.

A dump is lines of UTF-8, each a JSON object without spaces: a header, versions of bots, disqualified bots, matches, the
table's rows, an end. The classes here are these lines, their fields in the order of the file, each with the rule that
holds for it; docs/dump.md says what they mean. The end counts the lines before it and has their SHA-256: a file without
it is not whole.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from datetime import UTC, datetime
from hashlib import sha256
from typing import Annotated, Any, BinaryIO, NamedTuple, Self, cast, get_type_hints

from arena import __version__
from arena.chance import SEED_BITS
from arena.outcome import SEATS, Termination
from arena.replay import VERSION
from arena.ruleset import CHOICES, Ruleset, TimeControl
from arena.standings import Decided, Result

FORMAT = "candidate-arena-dump"
FORMAT_VERSION = 1
MOST_LINE_BYTES = 64 * 1024
HASH = re.compile(r"[0-9a-f]{64}", re.ASCII)
MOMENT = re.compile(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}Z", re.ASCII)


class DumpError(ValueError):
    """A dump that is not whole, was changed, or is none; says in which line."""


class Rule(NamedTuple):
    """What holds for a value."""

    expected: str
    holds: Callable[[Any], bool]


def _whole(low: int, high: int = 2**63 - 1) -> Rule:
    return Rule(f"a whole number from {low} to {high}", lambda value: type(value) is int and low <= value <= high)


def _text(most: int, least: int = 0) -> Rule:
    return Rule(
        f"a text of {least} to {most} characters", lambda value: isinstance(value, str) and least <= len(value) <= most
    )


def _one_of(*choices: str) -> Rule:
    shown = ", ".join(repr(str(choice)) for choice in choices)
    return Rule(f"one of {shown}", lambda value: isinstance(value, str) and value in choices)


def _or_none(rule: Rule) -> Rule:
    return Rule(f"{rule.expected}, or null", lambda value: value is None or rule.holds(value))


def _matches(pattern: re.Pattern[str], expected: str) -> Rule:
    return Rule(expected, lambda value: isinstance(value, str) and pattern.fullmatch(value) is not None)


def _is_moment(value: Any) -> bool:
    if not isinstance(value, str) or not MOMENT.fullmatch(value):
        return False
    try:
        datetime.fromisoformat(value)
    except ValueError:
        return False
    return True


def _are_options(options: type[Ruleset | TimeControl]) -> Callable[[Any], bool]:
    def hold(value: Any) -> bool:
        try:
            return bool(options.from_dict(value).as_dict() == value)
        except ValueError:
            return False

    return hold


def _are_games(value: Any) -> bool:
    return (
        isinstance(value, list)
        and (not value or len(value) in CHOICES["games"])
        and all(isinstance(row, list) and len(row) == 4 and all(type(each) is int for each in row) for row in value)
        and all(row[0] in (0, 1) and min(row) >= 0 for row in value)
    )


ID = _whole(1)
COUNT = _whole(0)
NAME = _text(150, least=1)
SHA256 = _matches(HASH, "64 hexadecimal digits")
WHEN = Rule("a moment such as '2026-01-31T12:00:00.000000Z'", _is_moment)
FIGURE = Rule("a number with a decimal point", lambda value: type(value) is float and abs(value) < 1e15)
YES_OR_NO = Rule("true or false", lambda value: isinstance(value, bool))


class Header(NamedTuple):
    """The tournament."""

    format: Annotated[str, _one_of(FORMAT)]
    version: Annotated[int, _whole(FORMAT_VERSION, FORMAT_VERSION)]
    arena: Annotated[str, _matches(VERSION, "a version such as '0.1.0'")]
    engine: Annotated[str, _matches(VERSION, "an engine's version such as '1'")]
    slug: Annotated[str, _text(50, least=1)]
    name: Annotated[str, _text(80)]
    kind: Annotated[str, _one_of("ladder", "season")]
    legs: Annotated[int, _whole(1)]
    ruleset: Annotated[dict[str, Any], Rule("a ruleset", _are_options(Ruleset))]
    time_control: Annotated[dict[str, Any], Rule("a time control", _are_options(TimeControl))]
    created_at: Annotated[str, WHEN]
    opens_at: Annotated[str | None, _or_none(WHEN)]
    deadline_at: Annotated[str | None, _or_none(WHEN)]
    started_at: Annotated[str | None, _or_none(WHEN)]
    closed_at: Annotated[str | None, _or_none(WHEN)]
    holes: Annotated[int, COUNT]
    revision: Annotated[int, COUNT]
    table_revision: Annotated[int | None, _or_none(COUNT)]
    computed_at: Annotated[str | None, _or_none(WHEN)]

    @property
    def is_current(self) -> bool:
        """Whether the site's table was made from these very results."""
        return self.computed_at is not None and self.table_revision == self.revision


class Version(NamedTuple):
    """A version of a bot that is entered, was disqualified, has played, or is in the table."""

    id: Annotated[int, ID]
    bot: Annotated[int, ID]
    name: Annotated[str, NAME]
    author: Annotated[str, NAME]
    number: Annotated[int, ID]
    sha256: Annotated[str, SHA256]
    entered: Annotated[bool, YES_OR_NO]


class Disqualified(NamedTuple):
    """A bot that an organiser took out."""

    bot: Annotated[int, ID]
    name: Annotated[str, NAME]
    author: Annotated[str, NAME]
    version: Annotated[int | None, _or_none(ID)]
    reason: Annotated[str, _text(300)]
    at: Annotated[str, WHEN]


class Match(NamedTuple):
    """A played match."""

    id: Annotated[int, ID]
    a: Annotated[int, ID]
    b: Annotated[int, ID]
    leg: Annotated[int, ID]
    seed: Annotated[int, _whole(0, 2**SEED_BITS - 1)]
    outcome: Annotated[str, _one_of("A", "B", "draw", "none")]
    termination: Annotated[str, _one_of(*Termination)]
    forfeits: Annotated[str, _one_of("", "A", "B", "AB")]
    points_a: Annotated[int, COUNT]
    points_b: Annotated[int, COUNT]
    games: Annotated[list[list[int]], Rule("rows of a dealer, points of A and B, rounds", _are_games)]
    finished_at: Annotated[str, WHEN]
    replay: Annotated[str | None, _or_none(SHA256)]

    @property
    def result(self) -> Result:
        return Result(self.a, self.b, self.outcome, self.points_a, self.points_b, self.forfeits)


class Row(NamedTuple):
    """A row of the site's table."""

    version: Annotated[int, ID]
    rank: Annotated[int | None, _or_none(ID)]
    played: Annotated[int, COUNT]
    possible: Annotated[int, COUNT]
    won: Annotated[int, COUNT]
    drawn: Annotated[int, COUNT]
    lost: Annotated[int, COUNT]
    match_points: Annotated[int, COUNT]
    points_for: Annotated[int, COUNT]
    points_against: Annotated[int, COUNT]
    faults: Annotated[int, COUNT]
    sonneborn_berger: Annotated[float, FIGURE]
    decided: Annotated[str, _one_of("", *Decided)]
    elo: Annotated[float | None, _or_none(FIGURE)]
    elo_error: Annotated[float | None, _or_none(FIGURE)]


class End(NamedTuple):
    """What makes the dump whole."""

    versions: Annotated[int, COUNT]
    disqualified: Annotated[int, COUNT]
    matches: Annotated[int, COUNT]
    rows: Annotated[int, COUNT]
    sha256: Annotated[str, SHA256]


Line = Header | Version | Disqualified | Match | Row | End
KINDS: dict[str, type[Line]] = {
    "header": Header,
    "version": Version,
    "disqualified": Disqualified,
    "match": Match,
    "row": Row,
    "end": End,
}
"""The lines by the name that stands first in each, in the order of the file."""
NAMES = {kind: name for name, kind in KINDS.items()}
ORDER = list(KINDS.values())
RULES: dict[type[Line], dict[str, Rule]] = {
    kind: {name: hint.__metadata__[0] for name, hint in get_type_hints(kind, include_extras=True).items()}
    for kind in ORDER
}
_encode = json.JSONEncoder(ensure_ascii=False, allow_nan=False, separators=(",", ":")).encode


def moment(when: datetime) -> str:
    """An aware datetime as dumps write it: in UTC, with microseconds."""
    return when.astimezone(UTC).isoformat(timespec="microseconds").replace("+00:00", "Z")


def write(entries: Iterable[Line]) -> Iterator[bytes]:
    """The lines of a dump, of entries in the order of the file without an end, which is made here."""
    digest = sha256()
    counts = dict.fromkeys(ORDER, 0)
    for entry in entries:
        counts[type(entry)] += 1
        line = _line(entry)
        digest.update(line)
        yield line
    yield _line(_end(counts, digest.hexdigest()))


def read(file: BinaryIO) -> Iterator[Line]:
    """Each line of a dump as it is read, checked. The dump is whole, and to be trusted, once the end has come.

    Raises:
        DumpError: it is not whole, was changed, or is no dump of this format.
    """
    reader = _Reader()
    while raw := file.readline(MOST_LINE_BYTES + 1):
        yield reader.take(raw)
    reader.close()


@dataclass(slots=True)
class Dump:
    """A whole dump in memory, without what is only to be looked up: games, seeds and replays."""

    header: Header
    versions: dict[int, Version] = field(default_factory=dict)
    disqualified: list[Disqualified] = field(default_factory=list)
    results: list[Result] = field(default_factory=list)
    rows: list[Row] = field(default_factory=list)

    @property
    def entrants(self) -> list[int]:
        """Numbers of the versions that are entered, in order."""
        return [version.id for version in self.versions.values() if version.entered]

    def called(self, version: int) -> str:
        """That version as people name it: `Bishop v3`."""
        known = self.versions[version]
        return f"{known.name} v{known.number}"

    @classmethod
    def load(cls, file: BinaryIO) -> Self:
        """The dump of that file, when all of it is read and found whole.

        Raises:
            DumpError: as `read` does.
        """
        lines = read(file)
        loaded = cls(cast(Header, next(lines)))
        for line in lines:
            match line:
                case Version():
                    loaded.versions[line.id] = line
                case Disqualified():
                    loaded.disqualified.append(line)
                case Match():
                    loaded.results.append(line.result)
                case Row():
                    loaded.rows.append(line)
        return loaded


class _Reader:
    """Takes one line after the other, and knows what came before."""

    def __init__(self) -> None:
        self._number = 0
        self._digest = sha256()
        self._counts = dict.fromkeys(ORDER, 0)
        self._last: Line | None = None
        self._versions: set[int] = set()
        self._rows: set[int] = set()

    def take(self, raw: bytes) -> Line:
        self._number += 1
        if isinstance(self._last, End):
            raise self._error("expected nothing after the end, got another line: take the dump again")
        line = self._parsed(raw)
        self._check_place(line)
        if isinstance(line, End):
            self._check_end(line)
        else:
            self._digest.update(raw)
            self._counts[type(line)] += 1
        self._last = line
        return line

    def close(self) -> None:
        if not isinstance(self._last, End):
            raise DumpError(f"cut off after {self._number} lines: expected a last line 'end'; take the dump again")

    def _error(self, words: str) -> DumpError:
        return DumpError(f"line {self._number}: {words}")

    def _parsed(self, raw: bytes) -> Line:
        if len(raw) > MOST_LINE_BYTES:
            raise self._error(f"expected at most {MOST_LINE_BYTES} bytes: this is no dump, or it was changed")
        if not raw.endswith(b"\n"):
            raise self._error("cut off: expected the line to end with a line feed; take the dump again")
        try:
            plain = json.loads(raw.decode())
        except (ValueError, RecursionError):
            raise self._error(f"expected a JSON object, got {raw[:60]!r}: this is no dump, or it was changed") from None
        kind = self._kind(plain)
        for name, rule in RULES[kind].items():
            if name not in plain:
                raise self._error(f"{NAMES[kind]}: expected a field {name!r}")
            if not rule.holds(plain[name]):
                raise self._error(f"{NAMES[kind]}: {name}: expected {rule.expected}, got {plain[name]!r:.60}")
        for name in plain:
            if name != "line" and name not in RULES[kind]:
                raise self._error(f"{NAMES[kind]}: unknown field {name!r:.40}")
        line = kind(*(plain[name] for name in RULES[kind]))
        if _line(line) != raw:
            raise self._error(f"{NAMES[kind]}: expected {_line(line)[:200]!r}, got other spaces, order or signs")
        return line

    def _kind(self, plain: Any) -> type[Line]:
        """The kind of the line; a header tells first whether this arena can read the rest."""
        if not isinstance(plain, dict) or plain.get("line") not in list(KINDS):
            raise self._error(f"expected an object with a 'line' of {', '.join(KINDS)}, got {plain!r:.60}")
        kind = KINDS[plain["line"]]
        version = plain.get("version")
        if kind is Header and type(version) is int and version > FORMAT_VERSION and plain.get("format") == FORMAT:
            made_by = plain.get("arena")
            raise self._error(
                f"the dump has format {version}, and arena {__version__} reads format {FORMAT_VERSION}: "
                f"use arena {made_by!s:.40}, which made it, or a newer one"
            )
        return kind

    def _check_place(self, line: Line) -> None:
        last = self._last
        if (last is None) != isinstance(line, Header):
            raise self._error(f"expected {'a header first' if last is None else 'one header'}, got {NAMES[type(line)]}")
        if last is not None and ORDER.index(type(line)) < ORDER.index(type(last)):
            raise self._error(f"expected no {NAMES[type(line)]} after a {NAMES[type(last)]}")
        if last is not None and type(line) is type(last) and not _key(last) < _key(line):
            raise self._error(f"expected it to come before the {NAMES[type(line)]} of the line above, or only once")
        match line:
            case Version():
                self._versions.add(line.id)
            case Match():
                self._check_match(line)
            case Row():
                self._check_row(line)

    def _check_match(self, match: Match) -> None:
        for version in (match.a, match.b):
            if version not in self._versions:
                raise self._error(f"match {match.id}: expected a version of the lines above, got {version}")
        if match.a == match.b or (match.leg == 1 and match.a > match.b):
            raise self._error(f"match {match.id}: expected a below b in leg 1, got {match.a} and {match.b}")
        if (match.termination == Termination.COMPLETED) == bool(match.forfeits):
            forfeits = match.forfeits or "nobody"
            raise self._error(f"match {match.id}: {match.termination!r} does not go with a forfeit of {forfeits}")
        if match.outcome != _outcome(match):
            raise self._error(f"match {match.id}: expected the outcome {_outcome(match)!r}, got {match.outcome!r}")
        scored = tuple(sum(row[seat] for row in match.games) for seat in (1, 2))
        if not match.forfeits and scored != (match.points_a, match.points_b):
            told = match.points_a, match.points_b
            raise self._error(f"match {match.id}: expected the points of its games, {scored}, got {told}")

    def _check_row(self, row: Row) -> None:
        if row.version not in self._versions:
            raise self._error(f"row: expected a version of the lines above, got {row.version}")
        if row.version in self._rows:
            raise self._error(f"row: version {row.version} has another row")
        self._rows.add(row.version)

    def _check_end(self, end: End) -> None:
        found = _end(self._counts, self._digest.hexdigest())
        for name, expected, got in zip(End._fields, found, end, strict=True):
            if expected != got:
                raise self._error(
                    f"end: {name}: the lines before it have {expected}, it says {got}: the dump was changed, "
                    "take it again"
                )


def _line(entry: Line) -> bytes:
    return (_encode({"line": NAMES[type(entry)], **entry._asdict()}) + "\n").encode("utf-8", "surrogatepass")


def _end(counts: dict[type[Line], int], digest: str) -> End:
    return End(counts[Version], counts[Disqualified], counts[Match], counts[Row], digest)


def _key(line: Line) -> tuple[Any, ...]:
    """What lines of one kind are ordered by; the same one twice is out of order."""
    match line:
        case Version() | Match():
            return (line.id,)
        case Disqualified():
            return (line.bot,)
        case Row():
            return (line.rank is None, line.rank or 0, line.version)
    return ()


def _outcome(match: Match) -> str:
    """What follows from forfeits and points."""
    if len(match.forfeits) == 2:
        return "none"
    if match.forfeits:
        return SEATS[1 - SEATS.index(match.forfeits)]
    if match.points_a == match.points_b:
        return "draw"
    return "A" if match.points_a > match.points_b else "B"
