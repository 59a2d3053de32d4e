import json
import os
import pty
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest
from bots import Longest, Random1, local_match
from terminal import Ran, one_line

from arena import SUITS, notation, text
from arena.outcome import SEATS
from arena.replay import as_dict, positions
from arena.ruleset import Ruleset
from arena.steps import steps

GOLDEN = Path(__file__).parents[1] / "golden_format_1.txt"
"""One game: B leads with 86 points to 54 in the end."""


class Raises(Longest):
    def game_end(self, observation: object) -> None:
        raise ValueError("no \x1b[31m idea")


@pytest.fixture
def forfeited(tmp_path: Path) -> Path:
    """A match of which B breaks at the end of game 1."""
    path = tmp_path / "match.json"
    record = local_match(Longest, Raises, Ruleset(games=2))
    path.write_text(json.dumps({"bots": ["mine", "\x1b[2Jyours"], **as_dict(record)}))
    return path


def test_a_game_is_printed_with_a_line_for_each_action(arena: Callable[..., Ran]) -> None:
    ran = arena("replay", GOLDEN)
    assert (ran.status, ran.err) == (0, "")
    head, empty, titles, before, *lines = ran.out.splitlines()
    assert (head, empty) == ("A - B, game 1 of 1", "")
    assert titles.split()[:4] == ["move", "decision", "ms", "what"]
    assert "C13 D13 H13 S13" in before
    actions = GOLDEN.read_text().partition("[Game")[2].splitlines()[1:]
    assert len(lines) == len(actions) > 100
    for number, (line, action) in enumerate(zip(lines, actions, strict=True), 1):
        seat, what, *_ = action.split()
        assert line.split()[0] == str(number)
        assert f" {seat} {what}" in line or (what not in ("deal", "turn", "draw", "pass") and f" {what}" in line)
    assert lines[-1].split()[-2:] == ["54", "86"]
    assert "\x1b" not in ran.out


def test_hands_lobby_and_piles_are_those_of_the_game(arena: Callable[..., Ran]) -> None:
    lines = arena("replay", GOLDEN).out.splitlines()[3:]
    shown = iter(lines)
    for state, _, _ in positions(notation.read(GOLDEN.read_text()), 1):
        cards = " ".join(filter(None, map(text, (*state.hands, state.lobby))))
        piles = " ".join(f"{suit}{len(pile)}" for suit, pile in zip(SUITS, state.piles, strict=True))
        a, b = state.scores
        assert " ".join(next(shown).split()).endswith(" ".join(filter(None, (cards, piles, f"{a} {b}"))))


@pytest.mark.parametrize("see", SEATS)
def test_what_one_seat_sees_has_no_card_of_the_other(arena: Callable[..., Ran], see: str) -> None:
    seat = SEATS.index(see)
    everything = steps(notation.read(GOLDEN.read_text()), 1)
    shown = json.loads(arena("replay", GOLDEN, "--see", see, "--json").out)["steps"]
    for step, seen_step in zip(everything, shown, strict=True):
        assert seen_step["hands"][seat] == [card.text for card in step.hands[seat]]
        assert seen_step["hands"][1 - seat] == [f"?{card.suit}" for card in step.hands[1 - seat]]
        if step.phase.name == "DRAW" and step.seat != seat:
            assert step.cards[0].text not in seen_step["text"]
            assert seen_step["cards"] == [f"?{step.cards[0].suit}"]
    deal = everything[1]
    known = {card.text for card in deal.hands[seat]}
    assert {card for card in shown[1]["cards"] if "?" not in card} == known


def test_json_names_each_decision_as_reasons_do(arena: Callable[..., Ran]) -> None:
    ran = arena("replay", GOLDEN, "--json")
    found = json.loads(ran.out)
    decisions = [step["decision"] for step in found["steps"] if step["decision"]]
    assert decisions == list(range(1, len(notation.read(GOLDEN.read_text()).games[0].actions) + 1))
    assert (found["points"], found["seed"], found["fault"]) == ([54, 86], 11, None)


def test_one_move_is_shown_as_the_table_after_it(arena: Callable[..., Ran]) -> None:
    ran = arena("replay", GOLDEN, "--move", "3")
    assert ran.status == 0
    assert "game 1 of 1 · round 1 · move 3 of " in ran.out
    assert "3  B lays 2D" in ran.out
    lobby = next(line for line in ran.out.splitlines() if "lobby" in line)
    turned = steps(notation.read(GOLDEN.read_text()), 1)[2].lobby[0]
    assert lobby.split()[2:4] == [turned.text, "2D"]
    assert [step["number"] for step in json.loads(arena("replay", GOLDEN, "--move", "3", "--json").out)["steps"]] == [3]


def test_a_forfeited_match_ends_with_its_reason(arena: Callable[..., Ran], forfeited: Path) -> None:
    reason = "B \\x1b[2Jyours forfeits the match: game 1, decision "
    for arguments in ([], ["--move", "0"]):
        out = arena("replay", forfeited, *arguments).out
        assert (reason in out) == (not arguments)
        assert "\x1b" not in out, "a record must not drive the terminal"
    assert "ValueError: no \\x1b[31m idea" in arena("replay", forfeited).out


@pytest.mark.parametrize(
    ("arguments", "complaint"),
    [
        (["--game", "2"], "--game: expected 1 to 1 in this match, got 2"),
        (["--game", "0"], "--game: expected 1 to 1 in this match, got 0"),
        (["--move", "-1"], "--move: expected 0 to 1"),
    ],
)
def test_a_game_or_move_that_is_not_there_is_refused(
    arena: Callable[..., Ran], arguments: list[str], complaint: str
) -> None:
    ran = arena("replay", GOLDEN, *arguments)
    assert ran.status == 2
    assert one_line(ran).startswith(f"arena: {complaint}")


def test_a_match_without_a_game_says_why(arena: Callable[..., Ran], tmp_path: Path) -> None:
    class Broken:
        pass

    path = tmp_path / "match.txt"
    path.write_text(notation.write(local_match(Broken, Random1)))
    complaint = one_line(arena("replay", path))
    assert complaint.startswith(f"arena: {path}: no game was begun: A forfeits the match: at load: NoBot")


def test_keys_lead_through_the_match() -> None:
    ours, theirs = pty.openpty()
    command = [sys.executable, "-m", "arena.cli", "replay", str(GOLDEN)]
    environment = {**os.environ, "TERM": "xterm", "COLUMNS": "80", "LINES": "30"}
    with subprocess.Popen(command, stdin=theirs, stdout=theirs, stderr=theirs, env=environment) as ran:
        os.close(theirs)
        for awaited, key in (
            ("move 0 of", b"n"),
            ("move 1 of", b"\x1b[C\x1b[C"),
            ("move 3 of", b"p"),
            ("round 1 · move 2 of", b"r"),
            ("round 2 · move ", b"R"),
            ("round 1 · move 2 of", b"g"),
            ("move 2 of", b"q"),
        ):
            read_until(ours, awaited)
            os.write(ours, key)
        read_until(ours, "\x1b[?1049l")
    os.close(ours)
    assert ran.returncode == 0


def read_until(terminal: int, awaited: str) -> None:
    shown = b""
    while awaited.encode() not in shown:
        shown += os.read(terminal, 1 << 16)
