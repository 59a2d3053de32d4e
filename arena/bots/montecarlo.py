"""Monte-Carlo search: imagines many deals that agree with what it knows, and looks for the best action in each.

In an imagined deal both hands are open, so that the rest of the round can be searched to its end. An action is worth
what it yields on average. The search stops by its own clock: the bank of CPU time is for the whole match.
"""

from __future__ import annotations

import time
from random import Random

from arena import SUITS, Card, Observation, Ruleset, State, TimeControl
from arena.state import NOBODY, PASS, PILE, score

SHARE_OF_BANK = 0.1
"""How much of the bank the search may use. The rest is for slow machines, and for the time between two looks."""
CHOICES_A_GAME = 27
"""About how many decisions a game with one deck asks of one player that are searched."""
LEAD = 8
"""What leading the next round is worth in points, by trial."""
INFINITY = 1_000_000


class Bot:
    def __init__(self) -> None:
        self.rng = Random(0)
        self.decision_s = 0.01

    def match_start(self, seat: int, ruleset: Ruleset, time_control: TimeControl) -> None:
        choices = CHOICES_A_GAME * ruleset.decks * ruleset.games
        self.decision_s = min(SHARE_OF_BANK * time_control.bank_s / choices, time_control.decision_s / 4)

    def play(self, observation: Observation) -> tuple[Card, ...]:
        return observation.state.cards_of(self.search(observation))

    def choose_pile(self, observation: Observation, purpose: str) -> str:
        if purpose == "lobby":
            return SUITS[self.search(observation) - PILE]
        if purpose == "draw":
            return max(observation.legal_piles, key=lambda suit: gain_of_drawing(observation, suit))
        return observation.legal_piles[0]

    def search(self, observation: Observation) -> int:
        """The legal action that yields most on average over the imagined deals."""
        actions = observation.state.legal_actions()
        totals = dict.fromkeys(actions, 0.0)
        # CPU time is what the bank is kept in; a busy machine takes nothing away from it.
        stop = time.thread_time() + self.decision_s
        while True:
            deal = observation.sample(self.rng)
            for action in actions:
                totals[action] += value(deal, action, observation.seat)
            if time.thread_time() >= stop:
                return max(actions, key=totals.__getitem__)


def value(state: State, action: int, me: int, low: int = -INFINITY, high: int = INFINITY) -> int:
    """Points that I win or lose in this round by this action, if both then play their best.

    `low` and `high` bound what can still matter (alpha-beta).
    """
    if action == PASS and state.passes:
        taker = state.last_layer
        leader = state.leader if taker == NOBODY else taker
        points = LEAD
        if taker != NOBODY:
            points += score(state.lobby, state.kind, state.ruleset.set_scoring)
        return points if leader == me else -points
    state = state.clone()
    state.apply(action)
    mine = state.to_move == me
    for answer in state.legal_actions():
        found = value(state, answer, me, low, high)
        if mine:
            low = max(low, found)
        else:
            high = min(high, found)
        if low >= high:
            break
    return low if mine else high


def gain_of_drawing(observation: Observation, suit: str) -> float:
    """How well the cards that may be on top of that pile would go with my hand."""
    ranks = {card.rank for card in observation.hand}
    total = 0.0
    for card in observation.unseen(suit):
        total += card.worth / 2
        if card.rank in ranks:
            total += 1
        if card.rank - 1 in ranks or card.rank + 1 in ranks:
            total += 2 * card.worth
    return total / len(observation.unseen(suit))
