from __future__ import annotations

from collections.abc import Callable
from io import StringIO

import pytest
from django.core.management import CommandError, call_command

from arena import bots as arena_bots
from league.bots import house
from league.bots.models import Version
from league.matches.models import Match
from league.operations import round_robin

NAMES = ("passer", "random", "longest")


@pytest.fixture
def ladder(monkeypatch: pytest.MonkeyPatch, activate: Callable[..., Version]) -> None:
    """A ladder of three house bots and one of somebody's, with no match played."""
    monkeypatch.setattr(arena_bots, "HOUSE", NAMES)
    for name in NAMES:
        activate(name, owner=house.owner())
    activate("Bishop")


def play_all(**columns: object) -> None:
    Match.objects.filter(status="queued").update(
        **{"status": "played", "outcome": "A", "termination": "completed", "games": [[0, 5, 3, 9]] * 12, **columns}
    )


def await_ladder(**options: object) -> str:
    out = StringIO()
    call_command("await_ladder", stdout=out, **options)
    return out.getvalue()


@pytest.mark.usefixtures("ladder")
def test_it_ends_well_when_every_pair_has_its_match() -> None:
    play_all()
    assert await_ladder() == "6 of 6 matches played: every pair of house bots has its match\n"


@pytest.mark.usefixtures("ladder")
def test_it_waits_for_what_is_not_played_and_gives_up_in_time() -> None:
    with pytest.raises(CommandError, match="after 0 s: 0 of 6 matches played"):
        await_ladder(timeout=0)


def test_it_waits_for_the_first_version(db: None) -> None:
    with pytest.raises(CommandError, match="after 0 s: 0 of 0 matches played"):
        await_ladder(timeout=0)


@pytest.mark.usefixtures("ladder")
def test_a_version_being_checked_is_waited_for(upload: Callable[..., Version]) -> None:
    play_all()
    upload("Rook")
    with pytest.raises(CommandError, match="6 of 6 matches played, 1 versions being checked"):
        await_ladder(timeout=0)


@pytest.mark.usefixtures("ladder")
@pytest.mark.parametrize(
    ("columns", "said"),
    [
        ({"status": "failed", "outcome": ""}, "is failed"),
        ({"games": [[0, 5, 3, 9]] * 11}, "broke off"),
        ({"termination": "time", "reason": "game 1: no answer"}, "broke off: game 1: no answer"),
    ],
)
def test_each_hole_among_the_house_bots_is_named(columns: dict[str, object], said: str) -> None:
    play_all(**columns)
    assert len(round_robin.holes()) == 3
    with pytest.raises(CommandError, match=f"passer and random: match .* {said}"):
        await_ladder()


@pytest.mark.usefixtures("ladder")
def test_a_house_bot_that_is_not_active_is_a_hole() -> None:
    play_all()
    Version.objects.filter(bot__name="longest").update(status="rejected")
    assert round_robin.holes() == ["longest is not active"]


@pytest.mark.usefixtures("ladder")
def test_a_match_that_is_missing_is_a_hole() -> None:
    play_all()
    Match.objects.filter(version_a__bot__name="passer", version_b__bot__name="random").delete()
    assert round_robin.holes() == ["passer and random have no match"]


@pytest.mark.usefixtures("ladder")
def test_forfeits_of_other_bots_are_no_holes() -> None:
    Match.objects.filter(version_b__bot__name="Bishop").update(
        status="played", outcome="A", termination="crash", forfeits="B"
    )
    play_all()
    assert round_robin.holes() == []


@pytest.mark.usefixtures("ladder")
def test_the_leaderboard_is_printed_in_order(capsys: pytest.CaptureFixture[str]) -> None:
    play_all()
    call_command("leaderboard")
    lines = capsys.readouterr().out.splitlines()
    assert "Open ladder" in lines[0]
    bots = [name for line in lines for name in (*NAMES, "Bishop") if f" {name} v1 " in line]
    assert bots == ["passer", "random", "longest", "Bishop"]  # A, the older version, won each
    assert "3/3" in "".join(lines)
