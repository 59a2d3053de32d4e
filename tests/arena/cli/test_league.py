import contextlib
import json
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from terminal import Ran, one_line

from arena import bots
from arena.cli.boxes import Boxes
from arena.cli.crosstable import crosstable
from arena.cli.league import match_seed, ties
from arena.standings import Result, table

RAISES = "class Bot:\n    def play(self, observation):\n        raise ValueError('no\\x1b[31m idea')\n"


def results(matches: list[dict[str, Any]], names: list[str]) -> list[Result]:
    return [
        Result(
            *[names.index(name) for name in each["bots"]], each["outcome"], *each["points"], "".join(each["forfeits"])
        )
        for each in matches
    ]


def test_the_same_seed_gives_the_same_league_with_any_number_of_jobs(
    arena: Callable[..., Ran], bot: Callable[[str], Path]
) -> None:
    words = ["league", "random", bot(RAISES), "longest", "--games", "2", "--seed", "1", "--decks", "2"]
    ran = arena(*words, "--jobs", "2", "--json")
    assert (ran.status, ran.err) == (1, "")
    league = json.loads(ran.out)
    assert json.loads(arena(*words, "--jobs", "1", "--json").out) == league

    matches = league["matches"]
    names = ["random", "mine", "longest"]
    assert [each["bots"] for each in matches] == [["random", "mine"], ["random", "longest"], ["mine", "longest"]]
    assert (league["seed"], league["ruleset"]["decks"], league["ruleset"]["games"]) == (1, 2, 2)
    assert [each["seed"] for each in matches] == [match_seed(1, *each["bots"]) for each in matches]
    expected = table(results(matches, names), range(3))
    for row, shown in zip(expected, league["table"], strict=True):
        assert (shown["rank"], shown["bot"]) == (row.rank, names[row.entrant])
        assert (shown["won"], shown["drawn"], shown["lost"]) == (row.won, row.drawn, row.lost)
        assert (shown["match_points"], shown["faults"]) == (row.match_points, row.faults)
        assert (shown["sonneborn_berger"], shown["decided"]) == (row.sonneborn_berger, row.decided)
        assert shown["per_game"] == round(row.points_for / 4, 2), "two matches of two games"
    last = league["table"][-1]
    assert (last["bot"], last["lost"], last["points_for"], last["faults"]) == ("mine", 2, 0, 2)
    forfeit = matches[0]
    assert (forfeit["outcome"], forfeit["termination"], forfeit["forfeits"]) == ("A", "crash", ["B"])
    assert 'File "bot.py", line 3' in forfeit["tracebacks"][1]
    again = json.loads(
        arena(
            "play", *forfeit["bots"][:1], words[2], "--games", 2, "--decks", 2, "--seed", forfeit["seed"], "--json"
        ).out
    )
    assert (again["points"], again["outcome"]["reason"]) == (forfeit["points"], forfeit["reason"])


def test_the_table_and_who_forfeited_are_printed(arena: Callable[..., Ran], bot: Callable[[str], Path]) -> None:
    path = bot(RAISES)
    ran = arena("league", "longest", path, "passer", "--games", "1", "--seed", "3", "--jobs", "2")
    assert (ran.status, ran.err) == (1, "")
    lines = ran.out.splitlines()
    assert lines[0].split() == ["bot", "played", "W-D-L", "match", "pts", "for", "against", "per", "game", "faults"]
    rows = [line.split() for line in lines[1:4]]
    assert [row[:5] for row in rows] == [
        ["1", "longest", "2", "2-0-0", "4"],
        ["2", "passer", "2", "1-0-1", "2"],
        ["3", "mine", "2", "0-0-2", "0"],
    ]
    head_to_head = lines[lines.index("head to head") + 2 :][:4]
    assert head_to_head[0].split() == ["bot", "1", "2", "3"]
    assert head_to_head[3].split()[:2] == ["3", "mine"]
    assert [cell[-1] for cell in head_to_head[3].split()[2:]] == ["F", "F", "·"]
    assert "3 matches of 1 game, seed 3" in lines
    seed = match_seed(3, "mine", "passer")
    assert f"  arena play {path} passer --seed {seed} --games 1" in lines
    assert any(line.startswith("mine forfeited against passer: game 1, decision ") for line in lines)
    assert "\x1b" not in ran.out


def test_of_neighbours_that_are_tied_it_is_printed_what_puts_one_ahead() -> None:
    played = [
        *[Result(0, 1, "A", 30, 20, ""), Result(2, 3, "draw", 7, 7, ""), Result(2, 4, "draw", 9, 9, "")],
        *[Result(0, 3, "B", 10, 11, ""), Result(1, 5, "A", 50, 20, ""), Result(4, 6, "A", 8, 5, "")],
        *[Result(7, 8, "draw", 6, 6, "")],
    ]
    # match points: d 3, e 3, then a, b and c 2 each, h and i 1 each; d drew with c and beat a, e drew with c and beat g
    assert list(ties(table(played, range(9)), "abcdefghi")) == [
        "d is ahead of e by Sonneborn-Berger, 3 : 1",
        "c is ahead of a by Sonneborn-Berger, 3 : 2",
        "a is ahead of b by Sonneborn-Berger, 2 : 0",
        "h is level with i",
        "g is ahead of f by difference of points, -3 : -30",
    ]
    assert list(ties(table(played[:1], range(2)), "ab")) == []
    circle = [Result(0, 1, "A", 9, 0, ""), Result(1, 2, "A", 8, 0, ""), Result(0, 2, "B", 0, 1, "")]
    assert list(ties(table(circle, range(3)), "abc")) == [
        "a is ahead of b by difference of points, +8 : -1",
        "b is ahead of c by difference of points, -1 : -7",
    ]
    met = [Result(0, 1, "A", 9, 8, ""), Result(0, 2, "B", 1, 2, ""), Result(1, 2, "A", 90, 0, "")]
    met += [Result(each, 3, "A", 9, 0, "") for each in (0, 1)] + [Result(2, 3, "B", 0, 9, "")]
    assert list(ties(table(met, range(4)), "abcd")) == [
        "a is ahead of b by direct encounter",
        "d is ahead of c by direct encounter",
    ]


def test_a_pair_meets_with_cards_of_its_own_whoever_else_plays() -> None:
    pairs = [("passer", "longest"), ("longest", "passer"), ("passer", "points")]
    seeds = {match_seed(seed, *pair) for seed in (3, 4) for pair in pairs}
    assert len(seeds) == 6
    assert all(0 <= seed < 2**63 for seed in seeds)


def test_bots_of_the_same_name_go_by_their_paths(arena: Callable[..., Ran], tmp_path: Path) -> None:
    paths = []
    for folder in ("old", "new"):
        (tmp_path / folder).mkdir()
        paths.append(tmp_path / folder / "bot.py")
        paths[-1].write_bytes(bots.source("passer"))
    ran = arena("league", *paths, "--games", "1", "--json")
    assert ran.status == 0
    league = json.loads(ran.out)
    assert {row["bot"] for row in league["table"]} == {"old/bot.py", "new/bot.py"}
    assert [row["rank"] for row in league["table"]] in ([1, 2], [1, 1])


@pytest.mark.parametrize(
    ("arguments", "complaint"),
    [
        (["random"], "expected at least two bots, got 'random' alone; house bots are passer, random"),
        (["random", "passer", "random"], "random: named twice; to let a bot meet itself, give it a copy"),
        (["random", "passer", "--jobs", "0"], "--jobs: expected at least 1, got 0"),
        (["random", "nobody"], "nobody: neither a file nor a house bot"),
        (["random", "passer", "--games", "101"], "--games: expected 1 to 100, got 101"),
    ],
)
def test_a_league_that_can_not_be_is_refused(arena: Callable[..., Ran], arguments: list[str], complaint: str) -> None:
    ran = arena("league", *arguments)
    assert ran.status == 2
    assert one_line(ran).startswith(f"arena: {complaint}")


@contextlib.contextmanager
def opened_elsewhere(contestants: object, choice: str) -> Iterator[Boxes]:
    """As if a sandbox had answered when the league began."""
    yield Boxes((), "nothing")


def test_what_fails_in_a_worker_is_told_in_one_line(
    arena: Callable[..., Ran], monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setattr("arena.cli.league.opened", opened_elsewhere)
    monkeypatch.setenv("DOCKER_HOST", f"unix://{tmp_path}/none")
    ran = arena("league", "random", "passer", "--sandbox", "docker", "--jobs", "1")
    assert ran.status == 3
    assert one_line(ran).startswith("arena: no sandbox: no Docker engine answers")


def test_the_crosstable_has_each_match_from_both_sides_in_parts_of_the_width() -> None:
    played = [Result(0, 1, "A", 30, 20, ""), Result(0, 2, "draw", 7, 7, ""), Result(1, 2, "B", 0, 1200, "A")]
    rows = table(played, range(3))
    names = ["a", "b", "c"]
    assert [names[row.entrant] for row in rows] == ["c", "a", "b"]
    (whole,) = crosstable(played, rows, names, width=80)
    assert whole.head == ("", "bot", "1", "2", "3")
    assert [[str(cell).strip() for cell in row] for row in whole.rows] == [
        ["1", "c", "·", "+0", "+1200F"],
        ["2", "a", "+0", "·", "+10"],
        ["3", "b", "-1200F", "-10", "·"],
    ]
    parts = list(crosstable(played, rows, names, width=22))
    assert [part.head[2:] for part in parts] == [("1", "2"), ("3",)]
    assert [str(row[2]) for row in parts[1].rows] == ["+1200F", "+10 ", "·"]
