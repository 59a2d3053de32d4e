"""Records read back, play again, and are refused when they are damaged or altered."""

import contextlib
import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from bots import Longest, Random1, local_match
from games import rulesets, seeds
from hypothesis import given, settings
from hypothesis import strategies as st

from arena import notation, replay
from arena.cards import ParseError
from arena.outcome import Outcome, Termination
from arena.replay import Record, ReplayError
from arena.ruleset import Ruleset
from arena.steps import steps

GOLDEN = (Path(__file__).parent / "golden_format_1.txt").read_text()
RECORD = local_match(Random1, Longest, Ruleset(games=2))


def plain() -> dict[str, Any]:
    return json.loads(json.dumps(replay.as_dict(RECORD)))  # type: ignore[no-any-return]


@given(rulesets, seeds)
@settings(max_examples=30)
def test_a_record_reads_back_and_plays_again(ruleset: Ruleset, seed: int) -> None:
    record = local_match(Random1, Longest, ruleset, seed)
    encoded = replay.encode(record)
    assert replay.decode(encoded.format, encoded.codec, encoded.data) == record
    assert notation.read(notation.write(record)) == record
    replay.verify(record)


def test_a_record_of_a_whole_match_is_small() -> None:
    assert len(replay.encode(local_match(Random1, Longest)).data) < 2_000


def test_a_golden_record_of_format_1_reads_for_ever() -> None:
    record = notation.read(GOLDEN)
    replay.verify(record)
    assert notation.write(record) == GOLDEN


@pytest.mark.parametrize(
    ("change", "said"),
    [
        ({"format": 2}, "expected a record of format 1, got 2"),
        ({"seed": -1}, "expected an integer from 0"),
        ({"seed": True}, "expected an integer from 0"),
        ({"ruleset": {"decks": 4}}, "decks: expected 1, 2, 3, got 4"),
        ({"ruleset": {"cards": 4}}, "unknown option 'cards'"),
        ({"outcome": {}}, "lacks 'winner'"),
        ({"games": None}, "not a record"),
        ({"games": [{"actions": "#"}]}, "not a record"),
    ],
)
def test_what_is_no_record_is_refused(change: dict[str, Any], said: str) -> None:
    with pytest.raises(ReplayError, match=said):
        replay.from_dict(plain() | change)


def altered(change: Any) -> Record:
    data = plain()
    change(data)
    return replay.from_dict(data)


@pytest.mark.parametrize(
    ("change", "said"),
    [
        (lambda d: d.update(seed=d["seed"] + 1), "game 1"),
        (lambda d: d["games"][0].update(points=[1, 1]), r"game 1: \(dealer, points, rounds\) are"),
        (lambda d: d["games"][1].update(rounds=3), "game 2"),
        (lambda d: d["games"][0].update(dealer=1 - d["games"][0]["dealer"]), "game 1"),
        (lambda d: d["games"][0].update(actions="0" + d["games"][0]["actions"][1:]), "game 1, decision 1: action 0"),
        (lambda d: d["outcome"].update(winner=None), "the winner is seat"),
        (lambda d: d["outcome"].update(winner=1 - d["outcome"]["winner"]), "the winner is seat"),
        (lambda d: d["outcome"].update(termination="time"), "needs a seat that forfeits"),
        (lambda d: d["outcome"].update(forfeits=[0]), "forfeited match can't be completed"),
        (lambda d: d["games"].pop(), "expected 2 games, got 1"),
        (lambda d: d["ruleset"].update(games=1), "expected at most 1 games, got 2"),
        (lambda d: d.update(engine="0"), "expected a record of engine"),
    ],
)
def test_an_altered_record_is_refused_with_the_first_difference(change: Any, said: str) -> None:
    with pytest.raises(ReplayError, match=said):
        replay.verify(altered(change))


def test_actions_cut_off_or_added_are_refused() -> None:
    game = RECORD.games[0]
    short = replace(RECORD, games=(replace(game, actions=game.actions[:-1], times=game.times[:-1]), RECORD.games[1]))
    with pytest.raises(ReplayError, match="game 1: breaks off after"):
        replay.verify(short)
    long = replace(RECORD, games=(replace(game, actions=[*game.actions, 0], times=[*game.times, 0]), RECORD.games[1]))
    with pytest.raises(ReplayError, match="game 1: over after"):
        replay.verify(long)


def test_stored_data_that_is_damaged_is_refused() -> None:
    encoded = replay.encode(RECORD)
    for data in (encoded.data[:-3], b"", b"nonsense", encoded.data[::-1]):
        with pytest.raises(ReplayError):
            replay.decode(1, "zlib", data)
    with pytest.raises(ReplayError, match="use a newer engine"):
        replay.decode(2, "zlib", encoded.data)
    with pytest.raises(ReplayError, match="expected a codec of zlib, zlib-1, got 'zstd'"):
        replay.decode(1, "zstd", encoded.data)


@given(st.binary(max_size=200))
def test_any_bytes_are_refused_with_the_own_error(data: bytes) -> None:
    with pytest.raises(ReplayError):
        replay.decode(1, "zlib", data)


LINES = notation.write(RECORD).splitlines()


@given(st.integers(0, len(LINES) - 1), st.text(max_size=30))
@settings(max_examples=200)
def test_a_text_with_any_line_replaced_is_read_or_refused_with_the_own_errors(at: int, line: str) -> None:
    with contextlib.suppress(ParseError, ReplayError):
        notation.read("\n".join([*LINES[:at], line, *LINES[at + 1 :]]))


def test_a_refused_text_names_the_line() -> None:
    lines = LINES.copy()
    at = next(i for i, line in enumerate(lines) if line.startswith("B turn"))
    lines[at] = "B turn X 0.1"
    with pytest.raises(ParseError, match=rf"^line {at + 1}: take from the pile of 'X'; legal: C \| D \| H \| S"):
        notation.read("\n".join(lines))


def test_steps_show_the_table_after_every_action_forced_ones_included() -> None:
    for number, game in enumerate(RECORD.games, 1):
        shown = steps(RECORD, number)
        assert [step.number for step in shown] == list(range(len(shown)))
        assert [step.decision for step in shown if step.decision is not None] == list(range(len(game.actions)))
        assert shown[-1].scores == game.points
        assert shown[-1].hands == ((), ())
        assert sum(step.taken.points for step in shown if step.taken) == sum(game.points)
        gone = sum(len(step.taken.cards) for step in shown if step.taken)
        assert gone == 52


def test_steps_of_a_game_that_broke_off_end_where_it_did() -> None:
    game = RECORD.games[1]
    broken = replace(
        RECORD,
        games=(RECORD.games[0], replace(game, actions=game.actions[:5], times=game.times[:5])),
        outcome=Outcome(0, Termination.CRASH, (1,), "game 2, decision 6: ValueError"),
    )
    shown = steps(broken, 2)
    assert max(step.decision or 0 for step in shown) == 4
    assert shown[-1].to_move is not None
