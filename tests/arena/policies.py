"""Bots that decide by a few weights, and games between them."""

from __future__ import annotations

from collections.abc import Iterator
from random import Random
from typing import Any, NamedTuple

from arena import chance, wire
from arena.cards import Card
from arena.events import told
from arena.match import play
from arena.observation import Observation
from arena.players import Answer
from arena.replay import Record
from arena.ruleset import Ruleset, TimeControl
from arena.state import DEAL, DRAW, LOBBY, OVER, State
from tests.arena.bots import ByEvents

PURPOSES = {DEAL: "deal", LOBBY: "lobby", DRAW: "draw"}


class Policy(NamedTuple):
    """What each choice weighs: the heaviest is taken, of equal ones the first."""

    card: int = 0
    """For each card laid."""
    worth: int = 0
    """For each point of worth laid."""
    passing: int = 0
    """For a pass."""
    pile: int = 0
    """For each card in the pile."""
    luck: int = 0
    """At most so much more, by chance."""
    seed: int = 0


PASSER = Policy(card=-1, passing=9)
LONGEST = Policy(card=1)
RANDOM = Policy(luck=1)


def drawn(rng: Random) -> Policy:
    """One of the three above or, mostly, any."""
    card, worth, passing, pile = (rng.randint(-3, 3) for _ in range(4))
    any_other = Policy(card, worth, passing, pile, rng.randint(0, 5), rng.getrandbits(32))
    return rng.choice([PASSER, LONGEST, RANDOM, *[any_other] * 7])


class Weighing:
    """A bot with a policy, which gives the same answers whenever it is told the same."""

    def __init__(self, policy: Policy) -> None:
        self._policy = policy
        self._rng = Random(policy.seed)

    def play(self, observation: Observation) -> tuple[Card, ...]:
        return max(observation.legal_plays, key=self._weight)

    def choose_pile(self, observation: Observation, purpose: str) -> str:
        piles = observation.piles
        return max(observation.legal_piles, key=lambda suit: self._policy.pile * piles[suit] + self._luck())

    def game_end(self, observation: Observation) -> None:
        """Defined, so that a bot is told the last events too."""

    def _weight(self, cards: tuple[Card, ...]) -> float:
        policy = self._policy
        laid = policy.card * len(cards) + policy.worth * sum(card.worth for card in cards)
        return (laid if cards else policy.passing) + self._luck()

    def _luck(self) -> float:
        return self._policy.luck * self._rng.random()


class Overheard(ByEvents):
    """A player that keeps the events it was told."""

    def __init__(self, policy: Policy) -> None:
        super().__init__(lambda: Weighing(policy))
        self.events: list[wire.Event] = []

    def ask(self, request: wire.Message) -> Answer:
        self.events += request["events"]
        return super().ask(request)


class Match(NamedTuple):
    record: Record
    events: tuple[list[wire.Event], list[wire.Event]]
    """What seats 0 and 1 were told, of all games."""


def match_of(ruleset: Ruleset, seed: int, policies: tuple[Policy, Policy]) -> Match:
    """A match as the platform plays it."""
    a, b = (Overheard(policy) for policy in policies)
    return Match(play((a, b), ruleset, TimeControl(), seed), (a.events, b.events))


class Moment(NamedTuple):
    """A game and what both seats know of it, before an action or at the end."""

    state: State
    seats: tuple[Observation, Observation]


def observed_game(ruleset: Ruleset, seed: int, dealer: int, policies: tuple[Policy, Policy]) -> Iterator[Moment]:
    """Each moment of the first game of that seed, dealt by that seat; it is the same objects that go on."""
    state = State(ruleset, chance.piles(seed, 1, ruleset.decks), dealer)
    bots = [Weighing(policy) for policy in policies]
    seats = Observation(ruleset, 0, 1, dealer), Observation(ruleset, 1, 1, dealer)
    while True:
        yield Moment(state, seats)
        if state.phase == OVER:
            return
        mover = state.to_move
        action = _decision(state, bots[mover], seats[mover])
        mine, others = told(state, action)
        seats[mover].update(mine)
        seats[1 - mover].update(others)
        state.apply(action)


def _decision(state: State, bot: Any, seen: Observation) -> int:
    actions = state.legal_actions()
    if len(actions) == 1:
        return actions[0]
    purpose = PURPOSES.get(state.phase)
    return state.take(bot.choose_pile(seen, purpose)) if purpose else state.lay(bot.play(seen))
