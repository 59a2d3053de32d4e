import copy
import pickle

import pytest
from hypothesis import given
from hypothesis import strategies as st

from arena.cards import CARDS, Card, ParseError, card, cards, text


def test_there_are_52_cards_by_rank_then_suit() -> None:
    assert [str(each) for each in CARDS[:5]] == ["2C", "2D", "2H", "2S", "3C"]
    assert str(CARDS[51]) == "AS"
    assert len(set(CARDS)) == 52


@pytest.mark.parametrize(
    ("notation", "rank", "suit", "worth"),
    [("2C", 2, "C", 1), ("TD", 10, "D", 1), ("JH", 11, "H", 2), ("AS", 14, "S", 2)],
)
def test_a_card_has_rank_suit_and_worth(notation: str, rank: int, suit: str, worth: int) -> None:
    found = card(notation)
    assert (found.rank, found.suit, found.worth) == (rank, suit, worth)


def test_equal_cards_are_one_object() -> None:
    nine = card("9S")
    assert Card(int(nine)) is nine
    assert copy.deepcopy([nine])[0] is nine
    assert pickle.loads(pickle.dumps(nine)) is nine


@given(st.lists(st.sampled_from(CARDS)))
def test_what_is_written_reads_back(some: list[Card]) -> None:
    assert list(cards(text(some))) == some


@given(st.text(max_size=4))
def test_any_other_text_is_refused(notation: str) -> None:
    if notation in {str(each) for each in CARDS}:
        return
    with pytest.raises(ParseError):
        card(notation)


@pytest.mark.parametrize("notation", ["9s", " 9S", "9S ", "10S", "S9", "1C", "", "９S"])
def test_lower_case_padding_and_other_spellings_are_no_cards(notation: str) -> None:
    with pytest.raises(ParseError, match="expected a card"):
        card(notation)
