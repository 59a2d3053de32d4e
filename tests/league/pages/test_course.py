"""How a bot's rating went, as a drawing and as a table."""

from __future__ import annotations

import html
import re
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from itertools import pairwise

import pytest
from django.test import Client

from league.bots.models import Version
from league.matches import roster
from league.matches.models import Match
from league.pages.course import HEIGHT, WIDTH, Course, course
from league.standings.models import RatingPoint, Standing
from league.tournaments import services as tournaments

Activate = Callable[..., Version]
BEGIN = datetime(2026, 3, 4, 12, tzinfo=UTC)


def point(version: int, day: float, elo: float, error: float = 10.0) -> RatingPoint:
    return RatingPoint(version_id=version, at=BEGIN + timedelta(days=day), elo=elo, error=error, matches=9)


def drawn(points: list[RatingPoint], numbers: dict[int, int] | None = None) -> Course:
    found = course(points, numbers or {7: 1, 8: 2})
    assert found is not None
    return found


def corners(text: str) -> list[tuple[float, float]]:
    return [(float(x), float(y)) for x, y in re.findall(r"(-?[\d.]+),(-?[\d.]+)", text)]


def test_one_point_is_no_course() -> None:
    assert course([], {}) is None
    assert course([point(7, 0, 0)], {7: 1}) is None
    assert course([point(7, 0, 0), point(9, 1, 0)], {7: 1}) is None


def test_the_line_goes_through_the_ratings_at_their_times() -> None:
    found = drawn([point(7, 0, 0), point(7, 1, 100), point(7, 4, 50)])
    (span,) = found.spans
    line = corners(span.line)
    assert [x for x, _ in line] == [0, WIDTH / 4, WIDTH, WIDTH]
    heights = [y for _, y in line]
    # 100 is the highest of all, 0 the lowest: the last interval is inside them
    assert heights == pytest.approx([HEIGHT, 0, HEIGHT / 2, HEIGHT / 2], abs=0.1)


def test_the_band_reaches_two_standard_errors_to_each_side() -> None:
    found = drawn([point(7, 0, 0, 50), point(7, 1, 0, 50)])
    (span,) = found.spans
    assert {y for _, y in corners(span.band)} == {0, HEIGHT}
    wider = drawn([point(7, 0, 0, 100), point(7, 1, 0, 50)])
    assert corners(wider.spans[0].band)[0] == (0, -HEIGHT / 2)


def test_each_version_has_a_line_of_its_own_up_to_where_the_next_begins() -> None:
    found = drawn([point(7, 0, 0), point(7, 1, 20), point(8, 2, 300), point(7, 4, 25)])
    assert [(span.version, span.x) for span in found.spans] == [(1, "0.0%"), (2, "50.0%"), (1, "100.0%")]
    assert [x for x, _ in corners(found.spans[0].line)] == [0, WIDTH / 4, WIDTH / 2]
    assert [x for x, _ in corners(found.spans[1].line)] == [WIDTH / 2, WIDTH]
    assert [span.is_late for span in found.spans] == [False, False, True]


def test_names_that_would_lie_on_each_other_are_left_out() -> None:
    found = drawn([point(7, 0, 0), point(8, 5, 0), point(7, 10, 0), point(8, 100, 0)])
    assert [span.is_named for span in found.spans] == [True, False, True, True]


@pytest.mark.parametrize(("spread", "step"), [(40, 10), (290, 50), (1_000, 200), (4_000, 1_000)])
def test_rules_are_at_round_ratings_and_never_too_many(spread: int, step: int) -> None:
    rules = [rule.elo for rule in drawn([point(7, 0, -spread / 2), point(7, 1, spread / 2, 1)]).rules]
    assert 0 in rules
    assert {later - earlier for earlier, later in pairwise(rules)} == {step}


def test_points_at_one_moment_are_drawn_too() -> None:
    found = drawn([point(7, 0, 0), point(7, 0, 50)])
    assert {x for x, _ in corners(found.spans[0].line)} == {0}


@pytest.fixture
def kept(activate: Activate, play_all: Callable[..., list[Match]]) -> Version:
    """A bot with two versions and three points."""
    first = activate("Pawn")
    activate("Rook")
    play_all()
    second = activate("Pawn", b"class Bot:\n    def play(self, observation):\n        return ()\n")
    play_all()
    RatingPoint.objects.filter(version__in=[first, second]).delete()
    for version, day, elo in ((first, 0, -40.0), (first, 2, 12.4), (second, 6, -153.0)):
        RatingPoint.objects.create(
            tournament=tournaments.ladder(), bot=first.bot, version=version, at=BEGIN + timedelta(days=day),
            elo=elo, error=20, matches=30,
        )  # fmt: skip
    return second


def test_the_page_of_a_bot_draws_it_and_tells_it_in_words_and_as_a_table(kept: Version, client: Client) -> None:
    page = html.unescape(client.get(f"/bots/{kept.bot_id}/").content.decode())
    section = page[page.index('aria-labelledby="course"') :].partition("</section>")[0]
    assert 'aria-label="From −40 in version 1 to −153 in version 2."' in section
    rows = re.findall(
        r'>([^<]+)</time></th><td class="number">(\d)</td><td class="number">(−?\d+) <span class="margin">± (\d+)<',
        section,
    )
    # 1.96 * 20 = 39.2
    expected = [("10 March 2026", "2", "−153"), ("6 March 2026", "1", "12"), ("4 March 2026", "1", "−40")]
    assert rows == [(*each, "39") for each in expected]
    assert f'href="/leaderboard/ladder/compare/?a={kept.bot.name}"' in section


def test_the_page_of_a_bot_has_its_rating_and_that_of_each_version(kept: Version, client: Client) -> None:
    row = Standing.objects.get(version=kept)
    page = client.get(f"/bots/{kept.bot_id}/").content.decode()
    assert row.elo is not None
    figure = f"{round(row.elo)} ".replace("-", "−")
    assert f"<dt>Rating</dt><dd>{figure}<span" in page
    versions = page[page.index('aria-labelledby="versions"') :]
    assert re.findall(r'<td class="number">(−?\d+) <span class="margin">', versions) == ["−153", "12"]


def test_a_retired_bot_keeps_its_course_and_is_not_compared(kept: Version, client: Client) -> None:
    roster.retire(kept.bot)
    Standing.objects.all().delete()
    page = client.get(f"/bots/{kept.bot_id}/").content.decode()
    assert 'aria-labelledby="course"' in page
    assert "/compare/" not in page
