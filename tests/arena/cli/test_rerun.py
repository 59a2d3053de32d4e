import io
import json
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from bots import Longest, local_match
from terminal import Ran, one_line

from arena import bots, notation, text
from arena.bots.counting import Bot as Counting
from arena.bots.points import Bot as Points
from arena.moment import observed
from arena.replay import Record, positions
from arena.ruleset import Ruleset

RAISES = """
class Bot:
    asked = 0

    def play(self, observation):
        self.asked += 1
        if self.asked == 20:
            raise ValueError("no idea")
        return max(observation.legal_plays, key=len)
"""
HOOKS = """
class Bot:
    def match_start(self, seat, ruleset, time_control):
        print("match", seat, ruleset.games, time_control.bank_s)

    def game_start(self, observation):
        print("game", observation.game, observation.match_scores, observation.history)

    def game_end(self, observation):
        print("ended", observation.over, observation.score, observation.opponent_score)

    def match_end(self, points, opponent_points):
        print("match ended", points, opponent_points)

    def play(self, observation):
        return observation.legal_plays[0]
"""
RECORD = local_match(Points, Counting, Ruleset(games=2))


@pytest.fixture
def file(tmp_path: Path) -> Callable[[Record], Path]:
    def write(record: Record) -> Path:
        path = tmp_path / "match.txt"
        path.write_text(notation.write(record))
        return path

    return write


@pytest.fixture
def broken(file: Callable[[Record], Path], bot: Callable[[str], Path]) -> tuple[Path, Path, Record]:
    """A match in which A raised at its 20th play, the bot, and the record."""
    namespace: dict[str, Any] = {}
    exec(RAISES, namespace)
    record = local_match(namespace["Bot"], Longest, Ruleset(games=2))
    assert record.outcome.reason.endswith("ValueError: no idea")
    return file(record), bot(RAISES), record


def place(record: Record) -> str:
    """Where that match broke off, as --stop-at takes it."""
    return f"{len(record.games)}.{len(record.games[-1].actions) + 1}"


def decisions_of(record: Record, seat: int) -> list[tuple[int, int, str]]:
    return [
        (number, decision + 1, state.action_text(action))
        for number in range(1, len(record.games) + 1)
        for state, action, decision in positions(record, number)
        if decision is not None and state.to_move == seat
    ]


@pytest.mark.parametrize(("seat", "name"), [("A", "points"), ("B", "counting")])
def test_the_bot_of_the_match_decides_as_it_did(
    arena: Callable[..., Ran], file: Callable[[Record], Path], seat: str, name: str
) -> None:
    ran = arena("rerun", file(RECORD), name, "--seat", seat)
    count = len(decisions_of(RECORD, "AB".index(seat)))
    assert (ran.status, ran.err) == (0, "")
    told, slowest = ran.out.splitlines()
    assert told == f"{count} decisions, none otherwise than recorded"
    assert re.fullmatch(r"slowest decision: \d+\.\d ms CPU, at game [12], decision \d+", slowest)


def test_another_bot_is_asked_the_same_and_the_record_is_followed(
    arena: Callable[..., Ran], file: Callable[[Record], Path]
) -> None:
    ran = arena("rerun", file(RECORD), "passer", "--seat", "A", "--json")
    assert (ran.status, ran.err) == (0, "")
    found = json.loads(ran.out)
    decisions = found["decisions"]
    assert [(each["game"], each["decision"], each["recorded"]) for each in decisions] == decisions_of(RECORD, 0)
    assert {each["now"] for each in decisions if each["call"] == "play" and each["lobby"]} == {"pass"}
    assert found["differ"] == sum(each["now"] != each["recorded"] for each in decisions)
    assert all(each["legal"] for each in decisions)
    lines = arena("rerun", file(RECORD), "passer", "--seat", "A").out.splitlines()
    assert lines[-2] == f"{len(decisions)} decisions, {found['differ']} otherwise than recorded"
    assert len(lines) == found["differ"] + 4


def test_hooks_are_called_as_in_the_match_and_what_a_bot_prints_is_kept_apart(
    arena: Callable[..., Ran], file: Callable[[Record], Path], bot: Callable[[str], Path]
) -> None:
    ran = arena("rerun", file(RECORD), bot(HOOKS), "--seat", "B", "--json")
    assert ran.status == 0
    (a1, b1), (a2, b2) = (game.points for game in RECORD.games)
    assert ran.err.splitlines() == [
        "match 1 2 30.0",
        "game 1 (0, 0) []",
        f"ended True {b1} {a1}",
        f"game 2 ({a1}, {b1}) []",
        f"ended True {b2} {a2}",
        f"match ended {b1 + b2} {a1 + a2}",
    ]
    assert json.loads(ran.out)["failed"] is None


def test_a_bot_that_raises_is_shown_with_the_place_and_its_traceback(
    arena: Callable[..., Ran], broken: tuple[Path, Path, Record]
) -> None:
    path, mine, record = broken
    ran = arena("rerun", path, mine, "--seat", "A")
    assert (ran.status, ran.err) == (1, "")
    assert f"mine failed: {record.outcome.reason}\n" in ran.out
    assert 'File "bot.py", line 8, in play\n' in ran.out
    seen = observed(record, 0)
    assert seen
    assert f"  hand    {text(seen.hand)}\n" in ran.out
    failed = json.loads(arena("rerun", path, mine, "--seat", "A", "--json").out)["failed"]
    assert f"{failed['where']}: {failed['reason']}" == record.outcome.reason


def test_it_stops_where_the_match_broke_off_and_shows_what_the_bot_saw(
    arena: Callable[..., Ran], broken: tuple[Path, Path, Record]
) -> None:
    path, mine, record = broken
    ran = arena("rerun", path, mine, "--seat", "A", "--stop-at", place(record), "--json")
    assert ran.status == 0, "the bot was not asked there"
    found = json.loads(ran.out)
    assert (found["failed"], found["differ"]) == (None, 0)
    stopped, seen = found["stopped"], observed(record, 0)
    assert seen
    assert (stopped["hand"], stopped["lobby"]) == (text(seen.hand), text(seen.lobby))
    assert stopped["legal_plays"] == [text(cards) for cards in seen.legal_plays]
    assert stopped["piles"] == seen.piles


def test_a_bot_that_was_mended_goes_on_where_the_match_broke_off(
    arena: Callable[..., Ran], broken: tuple[Path, Path, Record], bot: Callable[..., Path]
) -> None:
    path, _, record = broken
    mended = bot(RAISES.replace('raise ValueError("no idea")', "return []"), "mended.py")
    ran = arena("rerun", path, mended, "--seat", "A")
    assert ran.status == 0
    game, _, decision = place(record).partition(".")
    row = ran.out.splitlines()[1].split()
    assert (row[:2], row[-2:]) == ([game, decision], ["nothing", "pass"])


def test_the_debugger_is_entered_in_the_bots_method(
    arena: Callable[..., Ran], broken: tuple[Path, Path, Record], monkeypatch: pytest.MonkeyPatch
) -> None:
    path, mine, record = broken
    monkeypatch.setattr("sys.stdin", io.StringIO("p observation.hand\np self.asked\nquit\n"))
    ran = arena("rerun", path, mine, "--seat", "A", "--stop-at", place(record), "--debug")
    seen = observed(record, 0)
    assert seen
    assert ran.status == 0, "whoever quits has seen enough"
    assert "play()\n-> self.asked += 1" in ran.out
    assert f"(Pdb) {seen.hand}\n(Pdb) 19\n" in ran.out
    monkeypatch.setattr("sys.stdin", io.StringIO("continue\n"))
    ran = arena("rerun", path, mine, "--seat", "A", "--stop-at", place(record), "--debug")
    assert ran.status == 1
    assert ran.out.endswith("ValueError: no idea\n")


def test_ctrl_c_shows_where_a_bot_hangs(
    arena: Callable[..., Ran], file: Callable[[Record], Path], bot: Callable[[str], Path]
) -> None:
    mine = bot(
        "import signal\nclass Bot:\n    def play(self, observation):\n        signal.raise_signal(signal.SIGINT)\n"
    )
    ran = arena("rerun", file(RECORD), mine, "--seat", "A")
    assert ran.status == 1
    assert re.search(r"^mine failed: game 1, decision \d+: KeyboardInterrupt$", ran.out, re.MULTILINE)
    assert 'File "bot.py", line 4, in play' in ran.out


def test_an_answer_that_the_rules_forbid_is_named(
    arena: Callable[..., Ran], file: Callable[[Record], Path], bot: Callable[[str], Path]
) -> None:
    mine = bot("class Bot:\n    def play(self, observation):\n        return ['2C', '\\x1b']\n")
    ran = arena("rerun", file(RECORD), mine, "--seat", "A")
    assert ran.status == 1
    assert "\\x1b 2C: not allowed" in ran.out
    assert "\x1b" not in ran.out


def test_a_bot_that_does_not_load_is_shown(
    arena: Callable[..., Ran], file: Callable[[Record], Path], bot: Callable[[str], Path]
) -> None:
    ran = arena("rerun", file(RECORD), bot("import nothing_such\n"), "--seat", "A")
    assert ran.status == 1
    assert "mine failed: at load: ModuleNotFoundError: No module named 'nothing_such'\n" in ran.out


def test_the_files_of_a_folder_are_found_and_forgotten(
    arena: Callable[..., Ran], file: Callable[[Record], Path], tmp_path: Path
) -> None:
    for name in ("first", "second"):
        folder = tmp_path / name
        folder.mkdir()
        (folder / "bot.py").write_text("from plan import Bot\n")
        (folder / "plan.py").write_bytes(bots.source("points") + f"\nprint({name!r})\n".encode())
        ran = arena("rerun", file(RECORD), folder, "--seat", "A")
        assert ran.status == 0
        assert ran.out.startswith(f"{name}\n")


@pytest.mark.parametrize(
    ("arguments", "complaint"),
    [
        (["--seat", "C"], "arena rerun: argument --seat: invalid choice: 'C'"),
        ([], "arena rerun: the following arguments are required: --seat"),
        (["--seat", "A", "--stop-at", "3"], "arena rerun: argument --stop-at: expected a game and a decision, such as"),
        (["--seat", "A", "--stop-at", "9.1"], "arena: --stop-at: expected a decision of A, near it "),
        (["--seat", "A", "--debug"], "arena: --debug: expected --stop-at with it, and no --json"),
    ],
)
def test_bad_usage_is_one_line(
    arena: Callable[..., Ran], file: Callable[[Record], Path], arguments: list[str], complaint: str
) -> None:
    ran = arena("rerun", file(RECORD), "passer", *arguments)
    assert ran.status == 2
    assert one_line(ran).startswith(complaint)


def test_a_place_of_the_other_seat_is_refused_with_the_nearest_own_ones(
    arena: Callable[..., Ran], file: Callable[[Record], Path]
) -> None:
    others = next((game, decision) for game, decision, _ in decisions_of(RECORD, 1) if decision > 20)
    own = {(game, decision) for game, decision, _ in decisions_of(RECORD, 0)}
    complaint = one_line(arena("rerun", file(RECORD), "points", "--seat", "A", "--stop-at", "{}.{}".format(*others)))
    named = complaint.partition("near it ")[2].partition(", got ")[0].split(", ")
    assert {tuple(map(int, each.split("."))) for each in named} <= own
    assert len(named) == 4
