from __future__ import annotations

import random
from collections.abc import Callable
from datetime import timedelta
from importlib import import_module

import pytest
from django.apps import apps
from django.db import connection
from django.utils import timezone

from arena import rating, standings
from league.bots.models import Version
from league.matches.models import Match
from league.standings import services, tasks
from league.standings.models import Fit, RatingPoint, Standing, Table
from league.tournaments import services as tournaments

Activate = Callable[..., Version]


def result(a: Version, b: Version, outcome: str, points: tuple[int, int], forfeits: str = "") -> None:
    """Record a result between two versions, as `matches.services.record` does."""
    tournaments.touch(tournaments.ladder())
    Match.objects.filter(version_a=a, version_b=b).update(
        status="played", outcome=outcome, termination="completed", points_a=points[0], points_b=points[1],
        forfeits=forfeits,
    )  # fmt: skip


def table() -> list[tuple[str, int | None, int, int, int]]:
    rows = Standing.objects.order_by("rank", "id").select_related("version__bot")
    return [(row.version.bot.name, row.rank, row.played, row.match_points, row.faults) for row in rows]


def test_the_table_is_made_from_the_recorded_results(activate: Activate) -> None:
    pawn, rook, king = activate("Pawn"), activate("Rook"), activate("King")
    result(pawn, rook, "B", (100, 300))
    result(pawn, king, "draw", (200, 200))
    result(rook, king, "A", (1200, 0), "B")
    assert services.refresh(tournaments.ladder())
    # by hand: a win 2, a draw 1; Pawn and King have 1 each, differences -200 and -1200
    assert table() == [("Rook", 1, 2, 4, 0), ("Pawn", 2, 2, 1, 0), ("King", 3, 2, 1, 1)]
    row = Standing.objects.get(version=rook)
    assert (row.won, row.drawn, row.lost, row.possible, row.points_for, row.points_against) == (2, 0, 0, 2, 1500, 100)


def test_what_decides_a_tie_is_stored_with_its_figure(activate: Activate) -> None:
    pawn, rook, king, queen = (activate(name) for name in ("Pawn", "Rook", "King", "Queen"))
    activate("Bishop")
    result(pawn, rook, "A", (300, 299))
    result(rook, king, "A", (900, 100))
    result(pawn, king, "draw", (200, 200))
    result(rook, queen, "draw", (200, 200))
    services.refresh(tournaments.ladder())
    rows = Standing.objects.values_list("version__bot__name", "rank", "match_points", "sonneborn_berger", "decided")
    # by hand: Pawn and Rook have 3, King and Queen 1; these have not met, and drew with one of 3 each
    assert set(rows) == {
        ("Pawn", 1, 3, 3.5, ""),
        ("Rook", 2, 3, 1.5, "direct encounter"),
        ("King", 4, 1, 1.5, "difference of points"),
        ("Queen", 3, 1, 1.5, "match points"),
        ("Bishop", None, 0, 0, ""),
    }


def test_every_reason_of_the_engine_can_be_stored() -> None:
    assert Standing.Decided.values == list(standings.Decided)


def test_results_of_versions_that_left_do_not_count(activate: Activate) -> None:
    pawn, rook = activate("Pawn"), activate("Rook")
    result(pawn, rook, "A", (300, 100))
    activate("Pawn", b"class Bot: pass\n")
    services.refresh(tournaments.ladder())
    rows = Standing.objects.select_related("version")
    assert [(row.rank, row.played) for row in rows] == [(None, 0), (None, 0)]
    assert pawn not in [row.version for row in rows]


def test_only_tables_that_are_behind_are_computed(activate: Activate, monkeypatch: pytest.MonkeyPatch) -> None:
    ladder = tournaments.ladder()
    pawn, rook = activate("Pawn"), activate("Rook")
    assert services.refresh_stale() == 1
    assert not Table.objects.get(tournament=ladder).stale
    assert services.refresh_stale() == 0
    result(pawn, rook, "A", (300, 100))
    assert Table.objects.get(tournament=ladder).stale
    Table.objects.update(took_s=0)
    tasks.refresh()
    assert table()[0] == ("Pawn", 1, 1, 2, 0)
    assert not Table.objects.get(tournament=ladder).stale


def test_a_table_that_takes_long_is_computed_seldom(activate: Activate) -> None:
    pawn, rook = activate("Pawn"), activate("Rook")
    assert services.refresh_stale() == 1
    assert Table.objects.get().took_s > 0
    result(pawn, rook, "A", (300, 100))
    Table.objects.update(took_s=10, tried_at=timezone.now() - timedelta(seconds=80))  # at a tenth of the time, 90
    assert services.refresh_stale(0.1) == 0
    Table.objects.update(tried_at=timezone.now() - timedelta(seconds=91))
    assert services.refresh_stale(0.1) == 1


def test_the_last_good_table_stays_when_a_recompute_fails_and_says_why(
    activate: Activate, monkeypatch: pytest.MonkeyPatch
) -> None:
    ladder = tournaments.ladder()
    pawn, rook = activate("Pawn"), activate("Rook")
    result(pawn, rook, "A", (300, 100))
    services.refresh(ladder)
    before, computed_at = table(), Table.objects.get().computed_at

    def break_down(*_: object) -> None:
        raise ArithmeticError("a row is damaged")

    result(pawn, rook, "B", (100, 300))
    with monkeypatch.context() as broken:
        broken.setattr(standings, "table", break_down)
        assert not services.refresh(ladder)
    found = Table.objects.get()
    assert table() == before
    assert (found.computed_at, found.stale, found.error) == (
        computed_at,
        True,
        "ArithmeticError: a row is damaged",
    )
    assert services.refresh(ladder)
    assert Table.objects.get().error == ""
    assert table()[0][0] == "Rook"


def test_recomputing_gives_the_same_table(activate: Activate) -> None:
    pawn, rook, king = activate("Pawn"), activate("Rook"), activate("King")
    result(pawn, rook, "B", (100, 300))
    result(rook, king, "none", (0, 0), "AB")
    services.refresh(tournaments.ladder())
    once = table()
    services.refresh(tournaments.ladder())
    assert table() == once


def test_an_empty_ladder_has_an_empty_table(db: None) -> None:
    assert services.refresh(tournaments.ladder())
    assert table() == []


def test_tables_from_before_the_reasons_are_computed_anew(activate: Activate) -> None:
    pawn, rook = activate("Pawn"), activate("Rook")
    result(pawn, rook, "draw", (300, 300))
    services.refresh(tournaments.ladder())
    Standing.objects.update(decided="", sonneborn_berger=0)
    migration = import_module("league.standings.migrations.0002_standing_decided")
    migration.have_tables_computed_anew(apps, connection.schema_editor())
    assert services.refresh_stale() == 1
    assert list(Standing.objects.values_list("rank", "sonneborn_berger", "decided").order_by("decided")) == [
        (1, 0.5, ""),
        (1, 0.5, "shared"),
    ]


def test_ratings_are_stored_with_the_table(activate: Activate) -> None:
    pawn, rook = activate("Pawn"), activate("Rook")
    result(pawn, rook, "A", (300, 100))
    services.refresh(tournaments.ladder())
    rows = {row.version_id: row for row in Standing.objects.all()}
    # docs/ratings.md: after one match the winner is 191 points ahead, give or take 556; each has half of both.
    assert rows[pawn.pk].elo == pytest.approx(95.4, abs=0.1)
    assert rows[rook.pk].elo == pytest.approx(-95.4, abs=0.1)
    assert 1.96 * (rows[pawn.pk].elo_error or 0) == pytest.approx(278, abs=1)
    assert Fit.objects.count() == 1


def test_who_has_no_match_that_says_something_has_no_rating(activate: Activate) -> None:
    pawn, rook, king, queen = (activate(name) for name in ("Pawn", "Rook", "King", "Queen"))
    result(pawn, rook, "A", (300, 100))
    result(king, queen, "none", (0, 0), "AB")
    services.refresh(tournaments.ladder())
    alone = dict(Standing.objects.values_list("version", "elo_error"))
    assert (alone[king.pk], alone[queen.pk]) == (None, None)
    # and those two make nobody's rating less sure
    assert alone[pawn.pk] == pytest.approx(278 / 1.96, abs=1)


def test_annulled_matches_leave_a_bot_unranked_and_unrated(activate: Activate) -> None:
    pawn, rook = activate("Pawn"), activate("Rook")
    result(pawn, rook, "A", (300, 100))
    services.refresh(tournaments.ladder())
    tournaments.touch(tournaments.ladder())
    Match.objects.update(status="annulled")
    assert services.refresh_stale() == 1
    rows = Standing.objects.values_list("rank", "played", "elo")
    assert list(rows) == [(None, 0, None)] * 2


def test_a_damaged_row_leaves_the_last_good_table_with_its_ratings(activate: Activate) -> None:
    ladder = tournaments.ladder()
    pawn, rook = activate("Pawn"), activate("Rook")
    result(pawn, rook, "A", (300, 100))
    services.refresh(ladder)
    before = [list(model.objects.order_by("pk").values()) for model in (Standing, Fit, RatingPoint)]
    result(pawn, rook, "X", (300, 100))
    assert not services.refresh(ladder)
    assert [list(model.objects.order_by("pk").values()) for model in (Standing, Fit, RatingPoint)] == before
    assert "expected an outcome of 'A', 'B', 'draw', 'none', got 'X'" in Table.objects.get().error
    result(pawn, rook, "B", (100, 300))
    assert services.refresh(ladder)
    assert Standing.objects.get(version=rook).rank == 1


def test_a_fit_that_fails_leaves_the_last_good_table(activate: Activate, monkeypatch: pytest.MonkeyPatch) -> None:
    ladder = tournaments.ladder()
    pawn, rook = activate("Pawn"), activate("Rook")
    result(pawn, rook, "A", (300, 100))
    services.refresh(ladder)
    before = table()

    def break_down(*_: object) -> None:
        raise ArithmeticError("no end of steps")

    result(pawn, rook, "B", (100, 300))
    with monkeypatch.context() as broken:
        broken.setattr(rating, "rate", break_down)
        assert not services.refresh(ladder)
    assert table() == before
    assert Table.objects.get().error == "ArithmeticError: no end of steps"


def test_three_equal_bots_share_everything_in_any_order_of_their_rows(activate: Activate) -> None:
    ladder = tournaments.ladder()
    pawn, rook, king = activate("Pawn"), activate("Rook"), activate("King")
    tables = set()
    for seed in range(6):
        result(pawn, rook, "A", (300, 200))
        result(rook, king, "A", (300, 200))
        result(pawn, king, "B", (200, 300))
        rows = list(Match.objects.all())
        Match.objects.all().delete()
        random.Random(seed).shuffle(rows)
        for row in rows:
            row.pk = None
            row.save()
        services.refresh(ladder)
        shown = Standing.objects.order_by("version").values_list("rank", "match_points", "decided", "elo", "elo_error")
        tables.add((tuple(shown), bytes(Fit.objects.get().ratings)))
    ((rows_once, _),) = tables
    assert [row[:2] for row in rows_once] == [(1, 2)] * 3
    assert [row[3] for row in rows_once] == [0.0] * 3
    assert len({row[4] for row in rows_once}) == 1


def test_tables_from_before_the_ratings_are_computed_anew(activate: Activate) -> None:
    pawn, rook = activate("Pawn"), activate("Rook")
    result(pawn, rook, "A", (300, 100))
    services.refresh(tournaments.ladder())
    Standing.objects.update(elo=None, elo_error=None)
    Fit.objects.all().delete()
    migration = import_module("league.standings.migrations.0003_ratings")
    migration.have_tables_computed_anew(apps, connection.schema_editor())
    assert services.refresh_stale() == 1
    assert Standing.objects.filter(elo__isnull=False).count() == 2
    assert Fit.objects.count() == 1
