from __future__ import annotations

import time

import pytest

from league.bots import changes
from league.bots.changes import Line, TooLong, between


def test_changed_lines_come_with_three_around_them() -> None:
    before = "".join(f"line {number}\n" for number in range(1, 21))
    after = before.replace("line 10\n", "line ten\nand more\n")
    found = between(before, after)
    assert (found.gone, found.new, found.cut) == (1, 2, False)
    assert [line.before for line in found.lines if line.kind == "same"] == [7, 8, 9, 11, 12, 13]
    assert found.lines[3:6] == [
        Line("gone", 10, None, "line 10"),
        Line("new", None, 10, "line ten"),
        Line("new", None, 11, "and more"),
    ]


def test_places_far_apart_have_a_gap_between_them() -> None:
    before = "".join(f"line {number}\n" for number in range(1, 41))
    found = between(before, before.replace("line 5\n", "").replace("line 35\n", ""))
    assert [line.kind for line in found.lines].count("gap") == 1


def test_line_ends_alone_are_no_change() -> None:
    assert between("a\r\nb\r\n", "a\nb\n").lines == []


def test_long_lines_and_many_of_them_are_cut(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(changes, "MOST_ROWS", 5)
    found = between("", "x" * 10_000 + "\ny" * 9)
    assert (len(found.lines), found.cut) == (5, True)
    assert len(found.lines[0].text) == changes.MOST_CHARS + 1


def test_files_too_long_to_compare_are_refused() -> None:
    with pytest.raises(TooLong):
        between("a\n", "\n" * (changes.MOST_LINES + 1))


def test_files_made_to_compare_slowly_are_given_up_in_time(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(changes, "BUDGET_S", 0.05)
    before = "".join(f"{number % 100}\n" for number in range(4_900))
    after = "".join(f"{number * 37 % 100}\n{number}x\n" for number in range(2_450))
    begun = time.process_time()
    with pytest.raises(TooLong):
        between(before, after)
    assert time.process_time() - begun < 5
