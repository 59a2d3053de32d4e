"""What a bot is told, and that it is never told more."""

from collections import Counter
from random import Random
from typing import Any

from bots import ByEvents, Random1
from games import all_cards, on_the_table, rulesets, seeds
from hypothesis import given

from arena import chance, wire
from arena.match import play
from arena.observation import Observation
from arena.outcome import SEATS
from arena.players import LocalPlayer
from arena.ruleset import Ruleset, TimeControl
from arena.state import BLANK, State


class Listener(ByEvents):
    """A player that keeps all messages it was sent."""

    def __init__(self, factory: Any = Random1) -> None:
        super().__init__(factory)
        self.messages: list[wire.Message] = []

    def ask(self, request: wire.Message) -> Any:
        self.messages.append(request)
        return super().ask(request)

    @property
    def events(self) -> list[wire.Event]:
        return [event for message in self.messages for event in message["events"]]


def listen(ruleset: Ruleset, seed: int) -> tuple[Listener, Listener]:
    players = Listener(), Listener()
    play(players, ruleset, TimeControl(), seed)
    return players


class Spy:
    """Compares at each decision what it is told with what happened, as the test steps through the same game."""

    def __init__(self, seen: list[Observation]) -> None:
        self._seen = seen
        self._rng = Random(1)

    def play(self, observation: Observation) -> Any:
        self._seen.append(observation)
        return self._rng.choice(observation.legal_plays)


@given(rulesets, seeds)
def test_no_event_shows_the_order_of_a_pile_or_a_card_of_the_other(ruleset: Ruleset, seed: int) -> None:
    """Events of a draw carry the card for the drawer alone; all else that has cards is face up for both."""
    a, b = listen(ruleset, seed)
    assert len(a.events) >= 1
    for mine, other in zip(a.events, b.events, strict=False):
        assert mine[0] == other[0]
        if mine[0] >= 32 and mine[0] < 40 and len(mine) + len(other) == 3:
            continue
        if mine[0] >= 32 and len(mine) == 6:
            assert not set(mine[1:]) & set(other[1:]) or ruleset.decks > 1
            continue
        assert mine == other


@given(rulesets, seeds)
def test_a_message_holds_nothing_but_what_the_wire_describes(ruleset: Ruleset, seed: int) -> None:
    for player in listen(ruleset, seed):
        for message in player.messages:
            # the place is for the player that passes the message on: see `arena.wire`
            assert set(message) <= {"id", "op", "at", "purpose", "events"}
            assert str(seed) not in str(message) or seed < 10_000


@given(rulesets, seeds)
def test_the_observation_agrees_with_the_game_at_every_event(ruleset: Ruleset, seed: int) -> None:
    """The observation is fed by the events that one seat got; the true game is stepped beside it."""
    players = listen(ruleset, seed)
    for seat, player in enumerate(players):
        state = None
        seen = None
        number = 0
        for event in player.events:
            if event[0] == wire.GAME:
                _, number, dealer = event
                assert dealer == chance.dealer(seed, number)
                state = State(ruleset, chance.piles(seed, number, ruleset.decks), dealer)
                seen = Observation(ruleset, seat, number, dealer)
                continue
            assert state is not None
            assert seen is not None
            seen.update(event)
            state.apply(state.lay(event[1:]) if event[0] == wire.LAY else event[0])
            assert_agrees(seen, state)


def assert_agrees(seen: Observation, state: State) -> None:
    seat = seen.seat
    assert list(seen.hand) == state.hands[seat]
    assert list(seen.lobby) == state.lobby
    assert (seen.phase, seen.kind, seen.leader, seen.passes) == (state.phase, state.kind, state.leader, state.passes)
    assert [seen.score, seen.opponent_score] == [state.scores[seat], state.scores[1 - seat]]
    assert list(seen.piles.values()) == [len(pile) for pile in state.piles]
    assert seen.opponent_size == len(state.hands[1 - seat])
    suits = Counter("CDHS"[card & 3] for card in state.hands[1 - seat])
    assert {suit: count for suit, count in seen.opponent_suits.items() if count} == suits
    if state.to_move == seat and state.legal_actions():
        assert seen.state.legal_actions() == state.legal_actions()
    hidden = Counter(card for pile in state.piles for card in pile) + Counter(state.hands[1 - seat])
    assert Counter(card for suit in "CDHS" for card in seen.unseen(suit)) == hidden
    known = [card for some in (*seen.state.piles, seen.state.hands[1 - seat]) for card in some]
    assert all(card >= BLANK for card in known)


@given(rulesets, seeds)
def test_a_sample_never_contradicts_what_is_known(ruleset: Ruleset, seed: int) -> None:
    rng = Random(seed)

    class Sampler(Random1):
        def play(self, observation: Observation) -> Any:
            sample = observation.sample(rng)
            assert on_the_table(sample) <= all_cards(ruleset.decks)
            assert sample.legal_actions() == observation.state.legal_actions()
            assert [len(pile) for pile in sample.piles] == list(observation.piles.values())
            assert all(card & 3 == suit for suit, pile in enumerate(sample.piles) for card in pile)
            suits = Counter("CDHS"[card & 3] for card in sample.hands[1 - observation.seat])
            assert suits == Counter({suit: n for suit, n in observation.opponent_suits.items() if n})
            return super().play(observation)

    players = Listener(Sampler), Listener()
    play(players, ruleset, TimeControl(), seed)


def test_the_history_has_every_move_in_order() -> None:
    seen: list[Observation] = []
    players = LocalPlayer(lambda: Spy(seen)), LocalPlayer(Random1)
    play(players, Ruleset(games=1), TimeControl(), 3)
    history = seen[0].history
    assert history[0].what == "deal"
    assert len(history[0].cards) == 5
    assert history[1].what == "turn"
    assert SEATS[history[1].seat] == SEATS[history[0].seat]
    assert {move.what for move in history} == {"deal", "turn", "lay", "pass", "draw"}
    for move in history:
        if move.what == "draw":
            assert len(move.cards) == (1 if move.seat == 0 else 0)
