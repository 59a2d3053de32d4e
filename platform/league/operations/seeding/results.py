"""Results drawn from hidden strengths, distributed as the house bots' own are."""

from random import Random
from typing import NamedTuple

from arena import chance as deal
from arena.replay import FORFEIT_POINTS_PER_GAME
from league.operations.seeding import faults

POINTS_A_GAME = 70.0
SWING = 16.0
"""Standard deviation of the points of a game that one has at the other's cost."""
NOISE = 13.0
ROUNDS = range(23, 32)
FORFEITS = 0.012
BOTH_FAIL = 0.03
"""Share of the forfeits in which neither bot comes up."""

Games = list[list[int]]


class Result(NamedTuple):
    """The columns of a match that say how it ended."""

    outcome: str
    termination: str
    forfeits: str
    reason: str
    points_a: int
    points_b: int
    games: Games
    games_done: int


def draw(chance: Random, seed: int, games: int, gap: float) -> Result:
    """A result of A, who is better than B by that many points a game, over a match with that seed."""
    played = _games(chance, deal.first_dealer(seed), games, gap)
    if chance.random() < FORFEITS:
        return _forfeit(chance, played)
    a, b = (sum(game[seat] for game in played) for seat in (1, 2))
    outcome = "A" if a > b else "B" if b > a else "draw"
    return Result(outcome, "completed", "", "", a, b, played, len(played))


def _games(chance: Random, first_dealer: int, number: int, gap: float) -> Games:
    games = []
    for game in range(number):
        swing = gap / 2 + chance.gauss(0, SWING)
        a = POINTS_A_GAME + swing + chance.gauss(0, NOISE)
        b = POINTS_A_GAME - swing + chance.gauss(0, NOISE)
        games.append([(first_dealer + game) % 2, max(0, round(a)), max(0, round(b)), chance.choice(ROUNDS)])
    return games


def _forfeit(chance: Random, played: Games) -> Result:
    least = FORFEIT_POINTS_PER_GAME * len(played)
    if chance.random() < BOTH_FAIL:
        fault = faults.AT_LOAD
        return Result("none", fault.termination, "AB", f"at load: {fault.reason}", 0, 0, [], 0)
    broken = chance.randint(1, len(played))
    games = played[:broken]
    dealer, a, b, rounds = games[-1]
    games[-1] = [dealer, a // 2, b // 2, rounds // 2]
    fault = faults.of_bot(chance)
    reason = f"{faults.place(chance, broken)}: {fault.reason}"
    loser = chance.choice("AB")
    own = max(least, sum(game[2 if loser == "A" else 1] for game in games))
    points = (0, own) if loser == "A" else (own, 0)
    return Result("B" if loser == "A" else "A", fault.termination, loser, reason, *points, games, broken)
