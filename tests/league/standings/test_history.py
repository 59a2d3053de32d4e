from __future__ import annotations

from collections.abc import Callable

import pytest
from django.utils import timezone

from arena.rating import Rating
from league.bots.models import Version
from league.matches import roster
from league.matches.models import Match
from league.standings import history, services
from league.standings.models import RatingPoint, Standing
from league.tournaments import services as tournaments

Activate = Callable[..., Version]


@pytest.fixture
def rated(activate: Activate) -> Callable[..., int]:
    """Gives a bot a rating, by default of a version of its own; how many points were kept."""
    version = activate("Pawn")

    def rated(elo: float, error: float, matches: int, of: Version | None = None) -> int:
        before = RatingPoint.objects.count()
        who = of or version
        rating = Rating(who.pk, elo, error, matches)
        history.append(tournaments.ladder(), {who.pk: who.bot_id}, [rating], timezone.now())
        return RatingPoint.objects.count() - before

    return rated


def test_a_tenth_more_matches_make_a_point(rated: Callable[..., int]) -> None:
    assert rated(100, 50, 20) == 1
    assert rated(100, 50, 21) == 0
    assert rated(100, 50, 22) == 1
    assert rated(100, 50, 24) == 0
    assert rated(100, 50, 25) == 1


def test_a_rating_that_moved_by_more_than_half_its_error_makes_a_point(rated: Callable[..., int]) -> None:
    assert rated(100, 40, 100) == 1
    assert rated(120, 40, 101) == 0
    assert rated(121, 40, 101) == 1
    assert rated(101, 40, 102) == 0
    assert rated(100, 40, 102) == 1


def test_points_multiply_by_the_logarithm_of_the_matches(rated: Callable[..., int]) -> None:
    kept = sum(rated(0, 50, matches) for matches in range(1, 501))
    # By hand: 1 to 11, then 13, 15, 17, 19, 21 ... each the least whole number that is a tenth more.
    expected, last = 1, 1
    while (last := -(-11 * last // 10)) <= 500:
        expected += 1
    assert kept == expected < 60


def test_another_version_makes_a_point_and_so_does_the_one_that_comes_back(
    rated: Callable[..., int], activate: Activate
) -> None:
    first = Version.objects.get()
    rated(100, 40, 100)
    second = activate("Pawn", b"class Bot: ...\n")
    assert rated(100, 40, 100, of=second) == 1
    assert rated(100, 40, 100, of=second) == 0
    assert rated(100, 40, 100, of=first) == 1
    points = history.of_bot(tournaments.ladder(), first.bot)
    assert [point.version_id for point in points] == [first.pk, second.pk, first.pk]


def test_a_refresh_keeps_the_ratings_of_the_table(activate: Activate) -> None:
    ladder = tournaments.ladder()
    pawn, rook = activate("Pawn"), activate("Rook")
    assert services.refresh(ladder)
    assert not RatingPoint.objects.exists()
    Match.objects.update(status="played", outcome="A", points_a=9, finished_at=timezone.now())
    assert services.refresh(ladder)
    assert services.refresh(ladder)
    stored = Standing.objects.values_list("version", "elo", "elo_error", "played")
    kept = RatingPoint.objects.values_list("version", "elo", "error", "matches")
    assert set(stored) == set(kept)
    assert len(kept) == 2
    assert set(RatingPoint.objects.values_list("bot", flat=True)) == {pawn.bot_id, rook.bot_id}
    roster.retire(pawn.bot)
    assert services.refresh(ladder)
    assert len(history.of_bot(ladder, pawn.bot)) == 1
