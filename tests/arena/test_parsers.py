"""Whatever is read, only the documented errors come out, and of an altered record the first difference is named."""

import contextlib
import json
import re
import zlib
from dataclasses import replace
from itertools import chain
from random import Random
from typing import Any

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from arena import notation, replay
from arena.cards import CARDS, ParseError, cards, text
from arena.outcome import Outcome, Termination
from arena.replay import Record, ReplayError
from arena.ruleset import CHOICES, Ruleset, TimeControl
from arena.state import PILE, IllegalAction
from arena.steps import steps
from tests.arena import naive
from tests.arena.games import random_game, rulesets, seeds
from tests.arena.policies import LONGEST, RANDOM, match_of

RECORD = match_of(Ruleset(games=2), 7, (LONGEST, RANDOM)).record
for number, game in enumerate(RECORD.games):
    game.times[:] = range(number, number + len(game.times))  # the same in each run
PLAIN = replay.as_dict(RECORD)
ENCODED = replay.encode(RECORD).data
LINES = notation.write(RECORD).splitlines()
FIRST_GAME = LINES.index(next(line for line in LINES if line.startswith("[Game 1")))

NEAR: list[Any] = [None, True, -1, 0, 1, 2, 1.0, 2**63, "", "0", "z", [], [0], [0, 1], {}, *chain(*CHOICES.values())]
values: st.SearchStrategy[Any] = st.sampled_from(NEAR) | st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=5),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner, max_size=3),
    max_leaves=5,
)


def paths(plain: Any) -> list[tuple[Any, ...]]:
    """The way to each part of plain data, the whole first."""
    inner = plain.items() if isinstance(plain, dict) else enumerate(plain) if isinstance(plain, list) else ()
    return [(), *[(key, *path) for key, part in inner for path in paths(part)]]


def with_part(plain: Any, path: tuple[Any, ...], value: Any) -> Any:
    """A copy in which that part is another."""
    if not path:
        return value
    copy = plain.copy()
    copy[path[0]] = with_part(plain[path[0]], path[1:], value)
    return copy


PATHS = sorted(paths(PLAIN), key=lambda path: "times" in path)
"""The times come last: they are many, and alike."""
parts = st.sampled_from(PATHS[: len([path for path in PATHS if "times" not in path]) + 5])


def what_the_rules_confirm(record: Record) -> Record:
    """The record without what a bot or a clock alone could confirm."""
    games = tuple(replace(game, times=[0] * len(game.times)) for game in record.games)
    return replace(record, games=games, time_control=RECORD.time_control, outcome=replace(record.outcome, reason=""))


@given(st.text(max_size=200))
def test_any_text_is_refused_with_the_own_errors(written: str) -> None:
    with pytest.raises((ParseError, ReplayError)):
        notation.read(written)


@given(values)
def test_any_data_in_the_stored_form_is_refused_with_the_own_error(plain: Any) -> None:
    with pytest.raises(ReplayError):
        replay.decode(1, "zlib", zlib.compress(json.dumps(plain).encode()))


UNREADABLE = {
    "deep": "[" * 100_000,
    "just not too deep": "[" * 960 + "]" * 960,
    "more digits than Python reads as one integer": "1" * 5_000,
    "a lone surrogate": "\ud800",
    "open": "{",
    "a zero byte": "\0",
    "no number": "NaN",
}


@pytest.mark.parametrize("value", UNREADABLE.values(), ids=UNREADABLE.keys())
def test_a_header_that_json_can_not_read_is_refused_with_the_own_errors(value: str) -> None:
    with pytest.raises((ParseError, ReplayError)):
        notation.read(f"[Candidate 1]\n[Engine 1]\n[Ruleset {{}}]\n[TimeControl {{}}]\n[Seed {value}]")


@pytest.mark.parametrize("value", UNREADABLE.values(), ids=UNREADABLE.keys())
def test_what_json_can_not_read_is_refused_with_the_own_error(value: str) -> None:
    for plain in (value, f'{{"format": {value}}}'):
        with pytest.raises(ReplayError):
            replay.decode(1, "zlib", zlib.compress(plain.encode(errors="surrogatepass")))


@given(parts, values)
@settings(max_examples=300)
def test_a_record_with_any_part_replaced_is_refused_or_confirmed_as_it_was(path: Any, value: Any) -> None:
    """What reads can be stored again; what the rules then confirm is, to what they can tell, the record itself."""
    try:
        record = replay.from_dict(with_part(PLAIN, path, value))
    except ReplayError:
        return
    encoded = replay.encode(record)
    assert replay.decode(encoded.format, encoded.codec, encoded.data) == record
    with contextlib.suppress(ReplayError):
        for number in range(1, len(record.games) + 1):
            steps(record, number)
        assert notation.read(notation.write(record)) == record
        replay.verify(record)
        assert what_the_rules_confirm(record) == what_the_rules_confirm(RECORD)


@given(st.sampled_from([path for path in PATHS if path and isinstance(path[-1], str)]))
def test_a_record_that_lacks_a_part_is_refused_by_its_name_but_options_have_their_defaults(path: Any) -> None:
    *parent, name = path
    whole = PLAIN
    for key in parent:
        whole = whole[key]
    lacking = with_part(PLAIN, tuple(parent), {key: part for key, part in whole.items() if key != name})
    if parent in (["ruleset"], ["time_control"]):
        read = replay.as_dict(replay.from_dict(lacking))
        usual = {"ruleset": Ruleset(), "time_control": TimeControl()}[parent[0]].as_dict()
        assert read == with_part(PLAIN, path, usual[name])
    else:
        with pytest.raises(ReplayError, match=f"lacks '{name}'"):
            replay.from_dict(lacking)


@given(st.integers(0, len(ENCODED) - 1), st.integers(1, 255))
def test_stored_data_with_a_byte_changed_cut_short_or_longer_is_refused(at: int, change: int) -> None:
    changed = bytes(byte ^ change if i == at else byte for i, byte in enumerate(ENCODED))
    with contextlib.suppress(ReplayError):  # some bits of the header tell nothing
        assert replay.decode(1, "zlib", changed) == RECORD
    for data in (ENCODED[:at], ENCODED + changed[at:]):
        with pytest.raises(ReplayError, match=r"damaged|cut short|goes on after its end"):
            replay.decode(1, "zlib", data)


def test_a_seat_forfeits_once_and_both_only_before_the_first_game() -> None:
    with pytest.raises(ReplayError, match=r"expected each seat at most once, got \(1, 1\)"):
        replay.from_dict(with_part(PLAIN, ("outcome", "forfeits"), [1, 1]))
    both = Outcome(None, Termination.CRASH, (0, 1))
    with pytest.raises(ReplayError, match="both can forfeit before the first game only, got 2 games"):
        replay.verify(replace(RECORD, outcome=both))


@given(st.integers(2, 10**6))
def test_a_later_format_asks_for_a_newer_engine(version: int) -> None:
    with pytest.raises(ReplayError, match="use a newer engine"):
        replay.decode(version, "zlib", ENCODED)
    with pytest.raises(ReplayError, match=f"expected a record of format 1, got {version}"):
        replay.from_dict(PLAIN | {"format": version})
    with pytest.raises(ParseError, match=rf"line {FIRST_GAME + 1}: expected a record of format 1, got {version}"):
        notation.read("\n".join([f"[Candidate {version}]", *LINES[1:]]))


def choice_of(table: naive.Table, action: int) -> str:
    """A recorded action in the naive implementation's words; nothing where the hand lacks a card for it."""
    if action >= PILE:
        return naive.SUITS[action - PILE]
    hand = table.hands[table.to_move]
    laid = [card for i, card in enumerate(hand) if action >> i & 1]
    return " ".join(laid) or naive.PASS if action < 1 << len(hand) else ""


def first_difference(number: int, actions: list[int]) -> str | None:
    """What is to be said of that game of the record if these were its decisions, by the naive implementation."""
    game, rules = RECORD.games[number - 1], RECORD.ruleset.as_dict()
    table = naive.undealt(naive.shuffled(RECORD.seed, number, 1), game.dealer)
    left = actions.copy()
    while choices := naive.choices(rules, table):
        choice = next(iter(choices))
        if len(choices) > 1:
            if not left:
                return f"game {number}: breaks off after {len(actions)} decisions"
            action, decision = left.pop(0), len(actions) - len(left)
            choice = choice_of(table, action)
            if choice not in choices:
                return f"game {number}, decision {decision}: action {action} is not legal in {table.phase.upper()}"
        table = naive.after(rules, table, choice)
    if left:
        return f"game {number}: over after {len(actions) - len(left)} decisions, got {len(actions)}"
    found, told = (game.dealer, naive.scores(rules, table), len(table.gone)), (game.dealer, game.points, game.rounds)
    return None if found == told else f"game {number}: (dealer, points, rounds) are {found}, the record says {told}"


@given(st.data())
@settings(max_examples=150)
def test_of_altered_decisions_the_first_difference_is_named(data: Any) -> None:
    number = data.draw(st.integers(1, 2))
    game = RECORD.games[number - 1]
    at = data.draw(st.integers(0, len(game.actions)))
    removed = data.draw(st.integers(0, 2))
    put_in = data.draw(st.lists(st.integers(0, 35) | st.sampled_from(game.actions), max_size=2))
    actions = [*game.actions[:at], *put_in, *game.actions[at + removed :]]
    games = list(RECORD.games)
    games[number - 1] = replace(game, actions=actions, times=[0] * len(actions))
    said = None
    try:
        replay.verify(replace(RECORD, games=tuple(games)))
    except ReplayError as error:
        said = str(error)
    assert said == first_difference(number, actions)


def refusal(lines: list[str]) -> str:
    """Why these lines are refused, by the reader or by the rules; empty if they are not."""
    try:
        replay.verify(notation.read("\n".join(lines)))
    except (ParseError, ReplayError) as error:
        return str(error)
    return ""


def assert_true_by_definition(lines: list[str]) -> None:
    """The naive implementation, too, comes to the points of the record by the decisions of these lines."""
    record = notation.read("\n".join(lines))
    assert [first_difference(number, game.actions) for number, game in enumerate(record.games, 1)] == [None, None]


def game_at(line: int) -> int:
    return sum(each.startswith("[Game") for each in LINES[: line + 1])


@given(st.integers(0, len(LINES) - 1), st.integers(1, 99))
def test_a_text_cut_short_is_refused_and_the_line_or_game_is_named(at: int, characters: int) -> None:
    """Within a line that is the line; after a line the game that breaks off, what is lacking, or the games.

    Nothing is refused if only forced actions at the end are lacking, which follow from the rules, or digits of a time.
    """
    line = LINES[at][:characters].strip()
    lines = [*LINES[:at], line]
    said = refusal(lines)
    if not said:
        assert_true_by_definition(lines)
    elif line != LINES[at]:
        assert said.startswith((f"line {at + 1}: ", f"game {game_at(at)}: "))
    else:
        assert said.startswith((f"game {game_at(at)}: breaks off", "expected 2 games, got", "the record lacks"))


@given(st.integers(0, len(LINES) - 9), st.integers(1, 8))
@settings(max_examples=150)
def test_a_text_with_two_lines_exchanged_is_refused_from_the_first_of_them_on_or_is_true(at: int, on: int) -> None:
    """Two headers may change places, for one, and two draws by one player, who then holds the same."""
    lines = LINES.copy()
    lines[at], lines[at + on] = lines[at + on], lines[at]
    said = refusal(lines)
    if said.startswith("line"):
        assert int(said.split(":")[0].removeprefix("line ")) > at
    elif said:
        assert said.startswith(tuple(f"game {number}" for number in range(game_at(at), 3)))
    else:
        assert_true_by_definition(lines)


@given(st.integers(0, len(notation.HEADERS) - 1), st.integers(0, len(LINES)))
def test_a_header_is_read_once_and_before_the_games(header: int, at: int) -> None:
    lines = [*LINES[:at], LINES[header], *LINES[at:]]
    said = f"line {max(at, header + 1) + 1}: expected [{notation.HEADERS[header]} ...] once, before the first game"
    with pytest.raises(ParseError, match=f"^{re.escape(said)}$"):
        notation.read("\n".join(lines))


@given(st.integers(0, 2**40 - 1))
@example(1_000_001)
@example(36_000_000)
def test_any_time_that_a_record_can_hold_is_written_and_read(ticks: int) -> None:
    game = RECORD.games[0]
    record = replace(RECORD, games=(replace(game, times=[ticks, *game.times[1:]]), RECORD.games[1]))
    assert notation.read(notation.write(record)) == record


@given(st.text(max_size=20) | st.lists(st.sampled_from(["9S", "TH", "th", "1C", ""])).map(" ".join))
def test_any_text_is_cards_or_refused_with_the_own_error(written: str) -> None:
    with contextlib.suppress(ParseError):
        assert text(cards(written)) == " ".join(written.split())


@given(rulesets, seeds, st.lists(st.sampled_from(CARDS), max_size=6), st.text(max_size=2) | st.sampled_from("CDHS"))
def test_any_cards_or_pile_are_a_legal_action_or_refused_with_the_own_error(
    ruleset: Ruleset, seed: int, some: list[Any], suit: str
) -> None:
    game = list(random_game(ruleset, seed))
    state = Random(seed).choice(game).before
    legal = state.legal_actions()
    for lay in (some, state.hands[state.to_move][: len(some)]):
        with contextlib.suppress(IllegalAction):
            action = state.lay(lay)
            assert action in legal
            assert sorted(state.cards_of(action)) == sorted(lay)
    with contextlib.suppress(IllegalAction):
        assert state.action_text(state.take(suit)) == suit
