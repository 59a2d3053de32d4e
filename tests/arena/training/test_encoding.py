"""The numbers of an observation, against positions counted by hand and against what is hidden."""

import re
from collections.abc import Iterable
from dataclasses import replace
from random import Random

import numpy as np
import pytest
from games import new_game, rulesets, seeds
from hypothesis import given, settings
from hypothesis import strategies as st

from arena import SUITS, Observation, Phase, Ruleset, State, cards, chance
from arena.events import told
from arena.state import PASS, PILE
from arena.training import encoding
from arena.training.encoding import LENGTHS, PARTS, SIZE, bounds, encode, mask, split

CLUBS, HEARTS = PILE, PILE + 2


class Watched:
    """A game with what both seats were told of it."""

    def __init__(self, game: State, number: int = 1, match_scores: tuple[int, int] = (0, 0)) -> None:
        self.game = game
        self.seen = [Observation(game.ruleset, seat, number, game.dealer, match_scores) for seat in range(2)]

    def carry_out(self, action: int) -> None:
        mover = self.game.to_move
        for seat, event in zip((mover, 1 - mover), told(self.game, action), strict=True):
            self.seen[seat].update(event)
        self.game.apply(action)

    def lay(self, notation: str) -> None:
        self.carry_out(self.game.lay(cards(notation)))


def deal(ruleset: Ruleset | None = None) -> Watched:
    """A game dealt by seat 1: seat 0 got 4C 6C 8C TC QC, seat 1 3C 5C 7C 9C JC; the top cards are 2C, 5D, 7H and 9S."""
    piles = [
        cards("4C 3C 6C 5C 8C 7C TC 9C QC JC 2C KC AC"),
        cards("5D 2D 3D 4D 6D 7D 8D 9D TD JD QD KD AD"),
        cards("7H 2H 3H 4H 5H 6H 8H 9H TH JH QH KH AH"),
        cards("9S 2S 3S 4S 5S 6S 7S 8S TS JS QS KS AS"),
    ]
    watched = Watched(State(ruleset or Ruleset(games=1), piles, dealer=1))
    watched.carry_out(CLUBS)
    watched.carry_out(HEARTS)
    return watched


def ones(encoded: np.ndarray, name: str) -> list[int]:
    """Where that part has ones; it has nothing else but zeros."""
    part = split(encoded)[name]
    assert set(part.tolist()) <= {0.0, 1.0}
    return np.flatnonzero(part).tolist()


def test_the_parts_are_those_of_a_position_counted_by_hand() -> None:
    watched = deal()
    watched.lay("8C")  # on 7H: a run, by seat 0
    mine = encode(watched.seen[1])
    assert ones(mine, "hand") == [int(card) for card in cards("3C 5C 7C 9C JC")]
    assert ones(mine, "slots") == [0 * 13 + 1, 1 * 13 + 3, 2 * 13 + 5, 3 * 13 + 7, 4 * 13 + 9]
    assert ones(mine, "lobby") == [int(card) for card in cards("7H 8C")]
    assert len(ones(mine, "unseen")) == 52 - 5 - 2
    assert ones(mine, "kind") == [1]
    assert (ones(mine, "low"), ones(mine, "high")) == ([5], [6])
    assert split(mine)["piles"] == pytest.approx([3 / 13, 1, 12 / 13, 1])
    assert split(mine)["other"] == pytest.approx([4 / 5, 0, 0, 0])
    assert ones(mine, "phase") == [Phase.TURN]
    assert ones(mine, "mover") == [0]
    assert ones(mine, "passed") == []
    assert ones(mine, "layer") == [1]
    assert ones(mine, "leader") == [1]
    assert ones(mine, "dealer") == [0]
    assert split(mine)["rules"] == pytest.approx([1 / 3, 0, 0, 0, 0])
    assert split(mine)["game"] == 1
    assert split(mine)["points"].tolist() == [0, 0, 0]


def test_points_are_in_hundreds_and_mine_come_first() -> None:
    watched = deal()
    for notation in ("8C", "9C", "TC", "JC", "QC"):
        watched.lay(notation)
    watched.carry_out(PASS)
    watched.carry_out(PASS)  # seat 0 takes 7H 8C 9C TC JC QC: 6 x (1 + 1 + 1 + 1 + 2 + 2) = 48
    assert split(encode(watched.seen[0]))["points"] == pytest.approx([0.48, 0, 0])
    assert split(encode(watched.seen[1]))["points"] == pytest.approx([0, 0.48, 0])


def test_the_games_before_count_as_a_lead_and_this_one_as_a_share() -> None:
    watched = Watched(new_game(Ruleset(games=4), seed=1, game=3), number=3, match_scores=(120, 150))
    a, b = (split(encode(seen)) for seen in watched.seen)
    assert a["game"] == b["game"] == 0.75
    assert (a["points"][2], b["points"][2]) == (pytest.approx(-0.3), pytest.approx(0.3))


def test_equal_cards_of_several_decks_are_shares() -> None:
    piles = [[card for card in range(suit, 52, 4) for _ in range(2)] for suit in range(4)]
    watched = Watched(State(Ruleset(decks=2, games=1), piles, dealer=1))
    watched.carry_out(CLUBS)  # 2C 2C 3C 3C 4C 4C 5C 5C 6C 6C, one to each by turns: both hold 2C 3C 4C 5C 6C
    watched.carry_out(CLUBS)
    parts = split(encode(watched.seen[0]))
    two, seven = cards("2C 7C")
    assert (parts["hand"][two], parts["unseen"][two]) == (0.5, 0.5)
    assert (parts["lobby"][seven], parts["unseen"][seven]) == (0.5, 0.5)


def test_the_options_of_the_ruleset_show() -> None:
    rules = Ruleset(
        decks=3, run_direction="both", unclaimed="other_leader", endgame="stop", set_scoring="worth", games=1
    )
    assert split(encode(Watched(new_game(rules, seed=1)).seen[0]))["rules"].tolist() == [1, 1, 1, 1, 1]


def test_the_mask_has_the_legal_actions_of_the_mover_alone() -> None:
    watched = deal()
    assert np.flatnonzero(mask(watched.seen[0])).tolist() == [0, 0b00100]  # on 7H only the third card, 8C
    assert not mask(watched.seen[1]).any()


def test_the_module_describes_each_part_with_its_length() -> None:
    described = re.findall(r"^    (\w+) +(\d+)(?: x (\d+))?   ", encoding.__doc__ or "", re.MULTILINE)
    assert {name: int(rows) * int(columns or 1) for name, rows, columns in described} == LENGTHS
    assert [part.stop for part in PARTS.values()][-1] == SIZE


@given(rulesets, seeds)
@settings(max_examples=15)
def test_every_number_is_within_its_bounds(ruleset: Ruleset, seed: int) -> None:
    rng = Random(seed)
    watched = Watched(new_game(ruleset, seed))
    low, high = bounds(ruleset)
    while actions := watched.game.legal_actions():
        watched.carry_out(rng.choice(actions))
        for seen in watched.seen:
            encoded = encode(seen)
            assert encoded.dtype == np.float32
            assert (encoded >= low).all()
            assert (encoded <= high).all()


def with_hidden_cards_shuffled(piles: Iterable[list[int]], seen: Observation, rng: Random) -> list[list[int]]:
    """The piles of a game of one deck, in which the cards that this player has not seen change places by suit."""
    changed = []
    for suit, pile in zip(SUITS, piles, strict=True):
        hidden = list(seen.unseen(suit))
        rng.shuffle(hidden)
        unseen = set(hidden)
        changed.append([hidden.pop() if card in unseen else card for card in pile])
    return changed


@given(rulesets.map(lambda ruleset: replace(ruleset, decks=1)), seeds, st.integers(0, 120))
@settings(max_examples=25)
def test_games_that_differ_in_hidden_cards_alone_look_the_same(ruleset: Ruleset, seed: int, moves: int) -> None:
    rng = Random(seed)
    watched = Watched(new_game(ruleset, seed))
    done: list[tuple[int, tuple[int, ...]]] = []
    looked: list[tuple[list[float], list[int]]] = []

    def look(seen: Observation) -> tuple[list[float], list[int]]:
        return encode(seen).tolist(), mask(seen).tolist()

    while len(done) < moves and (actions := watched.game.legal_actions()):
        action = rng.choice(actions)
        done.append((action, watched.game.cards_of(action)))
        watched.carry_out(action)
        looked.append(look(watched.seen[0]))
    piles = with_hidden_cards_shuffled(chance.piles(seed, 1, 1), watched.seen[0], rng)
    other = Watched(State(ruleset, piles, chance.dealer(seed, 1)))
    for (action, laid), before in zip(done, looked, strict=True):
        # the bits of a lay count cards of the hand, which may be another one now
        other.carry_out(other.game.lay(laid) if action < PILE else action)
        assert look(other.seen[0]) == before
