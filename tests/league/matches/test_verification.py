from __future__ import annotations

from collections.abc import Callable
from io import StringIO

import pytest
from django.core.management import CommandError, call_command

from arena import replay
from arena.replay import Record
from league.matches import services
from league.matches.models import Match, Replay
from league.matches.services import BotLog


@pytest.fixture
def recorded(queued: Match, played: Callable[..., Record]) -> Match:
    match = services.claim("w")
    assert match is not None
    record = played(seed=match.seed)
    assert services.record(match, record, (BotLog(), BotLog()))
    return match


def verify() -> str:
    out, err = StringIO(), StringIO()
    try:
        call_command("verify_replays", stdout=out, stderr=err)
    except CommandError as error:
        return f"{err.getvalue()}{error}"
    return out.getvalue()


def test_every_stored_game_played_again_gives_the_same_record(recorded: Match) -> None:
    assert verify() == "2 games of 1 matches played again: all equal\n"


def test_no_replays_are_all_equal(db: None) -> None:
    assert verify() == "0 games of 0 matches played again: all equal\n"


def test_a_damaged_replay_is_named(recorded: Match) -> None:
    stored = Replay.objects.get()
    Replay.objects.update(data=bytes(stored.data)[:-10])
    found = verify()
    assert f"match {recorded.pk}: " in found
    assert "1 of 1 matches are not as their replays say" in found


def test_a_replay_of_other_games_is_named(recorded: Match, played: Callable[..., Record]) -> None:
    encoded = replay.encode(played(seed=recorded.seed + 1))
    Replay.objects.update(data=encoded.data, sha256=encoded.sha256)
    assert "seed: the match says" in verify()


@pytest.mark.parametrize(
    ("column", "value"),
    [("points_a", 1), ("outcome", "draw"), ("termination", "crash"), ("games", []), ("seed", 1)],
)
def test_a_match_that_says_otherwise_than_its_replay_is_named(recorded: Match, column: str, value: object) -> None:
    Match.objects.update(**{column: value})
    assert f"match {recorded.pk}: {column.split('_')[0]}: the match says" in verify()


def test_a_played_match_without_a_replay_is_named(recorded: Match) -> None:
    Replay.objects.all().delete()
    assert f"match {recorded.pk}: it was played, and has no replay" in verify()
