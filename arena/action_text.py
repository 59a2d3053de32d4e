"""Reads actions that people write: for the terminal, tests and examples."""

from __future__ import annotations

from collections import Counter

from arena.cards import BY_TEXT, RANKS, SUITS, ParseError, text
from arena.outcome import SEATS
from arena.state import PASS, PILE, TURN, IllegalAction, Phase, State

CHOOSES_PILE = {Phase.DEAL, Phase.LOBBY, Phase.DRAW}


class AmbiguousAction(ValueError):  # noqa: N818 - as IllegalAction
    """A text that fits several legal actions; the message names it and them."""


def parse(state: State, words: str) -> int:
    """The legal action that is meant by these words.

    `pass`; the suit of a pile, such as `H`; or cards in any order, such as `TH JH`. A card may go by its rank alone,
    `T J`, where that fits one lay only.

    Raises:
        ParseError: the words are no action in this notation, or of another kind than is due.
        IllegalAction: the rules don't allow it here.
        AmbiguousAction: several lays fit.
    """
    asked = words.split()
    if state.phase in CHOOSES_PILE:
        return _pile(state, words, asked)
    if asked == ["pass"]:
        fitting = [action for action in state.legal_actions() if action == PASS]
    else:
        _check_cards(state, words, asked)
        fitting = [action for action in state.legal_actions() if action != PASS and _fits(state, action, asked)]
    if not fitting:
        raise IllegalAction(_said(state, words, "not legal"))
    if len(fitting) > 1:
        meant = " | ".join(map(state.action_text, fitting))
        raise AmbiguousAction(_said(state, words, f"may be {meant}"))
    return fitting[0]


def _pile(state: State, words: str, asked: list[str]) -> int:
    if len(asked) != 1 or asked[0] not in tuple(SUITS):
        raise ParseError(_said(state, words, f"expected the suit of a pile ({', '.join(SUITS)})"))
    action = PILE + SUITS.index(asked[0])
    if action not in state.legal_actions():
        raise IllegalAction(_said(state, words, "that pile is empty"))
    return action


def _check_cards(state: State, words: str, asked: list[str]) -> None:
    known = all(word in BY_TEXT or (len(word) == 1 and word in RANKS) for word in asked)
    if not asked or not known:
        expected = "expected pass, or cards as rank and suit such as 'TH JH', or ranks alone such as 'T J'"
        raise ParseError(_said(state, words, expected))


def _fits(state: State, action: int, asked: list[str]) -> bool:
    """If these are that lay's cards, some perhaps by their ranks."""
    named = Counter(word for word in asked if word in BY_TEXT)
    cards = Counter(card.text for card in state.cards_of(action))
    if named - cards:
        return False
    rest = Counter(card[0] for card in (cards - named).elements())
    return rest == Counter(word for word in asked if word not in BY_TEXT)


def _said(state: State, words: str, what: str) -> str:
    """The message: what was asked, what is wrong with it, where, and what would be legal."""
    legal = " | ".join(map(state.action_text, state.legal_actions())) or "nothing: the game is over"
    return f"{words!r:.60}: {what}; {position_text(state)}; legal: {legal}"


def position_text(state: State) -> str:
    """The position in a few words, as its mover sees it."""
    if state.phase is Phase.OVER:
        return "the game is over"
    mover = state.to_move
    table = f" on {text(state.lobby)}" if state.phase is TURN else ""
    return f"{SEATS[mover]} to {_due(state.phase)}, holding {text(state.hands[mover]) or 'no card'}{table}"


def _due(phase: Phase) -> str:
    return {Phase.DEAL: "deal", Phase.LOBBY: "turn a card", Phase.DRAW: "draw", Phase.LEAD: "lead"}.get(phase, "play")
