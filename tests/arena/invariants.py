"""What docs/rules.md promises of every game, whoever plays it: each check gives what is broken, and where."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from typing import Any, NamedTuple

from arena import notation, replay, wire
from arena.cards import CARDS, SUITS, ParseError
from arena.observation import Observation
from arena.replay import Record, ReplayError
from arena.ruleset import Ruleset
from arena.state import BLANK, DEAL, LEAD, LOBBY, NOBODY, OVER, PASS, PILE, TURN, State
from tests.arena import naive
from tests.arena.policies import Match, Policy, observed_game

ACTIONS = 156
POINTS = 884
"""The most of a game with one deck, beside the deal: each card in a round of its own; four whole suits as runs."""


class Course(NamedTuple):
    """A recorded game."""

    moves: list[tuple[State, int]]
    """Each action with the state before it."""
    end: State


def broken_in(match: Match) -> list[str]:
    """What that match broke; nothing, if the engine keeps the rules."""
    record = match.record
    if found := list(_replay(record)):
        return found
    for number in range(1, len(record.games) + 1):
        course = _course(record, number)
        checks = [_cards(course), _hands(course), _scores(course), _bounds(course)]
        checks += [_told(match.events[seat], number, course, seat) for seat in range(2)]
        found += [f"game {number}: {what}" for check in checks for what in check]
    return found


def broken_by_exchange(ruleset: Ruleset, seed: int, policy: Policy) -> list[str]:
    """Whether a bot that meets itself gains by its seat: the same cards, dealt by one and by the other, sum to zero."""
    differences = []
    for dealer in range(2):
        *_, (state, _) = observed_game(ruleset, seed, dealer, (policy, policy))
        differences.append(state.scores[0] - state.scores[1])
    return [] if sum(differences) == 0 else [f"exchange: expected a sum of zero, got {differences}"]


def _course(record: Record, number: int) -> Course:
    moves = []
    for state, action, _ in replay.positions(record, number):
        moves.append((state.clone(), action))
    end = moves[-1][0].clone()
    end.apply(moves[-1][1])
    return Course(moves, end)


def _replay(record: Record) -> Iterator[str]:
    """The record, stored or written and read back, is the same and plays the same."""
    encoded = replay.encode(record)
    try:
        replay.verify(record)
        if replay.decode(encoded.format, encoded.codec, encoded.data) != record:
            yield "replay: the stored record reads back as another"
        if notation.read(notation.write(record)) != record:
            yield "replay: the written record reads back as another"
    except (ReplayError, ParseError) as error:
        yield f"replay: {error}"
    if record.outcome.forfeits:
        yield f"replay: a bot that plays by the rules forfeits: {record.outcome.reason}"


def _taken(course: Course) -> list[tuple[int, naive.Cards]]:
    """Each lobby that left the table, and who took it."""
    ends = [state for state, action in course.moves if action == PASS and state.passes]
    return [(state.last_layer, tuple(CARDS[card].text for card in state.lobby)) for state in ends]


def _cards(course: Course) -> Iterator[str]:
    """Each card ends in one sequence, taken or unclaimed, or in a hand where the game stops before the endgame."""
    rules = course.end.ruleset
    gone = Counter(card for _, cards in _taken(course) for card in cards)
    if rules.endgame == "stop":
        gone.update(CARDS[card].text for hand in course.end.hands for card in hand)
    if gone != Counter({card.text: rules.decks for card in CARDS}):
        yield f"cards: expected each {rules.decks} times, got {gone}"
    for taker, cards in _taken(course):
        both = rules.run_direction == "both"
        whole = naive.is_set(cards) or naive.is_run(naive.ascending(cards) if both else cards)
        if not whole and len(cards) != 1:
            yield f"cards: {cards} is neither a run nor a set"
        if taker == NOBODY and len(cards) != 1:
            yield f"cards: {cards} was laid on and went unclaimed"


def _hands(course: Course) -> Iterator[str]:
    for i, (state, _) in enumerate(course.moves):
        sizes = [len(hand) for hand in state.hands]
        if state.phase == LOBBY and sizes != [5, 5]:
            yield f"hands: action {i}: expected five cards each when a card is turned, got {sizes}"


def _scores(course: Course) -> Iterator[str]:
    rules = course.end.ruleset
    expected = [0, 0]
    for taker, cards in _taken(course):
        if taker != NOBODY:
            expected[taker] += naive.points(rules.as_dict(), cards)
    if course.end.scores != expected:
        yield f"scores: expected {expected} by the sequences taken, got {course.end.scores}"
    if sum(course.end.scores) > POINTS * rules.decks:
        yield f"scores: expected at most {POINTS * rules.decks} in all, got {course.end.scores}"


def _bounds(course: Course) -> Iterator[str]:
    rules = course.end.ruleset
    if course.end.phase != OVER:
        yield f"bounds: the game ends in phase {course.end.phase.name}"
    if len(course.moves) - 1 > ACTIONS * rules.decks:
        yield f"bounds: expected at most {ACTIONS * rules.decks} actions, got {len(course.moves) - 1}"
    for i, (state, _) in enumerate(course.moves):
        choices, most = len(state.legal_actions()), _most_choices(state)
        if choices > most:
            yield f"bounds: action {i}: expected at most {most} choices, got {choices}"


def _most_choices(state: State) -> int:
    """As the rules say; where runs grow downward too, a turn with one deck has up to 15 (see test_comparison.py)."""
    rules = state.ruleset
    if state.phase == TURN:
        return 24 if rules.decks > 1 else 11 if rules.run_direction == "up" else 15
    if state.phase == LEAD:
        return 23 if rules.decks > 1 else 20
    return 4


def _told(events: list[wire.Event], number: int, course: Course, seat: int) -> Iterator[str]:
    """One seat is told what it may know and no more, and its observation says the same as the table."""
    rules = course.end.ruleset
    starts = [i for i, event in enumerate(events) if event[0] == wire.GAME]
    of_game = events[starts[number - 1] : [*starts, len(events)][number]]
    dealer = course.moves[0][0].dealer
    expected = [[wire.GAME, number, dealer], *[_event(state, action, seat) for state, action in course.moves]]
    if of_game != expected:
        wrong_events = [each for each in zip(expected, of_game, strict=False) if each[0] != each[1]]
        yield f"told: seat {seat}: expected {len(expected)} events, got {len(of_game)}; first wrong {wrong_events[:1]}"
        return
    seen = Observation(rules, seat, number, dealer)
    after = [state for state, _ in course.moves[1:]] + [course.end]
    for i, (event, state) in enumerate(zip(of_game[1:], after, strict=True)):
        seen.update(event)
        known, true = _known(seen), _true(state, seat)
        wrong = [f"{what}: expected {true[what]}, got {known[what]}" for what in true if known[what] != true[what]]
        yield from (f"told: seat {seat}, action {i}: {what}" for what in wrong)
    if [[*move.cards] for move in seen.history] != [event[1:] for event in of_game[1:]]:
        yield f"told: seat {seat}: the history has other cards than the events"


def _event(state: State, action: int, seat: int) -> wire.Event:
    """What that seat may be told of an action: all that is face up, and the cards that come to its own hand."""
    if action == PASS:
        return [PASS]
    if action < PILE:
        return [wire.LAY, *state.cards_of(action)]
    pile = state.piles[action - PILE][::-1]
    if state.phase == DEAL:
        return [action, *pile[int(seat == state.dealer) : 10 : 2]]
    shown = state.phase == LOBBY or state.to_move == seat
    return [action, *pile[:shown]]


def _known(seen: Observation) -> dict[str, Any]:
    hidden = [*seen.state.piles, seen.state.hands[1 - seen.seat]]
    return {
        "hand": list(seen.hand),
        "lobby": list(seen.lobby),
        "phase, kind and leader": (seen.phase, seen.kind, seen.leader),
        "last layer and passes": (seen.last_layer, seen.passes),
        "scores": [seen.score, seen.opponent_score],
        "piles": list(seen.piles.values()),
        "the other's cards": (seen.opponent_size, list(seen.opponent_suits.values())),
        "unseen": [list(seen.unseen(suit)) for suit in SUITS],
        "choices": [*seen.legal_plays, *seen.legal_piles],
        "cards it should not see": [some for some in hidden if some and min(some) < BLANK],
    }


def _true(state: State, seat: int) -> dict[str, Any]:
    """The same, counted on the table itself."""
    other = state.hands[1 - seat]
    actions = state.legal_actions() if state.to_move == seat else ()
    return {
        "hand": state.hands[seat],
        "lobby": state.lobby,
        "phase, kind and leader": (state.phase, state.kind, state.leader),
        "last layer and passes": (state.last_layer, state.passes),
        "scores": [state.scores[seat], state.scores[1 - seat]],
        "piles": [len(pile) for pile in state.piles],
        "the other's cards": (len(other), [sum(card % 4 == suit for card in other) for suit in range(4)]),
        "unseen": [sorted([*state.piles[suit], *(card for card in other if card % 4 == suit)]) for suit in range(4)],
        "choices": [SUITS[action - PILE] if action >= PILE else state.cards_of(action) for action in actions],
        "cards it should not see": [],
    }
