from __future__ import annotations

from typing import Any

import pytest

from arena import match
from arena.moment import observed
from arena.observation import Observation
from arena.players import LocalPlayer
from arena.replay import Record
from arena.ruleset import Ruleset, TimeControl


class Keeper:
    """Lays the last of its legal plays, keeps what it sees, and fails at a given call."""

    def __init__(self, fails_at: int, where: str = "play") -> None:
        self.fails_at = fails_at
        self.where = where
        self.calls = 0
        self.seen: list[Any] = []

    def play(self, observation: Observation) -> Any:
        self._meet("play", observation)
        return observation.legal_plays[-1]

    def choose_pile(self, observation: Observation, purpose: str) -> str:
        self._meet("choose_pile", observation)
        return observation.legal_piles[0]

    def game_start(self, observation: Observation) -> None:
        self._meet("game_start", observation)

    def game_end(self, observation: Observation) -> None:
        self._meet("game_end", observation)

    def _meet(self, where: str, observation: Observation) -> None:
        if where == self.where:
            self.calls += 1
        if where == self.where and self.calls == self.fails_at:
            self.seen.append(facts(observation))
            raise ValueError("no idea")


def facts(observation: Observation | None) -> tuple[Any, ...]:
    assert observation is not None
    return (
        observation.game,
        observation.match_scores,
        observation.phase,
        observation.hand,
        observation.lobby,
        observation.kind,
        observation.piles,
        observation.opponent_suits,
        observation.legal_plays,
        observation.legal_piles,
        (observation.score, observation.opponent_score),
        observation.passes,
        observation.last_layer,
        observation.history,
        [observation.unseen(suit) for suit in "CDHS"],
    )


def broken_off(keeper: Keeper, seat: int, decks: int = 1) -> Record:
    players = [LocalPlayer(lambda: Keeper(0)), LocalPlayer(lambda: Keeper(0))]
    players[seat] = LocalPlayer(lambda: keeper)
    return match.play((players[0], players[1]), Ruleset(games=3, decks=decks), TimeControl(), seed=11)


@pytest.mark.parametrize("seat", [0, 1])
@pytest.mark.parametrize("decks", [1, 3])
@pytest.mark.parametrize(
    ("where", "fails_at"),
    [
        ("play", 1),
        ("play", 5),
        ("play", 30),
        ("choose_pile", 1),
        ("choose_pile", 9),
        ("game_start", 2),
        ("game_end", 1),
    ],
)
def test_it_is_what_the_bot_had_before_it_when_it_failed(seat: int, decks: int, where: str, fails_at: int) -> None:
    keeper = Keeper(fails_at, where)
    record = broken_off(keeper, seat, decks)
    assert record.outcome.forfeits == (seat,)
    assert keeper.seen == [facts(observed(record, seat))]


def test_the_other_seat_has_its_own_view_of_the_moment() -> None:
    record = broken_off(Keeper(5), 0)
    mine, other = observed(record, 0), observed(record, 1)
    assert mine is not None
    assert other is not None
    assert len(mine.hand) == other.opponent_size
    assert not set(mine.hand) & set(other.hand)
    assert other.legal_plays == []


def test_a_finished_match_ends_with_its_last_game_over() -> None:
    record = broken_off(Keeper(0), 0)
    observation = observed(record, 0)
    assert observation is not None
    assert observation.over
    assert (observation.score, observation.opponent_score) == record.games[-1].points
    assert observation.match_scores == tuple(sum(game.points[seat] for game in record.games[:-1]) for seat in range(2))


def test_a_bot_that_never_came_up_saw_nothing() -> None:
    class Broken:
        def __init__(self) -> None:
            raise OSError("no file")

    record = match.play((LocalPlayer(Broken), LocalPlayer(lambda: Keeper(0))), Ruleset(games=2), TimeControl(), 1)
    assert observed(record, 0) is None
