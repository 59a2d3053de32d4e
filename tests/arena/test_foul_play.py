"""Bots that would rather not lose: neither to break off nor to meddle with chance brings them anything."""

from __future__ import annotations

import random
from collections.abc import Iterator
from typing import Any

import pytest

from arena import rating, standings
from arena.match import play
from arena.players import LocalPlayer
from arena.ruleset import Ruleset, TimeControl
from tests.arena.bots import Longest, Random1, local_match

ME, OTHERS = 1, {2: Longest, 3: Random1}
SEEDS = range(12)
GAMES = Ruleset(games=4)


class Fair:
    def play(self, observation: Any) -> Any:
        return max(observation.legal_plays, key=len)


class QuitsWhenBehind(Fair):
    def play(self, observation: Any) -> Any:
        if observation.game > 1 and sum(observation.match_scores[:1]) < sum(observation.match_scores[1:]):
            raise SystemExit("I have to go")
        return super().play(observation)


def results(bot: type) -> list[standings.Result]:
    """Of that bot's matches with the others, which are the same for each bot."""
    found = []
    for entrant, other in OTHERS.items():
        for seed in SEEDS:
            record = play((LocalPlayer(bot), LocalPlayer(other)), GAMES, TimeControl(), seed)
            forfeits = "".join("AB"[seat] for seat in record.outcome.forfeits)
            found.append(standings.Result(ME, entrant, record.outcome.letter, *record.points, forfeits))
    return found


def test_who_breaks_off_when_behind_stands_no_better_than_who_plays_on() -> None:
    on, off = results(Fair), results(QuitsWhenBehind)
    forfeited = [each.forfeits for each in off]
    assert set(forfeited) == {"", "A"}, "some matches are broken off, some are not"
    for kept, broken in zip(on, off, strict=True):
        if broken.forfeits:
            assert (broken.outcome, broken.points_a) == ("B", 0)
            assert broken.points_b >= 100 * GAMES.games
        else:
            assert broken == kept
    assert rated(off) < rated(on)
    assert row(off).match_points < row(on).match_points
    assert row(off).faults == forfeited.count("A")


def rated(found: list[standings.Result]) -> float:
    ratings = rating.rate(found, [ME, *OTHERS]).rows()
    return next(each.elo for each in ratings if each.entrant == ME)


def row(found: list[standings.Result]) -> standings.Row:
    return next(each for each in standings.table(found, [ME, *OTHERS]) if each.entrant == ME)


class SeedsChance(Fair):
    """Hopes for cards that it knows."""

    def play(self, observation: Any) -> Any:
        random.seed(0)
        random.random = lambda: 0.0
        random.Random.shuffle = lambda *_: None  # type: ignore[method-assign]
        return super().play(observation)


@pytest.fixture
def chance_kept() -> Iterator[None]:
    kept = random.random, random.Random.shuffle, random.getstate()
    yield
    random.random, random.Random.shuffle = kept[:2]  # type: ignore[method-assign]
    random.setstate(kept[2])


@pytest.mark.usefixtures("chance_kept")
def test_the_deals_are_the_same_whatever_a_bot_does_to_the_random_numbers_of_its_process() -> None:
    meddled, fair = local_match(SeedsChance, Fair, GAMES), local_match(Fair, Fair, GAMES)
    assert [(game.actions, game.points) for game in meddled.games] == [
        (game.actions, game.points) for game in fair.games
    ]
