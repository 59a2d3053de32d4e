"""Worked cases of the rules: scores, legal and illegal lays, and courses of play.

Cards are in notation, piles have their top card first, `[]` is a pass; in a course of play forced passes are written
out and `phase` is the one after the last action.
"""

import json
from pathlib import Path
from typing import Any

import pytest

from arena.cards import SUITS, cards
from arena.ruleset import Ruleset
from arena.state import LEAD, NOBODY, TURN, IllegalAction, Kind, Phase, State, score

CASES = json.loads((Path(__file__).parent / "rules_vectors.json").read_text())
KINDS = {"run": Kind.RUN, "set": Kind.SET, "single": Kind.OPEN}


def of_type(*types: str) -> Any:
    return [pytest.param(case, id=case["id"]) for case in CASES if case["type"] in types]


def parse(words: list[str]) -> list[int]:
    return list(cards(" ".join(words)))


def position(case: dict[str, Any]) -> State:
    piles = case.get("piles", {})
    hands = case.get("hands") or {"A": case["hand"], "B": []}
    last_layer = case.get("last_layer")
    return State.position(
        Ruleset(decks=case["decks"]),
        [parse(piles.get(suit, [])) for suit in SUITS],
        [parse(hands["A"]), parse(hands["B"])],
        Phase[case["phase"].upper()] if "phase" in case else LEAD if case["kind"] == "lead" else TURN,
        "AB".index(case.get("to_move", "A")),
        lobby=parse(case["lobby"]),
        leader="AB".index(case.get("leader", "A")),
        last_layer=NOBODY if last_layer is None else "AB".index(last_layer),
        passes=case.get("passes", 0),
        scores=[case.get("scores", {}).get(seat, 0) for seat in "AB"],
    )


def test_all_cases_are_here() -> None:
    assert len(CASES) == 59


@pytest.mark.parametrize("case", of_type("score"))
def test_a_taken_sequence_scores(case: dict[str, Any]) -> None:
    taken, kind = parse(case["cards"]), KINDS[case["kind"]]
    assert score(taken, kind) == case["expected"]
    assert score(taken, kind, "worth") == case["expected_worth"]


@pytest.mark.parametrize("case", of_type("legal", "legal_lead"))
def test_the_legal_lays_are(case: dict[str, Any]) -> None:
    state = position(case)
    found = [sorted(map(str, state.cards_of(action))) for action in state.legal_actions()]
    assert sorted(found) == sorted(sorted(lay) for lay in case["expected"])


@pytest.mark.parametrize("case", of_type("illegal"))
def test_a_lay_is_refused(case: dict[str, Any]) -> None:
    with pytest.raises(IllegalAction):
        position(case).lay(parse(case["play"]))


@pytest.mark.parametrize("case", of_type("flow"))
def test_play_goes_on_to(case: dict[str, Any]) -> None:
    state = position(case)
    for seat, verb, *what in case["actions"]:
        assert "AB"[state.to_move] == seat
        if verb in ("draw", "lobby"):
            assert state.phase == Phase[verb.upper()]
            state.apply(state.take(what[0]))
        else:
            state.apply(state.lay(parse(what[0]) if what else []))
    expected = case["expected"]
    assert state.phase == Phase[expected["phase"].upper()]
    assert state.scores == [expected["scores"]["A"], expected["scores"]["B"]]
    if "to_move" in expected:
        assert "AB"[state.to_move] == expected["to_move"]
        assert "AB"[state.leader] == expected["leader"]
    if "lobby" in expected:
        assert state.lobby == parse(expected["lobby"])
    for seat, hand in expected.get("hands", {}).items():
        assert state.hands["AB".index(seat)] == sorted(parse(hand))
    for suit, size in expected.get("pile_sizes", {}).items():
        assert len(state.piles[SUITS.index(suit)]) == size
