"""The derivation of all chance from the seed, pinned; lots checked by hand: `printf 'candidate/1 ...' | sha512sum`."""

import subprocess
import sys
from collections import Counter

from arena import chance
from arena.cards import text


def test_the_first_dealer_is_the_lowest_bit_of_the_digest() -> None:
    assert [chance.first_dealer(seed) for seed in range(8)] == LOTS
    assert [chance.dealer(0, game) for game in (1, 2, 3)] == [LOTS[0], 1 - LOTS[0], LOTS[0]]


def test_the_shuffles_are_pinned() -> None:
    assert [text(pile) for pile in chance.piles(1, 1, 1)] == PILES
    assert text(chance.piles(2**63 - 1, 12, 3)[3]) == LONG_PILE


def test_each_pile_holds_its_suit() -> None:
    for decks in (1, 2, 3):
        for suit, pile in enumerate(chance.piles(5, 7, decks)):
            assert Counter(pile) == Counter(dict.fromkeys(range(suit, 52, 4), decks))


def test_a_shuffle_is_the_mixed_radix_reading_of_the_digest() -> None:
    """The same by hand: the index of each card to swap with is read off the digest of the documented line."""
    out = subprocess.run(
        ["sha512sum"], input=b"candidate/1 seed=1 game=1 decks=1 pile=C", capture_output=True, check=True
    ).stdout
    number = int(out.split()[0], 16)
    pile = list("23456789TJQKA")
    for i in range(12, 0, -1):
        number, j = number // (i + 1), number % (i + 1)
        pile[i], pile[j] = pile[j], pile[i]
    assert [card[0] for card in PILES[0].split()] == pile


def test_every_place_is_equally_likely_for_a_card() -> None:
    """Ace of clubs over 2,600 games: 13 places, 200 expected each; chi-square with 12 degrees below 32.9 (p 0.001)."""
    places = Counter(chance.piles(seed, 1, 1)[0].index(48) for seed in range(2600))
    assert sum((places[place] - 200) ** 2 / 200 for place in range(13)) < 32.9


def test_chance_does_not_depend_on_the_hash_seed() -> None:
    code = "from arena import chance; print(chance.piles(1, 1, 1))"
    outputs = {
        subprocess.run(
            [sys.executable, "-c", code], env={"PYTHONHASHSEED": seed}, capture_output=True, check=True
        ).stdout
        for seed in ("1", "2")
    }
    assert len(outputs) == 1


LOTS = [0, 1, 1, 0, 0, 1, 0, 1]
PILES = [
    "9C KC 7C 2C AC 6C TC 5C 8C 4C JC 3C QC",
    "AD 8D KD TD 7D JD 5D QD 9D 6D 3D 4D 2D",
    "AH 3H 8H 4H 2H 5H 6H JH 7H QH KH 9H TH",
    "8S KS 6S 9S AS TS JS QS 4S 2S 5S 3S 7S",
]
LONG_PILE = (
    "6S JS 3S 7S QS KS 6S AS JS 4S QS 7S 2S KS 2S 5S AS QS 5S 8S "
    "4S JS 5S 9S TS 8S 9S 3S 2S TS 9S AS 6S 8S 7S 3S KS 4S TS"
)
