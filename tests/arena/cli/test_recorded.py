import json
from collections.abc import Callable
from pathlib import Path

import pytest
from bots import Longest, Random1, local_match
from terminal import Ran, one_line

from arena import notation
from arena.cli import recorded
from arena.replay import as_dict
from arena.ruleset import Ruleset

RECORD = local_match(Random1, Longest, Ruleset(games=1))
TEXT = notation.write(RECORD)
PLAIN = as_dict(RECORD)


def altered(**changes: object) -> str:
    return json.dumps({**PLAIN, **changes})


def test_a_record_is_read_as_json_with_the_names_and_as_text_without(tmp_path: Path) -> None:
    path = tmp_path / "match"
    path.write_text(altered(bots=["mine", "counting"], match=12, points=list(RECORD.points)))
    assert recorded.read(path) == (RECORD, ("mine", "counting"))
    path.write_text(TEXT)
    assert recorded.read(path) == (RECORD, ("A", "B"))


LAST = TEXT.splitlines()[-1]
BAD = {
    "empty": ("", "the record lacks 'format'"),
    "program": ("class Bot: pass\n", "line 1: expected [Game 1 ...] before the first action, got 'class Bot: pass'"),
    "binary": ("\x7fELF\udcff", "not a record: expected JSON or text, as the site serves it"),
    "cut JSON": (altered()[:500], "not a whole record: "),
    "cut text": (TEXT[: len(TEXT) // 2].rpartition("\n")[0], "game 1: breaks off after "),
    "later format": (altered(format=2), "expected a record of format 1, got 2"),
    "later engine": (altered(engine="9"), "expected a record of engine 1, got '9'"),
    "other seed": (altered(seed=1), "game 1"),
    "seed of text": (altered(seed="8"), "expected an integer from 0 to "),
    "long number": (altered()[:-1] + ', "more": ' + "9" * 5000 + "}", "Exceeds the limit"),
    "other points": (
        altered(games=[{**PLAIN["games"][0], "points": [99, 0]}]),
        "game 1: (dealer, points, rounds) are ",
    ),
    "other winner": (altered(outcome={**PLAIN["outcome"], "winner": None}), "the winner is seat "),
    "illegal": (TEXT.replace(" pass\n", " 2C 2D 2H 2S\n", 1), "line 13: lay 2C 2D 2H 2S on "),
    "no card": (TEXT.replace(" pass\n", " 1C\n", 1), "line 13: expected a card as rank "),
    "after the end": (f"{TEXT}{LAST}\n", f"line {TEXT.count(chr(10)) + 1}: the game is over, got {LAST!r}"),
    "deep text": ("[" * 100_000, "line 1: expected [Game 1 ...] before the first action"),
    "deep JSON": ('{"a":' * 100_000, "not a record: it is nested too deep"),
}


@pytest.mark.parametrize(("content", "complaint"), BAD.values(), ids=BAD)
def test_what_is_no_record_is_refused_in_one_line(
    arena: Callable[..., Ran], tmp_path: Path, content: str, complaint: str
) -> None:
    path = tmp_path / "match.json"
    path.write_bytes(content.encode(errors="surrogateescape"))
    ran = arena("replay", path)
    assert ran.status == 2
    assert one_line(ran).startswith(f"arena: {path}: {complaint}")


@pytest.mark.parametrize("command", [["replay"], ["rerun", "passer", "--seat", "A"]], ids=lambda words: words[0])
def test_a_file_that_is_not_there_is_named(arena: Callable[..., Ran], tmp_path: Path, command: list[str]) -> None:
    ran = arena(command[0], tmp_path / "none", *command[1:])
    assert ran.status == 2
    assert one_line(ran) == f"arena: {tmp_path}/none: there is no such file"


def test_a_folder_is_no_record(arena: Callable[..., Ran], tmp_path: Path) -> None:
    assert one_line(arena("replay", tmp_path)) == f"arena: {tmp_path}: Is a directory"
