"""Monte-Carlo search: imagines many deals that agree with what it knows, and looks for the best action in each.

In an imagined deal both hands are open, so that the rest of the round can be searched to its end. What comes after is
estimated from who leads and from the cards that each keeps. An action is worth what it yields on average. The search
stops by its own clock: the bank of CPU time is for the whole match. With empty piles nothing is left to imagine, and
the endgame is solved.
"""

from __future__ import annotations

import time
from functools import lru_cache
from itertools import combinations
from random import Random

from arena import SUITS, Card, Observation, Ruleset, State, TimeControl
from arena.cards import HONOURS_FROM, RANKS
from arena.endgame import Search, deduced, solve
from arena.lays import COUNT, DIGIT
from arena.state import PILE

SHARE_OF_BANK = 0.1
"""How much of the bank the search may use. The rest is for slow machines, endgames, and the time between two looks."""
CHOICES_A_GAME = 24
"""About how many decisions a game with one deck asks of one player that are searched."""
LEAD = 5
"""What leading the next round is worth in points. This and the next three are round numbers near the least squares over
105,000 rounds of bots like this one: who led next, which cards both had kept, and how the rest of the game went."""
ALONE = {RANKS.index("2"): -4, RANKS.index("3"): -2, RANKS.index("A"): 6}
"""What a card in hand is worth by its rank, beside one that might be drawn instead: a two goes on nothing but twos."""
PAIR = -4
"""What two cards of one rank in hand are worth: the second one goes where the first does."""
NEIGHBOURS = 2
"""What two cards at most two ranks apart are worth where the higher one is an honour."""


class Bot:
    def __init__(self) -> None:
        self.rng = Random(0)
        self.decision_s = 0.01

    def match_start(self, seat: int, ruleset: Ruleset, time_control: TimeControl) -> None:
        choices = CHOICES_A_GAME * ruleset.decks * ruleset.games
        self.decision_s = min(SHARE_OF_BANK * time_control.bank_s / choices, time_control.decision_s / 4)

    def play(self, observation: Observation) -> tuple[Card, ...]:
        endgame = deduced(observation)
        action = solve(endgame).line[0] if endgame else self.search(observation)
        return observation.state.cards_of(action)

    def choose_pile(self, observation: Observation, purpose: str) -> str:
        if purpose == "lobby":
            return SUITS[self.search(observation) - PILE]
        if purpose == "draw":
            return max(observation.legal_piles, key=lambda suit: prospects_with_card_of(observation, suit))
        return observation.legal_piles[0]

    def search(self, observation: Observation) -> int:
        """The legal action that yields most on average over the imagined deals."""
        actions = observation.state.legal_actions()
        totals = dict.fromkeys(actions, 0)
        rest_of_round = RestOfRound(observation.ruleset)
        # CPU time is what the bank is kept in; a busy machine takes nothing away from it.
        stop = time.thread_time() + self.decision_s
        while True:
            deal = imagine(observation, self.rng)
            for action in actions:
                totals[action] += rest_of_round.yields(deal, action)
            if time.thread_time() >= stop:
                return max(actions, key=totals.__getitem__)


class RestOfRound(Search):
    """A search that ends with the round, and estimates what follows."""

    def next_round(self, mine: int, his: int, alpha: int, beta: int) -> int:
        return LEAD + prospects(mine) - prospects(his)


@lru_cache(maxsize=1 << 14)
def prospects(counts: int) -> int:
    """What a hand is worth in later rounds, in points beside an ordinary one; for its counts see `State.counts`."""
    ranks = [rank for rank in range(len(RANKS)) for _ in range(counts >> DIGIT * rank & 7)]
    found = sum([ALONE.get(rank, 0) for rank in ranks])
    for low, high in combinations(ranks, 2):
        if low == high:
            found += PAIR
        elif high <= low + 2 and high >= HONOURS_FROM:
            found += NEIGHBOURS
    return found


def imagine(observation: Observation, rng: Random) -> State:
    """The game with cards drawn by chance for the other's hand and the tops of the piles.

    More does not matter to a round; `observation.sample` would shuffle the piles as well.
    """
    deal = observation.state.clone()
    for suit, held in enumerate(observation.opponent_suits.values()):
        pile = deal.piles[suit]
        drawn = rng.sample(observation.unseen(SUITS[suit]), held + bool(pile))
        if pile:
            pile[-1] = drawn.pop()
        deal.reveal(1 - observation.seat, drawn)
    return deal


def prospects_with_card_of(observation: Observation, suit: str) -> float:
    """What my hand is worth on average with the top card of that pile."""
    counts = observation.state.counts[observation.seat]
    unseen = observation.unseen(suit)
    return sum([prospects(counts + COUNT[card]) for card in unseen]) / len(unseen)
