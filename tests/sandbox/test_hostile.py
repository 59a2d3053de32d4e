"""Attacks, one module each under hostile/, in both launchers. The fixture checks the box after each."""

from __future__ import annotations

import json
import os
import platform
from collections.abc import Callable
from hashlib import sha256
from pathlib import Path

import pytest

from arena import chance
from arena.cards import BY_TEXT
from arena.outcome import Outcome, Termination
from arena.replay import Record, positions
from arena.ruleset import TimeControl
from sandbox import Limits
from tests.sandbox.canaries import Canaries
from tests.sandbox.cases import CASES, Case
from tests.sandbox.harness import OUTPUT_CHARS, SHORT, Arena, Fight, in_time, write_bot

Enter = Callable[..., Arena]
ROW = 5


def lost(fight: Fight, termination: Termination, *words: str) -> None:
    """The hostile bot, and it alone, forfeits, for a reason that says these words in one line."""
    outcome = fight.outcome
    assert outcome == Outcome(1, termination, (0,), outcome.reason)
    assert "\n" not in outcome.reason
    assert outcome.reason.isprintable()
    for word in words:
        assert word in outcome.reason


def played_on(fight: Fight) -> None:
    """Nothing it tried worked, and it played its match to the end."""
    assert fight.outcome.termination is Termination.COMPLETED, fight.outcome
    assert "WORKED" not in fight.output


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.name)
def test_case(enter: Enter, case: Case) -> None:
    if case.machine not in ("", platform.machine()):
        pytest.skip(f"it is for {case.machine}")
    arena = enter(case.module, case.limits, case.way)
    fight = arena.fight(case.time_control)
    if case.ends is Termination.COMPLETED:
        played_on(fight)
    else:
        lost(fight, case.ends, case.words)
    assert "WORKED" not in fight.output
    assert fight.output.count(" refused") >= case.refused
    assert case.printed in fight.output
    assert len(fight.output) < OUTPUT_CHARS
    if case.ends is Termination.TIME and not case.slowly:
        assert in_time(fight.seconds, case.limit_s)


def test_busy_loop(enter: Enter) -> None:
    fight = enter("busy_loop").fight()
    lost(fight, Termination.TIME, "game 1", "0.3 s of CPU time")
    assert in_time(fight.seconds, SHORT.decision_s)


def test_sleep_forever(enter: Enter) -> None:
    fight = enter("sleep_forever").fight()
    lost(fight, Termination.TIME, "asleep")
    assert in_time(fight.seconds, SHORT.decision_s)
    assert fight.cpu_s < 0.2


def test_slow_drip(enter: Enter) -> None:
    fight = enter("slow_drip").fight()
    lost(fight, Termination.TIME)
    assert in_time(fight.seconds, SHORT.decision_s)


def test_import_loop(enter: Enter) -> None:
    fight = enter("import_loop").fight()
    lost(fight, Termination.TIME, "at load", "0.5 s of CPU time to load")
    assert in_time(fight.seconds, SHORT.load_s)


def test_import_raise(enter: Enter) -> None:
    fight = enter("import_raise").fight()
    lost(fight, Termination.CRASH, "at load", "ValueError: no weights")
    assert len(fight.outcome.reason) < 600


def test_syntax_error(enter: Enter) -> None:
    lost(enter("syntax_error").fight(), Termination.CRASH, "at load", "SyntaxError")


@pytest.mark.parametrize(
    ("way", "word"),
    [
        ("not held", "legal"),
        ("lower case", "no card"),
        ("padded", "no card"),
        ("no card", "'joker'"),
        ("the same card twice", "legal"),
        ("no pile", "no pile"),
    ],
)
def test_illegal_moves(enter: Enter, way: str, word: str) -> None:
    arena = enter("illegal_moves", way=way)
    lost(arena.fight(), Termination.ILLEGAL, "game 1, decision", word)


def test_garbage(enter: Enter) -> None:
    lost(enter("garbage").fight(), Termination.PROTOCOL, "can't be read")


def test_giant_line(enter: Enter) -> None:
    fight = enter("giant_line").fight()
    lost(fight, Termination.PROTOCOL, "longer than 65536 bytes")


def test_early_reply(enter: Enter) -> None:
    lost(enter("early_reply").fight(), Termination.PROTOCOL, "more than one answer")


def test_wrong_id(enter: Enter) -> None:
    lost(enter("wrong_id").fight(), Termination.PROTOCOL, "message 77")


def test_mem_bomb(enter: Enter) -> None:
    fight = enter("mem_bomb", Limits(memory_mib=64)).fight(TimeControl(2, 2, 5))
    lost(fight, Termination.MEMORY)
    assert 32 < fight.peak_mib < 64


def test_mem_bomb_that_holds_on(enter: Enter) -> None:
    fight = enter("mem_bomb_dogged", Limits(memory_mib=64)).fight(TimeControl(2, 5, 5))
    lost(fight, Termination.MEMORY)


def test_fork_bomb(enter: Enter) -> None:
    fight = enter("fork_bomb").fight()
    played_on(fight)
    assert fight.output.count("fork refused") == 20


def test_segfault(enter: Enter) -> None:
    lost(enter("segfault").fight(), Termination.CRASH, "SIGSEGV")


def test_exit_zero(enter: Enter) -> None:
    lost(enter("exit_zero").fight(), Termination.CRASH, "exit status 0")


def test_close_early(enter: Enter) -> None:
    fight = enter("close_early").fight()
    lost(fight, Termination.CRASH, "closed its connection")
    assert in_time(fight.seconds, SHORT.decision_s)


def test_pretend_out_of_reach(enter: Enter) -> None:
    fight = enter("pretend_out_of_reach").fight()
    lost(fight, Termination.TIME)
    assert "limit refused" in fight.output


def test_stdout_spam(enter: Enter) -> None:
    fight = enter("stdout_spam").fight()
    lost(fight, Termination.TIME)
    assert fight.output.startswith("the first line\nspam")
    assert "bytes left out" in fight.output
    assert len(fight.output) < OUTPUT_CHARS


def test_print_protocol(enter: Enter) -> None:
    fight = enter("print_protocol").fight()
    played_on(fight)
    assert '{"cards":["AS"],"id":1}' in fight.output


def test_write_everywhere(enter: Enter) -> None:
    arena = enter("write_everywhere")
    for _ in range(2):
        fight = arena.fight()
        played_on(fight)
        assert "left by an earlier match: []" in fight.output
    assert not list(arena.folder.glob("arena-canary*"))
    assert not Path("/tmp/arena-canary").exists()


def test_read_secrets(enter: Enter, tmp_path: Path) -> None:
    secret = tmp_path / "secret"
    secret.write_text("canary")
    other = write_bot(tmp_path / "other", "SECRET = 1").path / "bot.py"
    arena = enter("read_secrets")
    paths = [
        str(secret),
        str(tmp_path),
        str(other),
        str(Path(__file__)),
        os.__file__ + "/../x",
    ]
    (arena.folder / "canary.json").write_text(json.dumps({"paths": paths}))
    (arena.folder / "way_out").symlink_to(secret)
    fight = arena.fight()
    played_on(fight)
    assert "environment: []" in fight.output
    assert "descriptors: [0, 1, 2, 3, 4]" in fight.output
    assert "processes: []" in fight.output


def test_peek_memory(enter: Enter) -> None:
    arena = enter("peek_memory")
    arena.seed = 7_654_321_098_765_432_109
    known_by_its_hash = sha256(str(arena.seed).encode()).hexdigest()
    (arena.folder / "canary.json").write_text(json.dumps({"seed": known_by_its_hash}))
    fight = arena.fight(TimeControl(load_s=20.0, decision_s=20.0, bank_s=30.0))
    played_on(fight)
    for line in ("own number found: True", "own cards found: [True, True]", "seed not found"):
        assert fight.output.count(line) == 2
    assert str(arena.seed) not in fight.output
    hands, piles = hidden_cards(fight.record)
    for found in found_cards(fight.output):
        assert frozenset(found) not in hands
        assert not piles & rows(found)


def hidden_cards(record: Record) -> tuple[set[frozenset[int]], set[tuple[int, ...]]]:
    """All larger hands that B ever had, and all rows of cards in the piles, from either end."""
    hands = {frozenset(state.hands[1]) for state, _, _ in positions(record, 1) if len(state.hands[1]) >= ROW}
    piles = chance.piles(record.seed, 1, record.ruleset.decks)
    return hands, set().union(*(rows(tuple(pile[::way])) for pile in piles for way in (1, -1)))


def rows(cards: tuple[int, ...]) -> set[tuple[int, ...]]:
    """All that many cards that lie side by side. Fewer of them are found by chance: memory is full of small numbers."""
    return {cards[start : start + ROW] for start in range(len(cards) - ROW + 1)}


def found_cards(output: str) -> list[tuple[int, ...]]:
    lines = [line.removeprefix("cards: ") for line in output.splitlines() if line.startswith("cards: ")]
    return [
        tuple(int(BY_TEXT[each]) if isinstance(each, str) else each for each in row)
        for line in lines
        for row in json.loads(line)
    ]


def test_loopback_service(enter: Enter, canaries: Canaries) -> None:
    arena = enter("loopback_service")
    (arena.folder / "canary.json").write_text(json.dumps(canaries.addresses))
    fight = arena.fight()
    played_on(fight)
    assert "tcp refused" in fight.output
    assert canaries.touched() == []


def test_kill_all(enter: Enter) -> None:
    arena = enter("kill_all")
    (arena.folder / "canary.json").write_text(json.dumps({"worker": os.getpid()}))
    fight = arena.fight()
    played_on(fight)
    assert fight.output.count("refused") == 19
