"""The end of a game, solved: once all piles are empty both hands can be known, and a position has one exact value.

Alpha-beta over whole rounds, with a table of the leads that it met. Suits do not matter any more: a hand is the counts
of its ranks (`arena.lays.count`), and so is what is laid from it.
"""

from __future__ import annotations

from itertools import product
from typing import NamedTuple

from arena.cards import HONOURS_FROM, RANKS, SUITS
from arena.lays import BLANK, DIGIT, REACH
from arena.observation import Observation
from arena.ruleset import Ruleset
from arena.state import LEAD, NOBODY, OVER, TURN, State

INFINITY = 1_000_000
RUNS = tuple([sum([1 << DIGIT * rank for rank in range(length)]) for length in range(len(RANKS) + 1)])
"""By length, the counts of a run from the lowest rank on."""


class Solution(NamedTuple):
    margin: int
    """Points that the player to move gains from here to the end of the game, less those that the other gains."""
    line: tuple[int, ...]
    """Actions to the end of the game by which both get the most that they can."""


def solve(state: State) -> Solution:
    """The best line of a game whose piles are empty and whose hands are known, also in the middle of a round.

    Raises:
        ValueError: a pile has cards, or a hand a blank; see `deduced`.
    """
    if state.left:
        sizes = ", ".join([f"{len(pile)} in {suit}" for suit, pile in zip(SUITS, state.piles, strict=True) if pile])
        raise ValueError(f"expected empty piles, got {sizes}; before the endgame sample and search instead")
    if blanks := sum([card >= BLANK for hand in state.hands for card in hand]):
        raise ValueError(f"expected both hands known, got {blanks} blanks; solve deduced(observation) instead")
    search = Search(state.ruleset)
    margin = search.value(state)
    return Solution(margin, search.line(state, margin))


def deduced(observation: Observation) -> State | None:
    """The full state, once it follows from what the player has seen: with empty piles the other holds all the rest."""
    if observation.state.left:
        return None
    state = observation.state.clone()
    for suit in SUITS:
        state.reveal(1 - observation.seat, observation.unseen(suit))
    return state


class _Lobby(NamedTuple):
    """Ends are rank indices, 0 to 12. One card is open, several of one rank are a set, others a run."""

    low: int
    high: int
    length: int
    points: int
    """For who takes it; 0 while nobody has laid."""


_Lay = tuple[int, _Lobby]
"""Counts of the cards laid, and the lobby that they make."""


class Search:
    """Margins in points for the player to move; hands are counts, `mine` those of the player to move.

    A margin between `alpha` and `beta` is exact; at or beyond one of them it is a bound (fail-soft).
    """

    def __init__(self, ruleset: Ruleset) -> None:
        self.both_ends = ruleset.run_direction == "both"
        self.sets_by_worth = ruleset.set_scoring == "worth"
        self.stops = ruleset.endgame == "stop"
        self.gives_lead_away = ruleset.unclaimed == "other_leader"
        self.bounds: dict[tuple[int, int], tuple[int, int]] = {}
        """Lowest and highest margin of who leads, by his hand and the other's."""
        self.lays: dict[tuple[int, _Lobby | None], list[_Lay]] = {}
        """What a hand may lay on a lobby, or lead."""

    def value(self, state: State, alpha: int = -INFINITY, beta: int = INFINITY) -> int:
        """The margin from that state on; both hands must be known. Between two rounds it is that of `next_round`."""
        if state.phase is OVER:
            return 0
        me = state.to_move
        mine, his = state.counts[me], state.counts[1 - me]
        if state.phase is LEAD:
            return self._lead(mine, his, alpha, beta)
        if state.phase is not TURN:
            return self._next(mine, his, state.leader == me, alpha, beta)
        lobby = self._lobby(state.low, state.high, len(state.lobby))
        if state.last_layer != NOBODY:
            return self._turn(mine, his, lobby, state.last_layer == me, state.passes, alpha, beta)
        leads = (state.leader == me) ^ self.gives_lead_away
        return self._turn(mine, his, lobby._replace(points=0), leads, state.passes, alpha, beta)

    def yields(self, state: State, action: int, alpha: int = -INFINITY, beta: int = INFINITY) -> int:
        """The margin from that state on if this action is done now."""
        after, gained = _after(state, action)
        if after.to_move == state.to_move:
            return gained + self.value(after, alpha - gained, beta - gained)
        return gained - self.value(after, gained - beta, gained - alpha)

    def line(self, state: State, margin: int) -> tuple[int, ...]:
        """Actions from that state to the end of the game that yield this margin, the best there is."""
        line = []
        while actions := state.legal_actions():
            best = next(each for each in actions if self.yields(state, each, margin - 1, margin) >= margin)
            line.append(best)
            after, gained = _after(state, best)
            margin -= gained
            if after.to_move != state.to_move:
                margin = -margin
            state = after
        return tuple(line)

    def next_round(self, mine: int, his: int, alpha: int, beta: int) -> int:
        """The margin of who leads after a round. A search that overrides it with an estimate ends there."""
        return 0 if self.stops else self._lead(mine, his, alpha, beta)

    def _lead(self, mine: int, his: int, alpha: int, beta: int) -> int:
        if not mine:
            return -self._lead(his, 0, -beta, -alpha) if his else 0
        lowest, highest = self.bounds.get((mine, his), (-INFINITY, INFINITY))
        if lowest >= beta or lowest == highest:
            return lowest
        if highest <= alpha:
            return highest
        best = -INFINITY
        for laid, lobby in self._leads(mine):
            best = max(best, -self._turn(his, mine - laid, lobby, False, 0, -beta, -max(alpha, best)))
            if best >= beta:
                break
        if best > alpha:
            lowest = best
        if best < beta:
            highest = best
        self.bounds[mine, his] = lowest, highest
        return best

    def _turn(self, mine: int, his: int, lobby: _Lobby, takes: bool, passes: int, alpha: int, beta: int) -> int:
        """`takes` says whether the player to move would take the lobby, or the next lead, if the round ended now."""
        lays = self._answers(mine, lobby)
        if not lays and not passes and not self._answers(his, lobby):
            return self._end(mine, his, lobby, takes, alpha, beta)
        best = -INFINITY
        if passes:
            best = self._end(mine, his, lobby, takes, alpha, beta)
        for laid, grown in lays:
            if best >= beta:
                return best
            best = max(best, -self._turn(his, mine - laid, grown, False, 0, -beta, -max(alpha, best)))
        if not passes and best < beta:
            best = max(best, -self._turn(his, mine, lobby, not takes, 1, -beta, -max(alpha, best)))
        return best

    def _end(self, mine: int, his: int, lobby: _Lobby, takes: bool, alpha: int, beta: int) -> int:
        points = lobby.points if takes else -lobby.points
        return points + self._next(mine, his, takes, alpha - points, beta - points)

    def _next(self, mine: int, his: int, leads: bool, alpha: int, beta: int) -> int:
        return self.next_round(mine, his, alpha, beta) if leads else -self.next_round(his, mine, -beta, -alpha)

    def _answers(self, mine: int, lobby: _Lobby) -> list[_Lay]:
        """The lays that continue the lobby, those worth most first."""
        if not self.both_ends:
            mine &= REACH << DIGIT * lobby.high
            if not mine:
                return []
        found = self.lays.get((mine, lobby))
        if found is None:
            low, high, length, _ = lobby
            found = []
            if low == high:
                held = mine >> DIGIT * high & 7
                found += [(n << DIGIT * high, self._lobby(low, high, length + n)) for n in range(1, held + 1)]
            if low < high or length == 1:
                up = _stretch(mine, high + 1, 1)
                down = _stretch(mine, low - 1, -1) if self.both_ends else 0
                for above, below in list(product(range(up + 1), range(down + 1)))[1:]:
                    laid = (RUNS[above] << DIGIT * (high + 1)) + (RUNS[below] << DIGIT * (low - below))
                    found.append((laid, self._lobby(low - below, high + above, length + above + below)))
            found.sort(key=_points, reverse=True)
            self.lays[mine, lobby] = found
        return found

    def _leads(self, mine: int) -> list[_Lay]:
        """The lays that open a round, those worth most first."""
        found = self.lays.get((mine, None))
        if found is None:
            found = []
            for rank in range(len(RANKS)):
                held = mine >> DIGIT * rank & 7
                found += [(n << DIGIT * rank, self._lobby(rank, rank, n)) for n in range(2, held + 1)]
                for length in range(1, _stretch(mine, rank, 1) + 1):
                    found.append((RUNS[length] << DIGIT * rank, self._lobby(rank, rank + length - 1, length)))
            found.sort(key=_points, reverse=True)
            self.lays[mine, None] = found
        return found

    def _lobby(self, low: int, high: int, length: int) -> _Lobby:
        honours = max(0, high + 1 - max(low, HONOURS_FROM))
        if low < high or length == 1:
            worth = length + honours
        else:
            worth = length * (1 + honours) if self.sets_by_worth else length
        return _Lobby(low, high, length, length * worth)


def _points(lay: _Lay) -> int:
    return lay[1].points


def _stretch(counts: int, rank: int, step: int) -> int:
    """How many ranks in a row the hand has, from that one on."""
    length = 0
    while rank >= 0 and counts >> DIGIT * rank & 7:
        length += 1
        rank += step
    return length


def _after(state: State, action: int) -> tuple[State, int]:
    """The state after that action, and the points by which it brings the player who does it ahead."""
    after = state.clone()
    after.apply(action)
    me = state.to_move
    mine, his = (after.scores[seat] - state.scores[seat] for seat in (me, 1 - me))
    return after, mine - his
