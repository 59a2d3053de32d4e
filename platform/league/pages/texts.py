"""What the rules page and the guide show beside their text, taken from the engine that enforces it."""

from typing import Any

from django.utils.translation import gettext as _

from arena.cards import card
from arena.ruleset import CHOICES, Ruleset
from arena.state import OPEN, RUN, SET, score

TAKEN = ("9S TH", "QH KC", "7D 8S 9C", "TC JH QD", "JS QH KD AC", "TS TH TC", "QC QD QH QS")


def scoring_examples(ruleset: Ruleset) -> list[tuple[list[str], str, int]]:
    """Taken sequences with their points: cards, the multiplication, the result."""
    rows = []
    for text in TAKEN:
        names = text.split()
        cards = [card(name) for name in names]
        kind = OPEN if len(cards) == 1 else SET if cards[0].rank == cards[1].rank else RUN
        points = score(cards, kind, ruleset.set_scoring)
        rows.append((names, f"{len(cards)} × {points // len(cards)}", points))
    return rows


def options(ruleset: Ruleset) -> list[dict[str, Any]]:
    """The ruleset's options: their values, or their range, and the one in force."""
    shown = []
    for name, values in CHOICES.items():
        row: dict[str, Any] = {"name": name, "current": getattr(ruleset, name)}
        if isinstance(values, range):
            row |= {"low": values[0], "high": values[-1]}
        else:
            row["choices"] = values
        shown.append(row)
    return shown


def observation() -> list[tuple[str, str]]:
    """What a bot sees, name by name."""
    return [
        ("hand", _("your cards, ascending")),
        ("lobby", _("the cards on the table, in the order laid")),
        ("kind", _("what the lobby is: Kind.OPEN, RUN or SET")),
        ("legal_plays", _("what you may lay now; the empty tuple is a pass")),
        ("legal_piles", _("suits of the piles you may choose now")),
        ("piles", _("cards left in each pile, by suit")),
        ("opponent_size", _("cards in the other's hand")),
        ("opponent_suits", _("the same by suit: the pile each came from is public")),
        ("unseen(suit)", _("cards of that suit you have not seen: in its pile or the other's hand")),
        ("last_layer", _("the seat that would take the lobby now, or -1")),
        ("passes", _("1 if the other has just passed, so that your pass ends the round")),
        ("score, opponent_score", _("points in this game")),
        ("match_scores", _("points of seats 0 and 1 in the games before")),
        ("seat, dealer, leader, game", _("who you are, who deals, who leads, which game it is")),
        ("history", _("all moves of this game, as you saw them")),
        ("sample(rng)", _("a full state drawn from all that agree with what you know, for search")),
    ]
