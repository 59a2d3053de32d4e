"""Counts: what the other may still hold, how likely he can answer, and which pile has the cards to hope for.

The pile that each hidden card came from is public, so the other's hand is known by suits, and each of its cards is
equally likely to be any card of its suit that has not been seen.
"""

from __future__ import annotations

from arena import SUITS, Card, Observation, State
from arena.state import PASS, PILE, RUN, SET, score


class Bot:
    def play(self, observation: Observation) -> tuple[Card, ...]:
        state = observation.state
        best = max(state.legal_actions(), key=lambda action: expected_gain(observation, state, action))
        return state.cards_of(best)

    def choose_pile(self, observation: Observation, purpose: str) -> str:
        if purpose == "lobby":
            return max(observation.legal_piles, key=lambda suit: gain_of_turning(observation, suit))
        if purpose == "draw":
            return max(observation.legal_piles, key=lambda suit: gain_of_drawing(observation, suit))
        return observation.legal_piles[0]


def expected_gain(observation: Observation, state: State, action: int) -> float:
    """Points that I can expect of this round if I do this; what the other takes counts against me."""
    rules = observation.ruleset
    if action == PASS:
        at_stake = score(state.lobby, state.kind, rules.set_scoring)
        return {observation.seat: at_stake, 1 - observation.seat: -at_stake}.get(state.last_layer, 0)
    after = state.clone()
    after.apply(action)
    mine = score(after.lobby, after.kind, rules.set_scoring)
    # If he answers, with one card at the least, the lobby grows and is his.
    length = len(after.lobby)
    his = mine * ((length + 1) / length) ** 2
    answered = chance_of_answer(observation, after)
    return (1 - answered) * mine - answered * his


def chance_of_answer(observation: Observation, state: State) -> float:
    """The chance that the other holds a card that continues this lobby."""
    ranks = set()
    if state.kind != RUN:
        ranks.add(state.high)
    if state.kind != SET:
        ranks.add(state.high + 1)
        if state.both_ends:
            ranks.add(state.low - 1)
    none = 1.0
    for suit, held in observation.opponent_suits.items():
        unseen = observation.unseen(suit)
        fitting = sum(card >> 2 in ranks for card in unseen)
        for i in range(held):
            none *= max(0, len(unseen) - fitting - i) / (len(unseen) - i)
    return 1 - none


def gain_of_turning(observation: Observation, suit: str) -> float:
    """What I can expect of leading the round, averaged over the cards that may be on top of that pile."""
    pile = SUITS.index(suit)
    unseen = observation.unseen(suit)
    total = 0.0
    for card in unseen:
        state = observation.state.clone()
        state.piles[pile][-1] = card
        state.apply(PILE + pile)
        total += max(expected_gain(observation, state, action) for action in state.legal_actions())
    return total / len(unseen)


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
