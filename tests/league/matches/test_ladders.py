from __future__ import annotations

from collections.abc import Callable

import pytest
from django.core.exceptions import ValidationError

from arena.ruleset import Ruleset, TimeControl
from league.bots.models import Version
from league.matches import ladders, pairing, services
from league.matches.models import Match
from league.standings.models import Standing
from league.tournaments import services as tournaments
from league.tournaments.models import Tournament

Activate = Callable[..., Version]
PlayAll = Callable[..., list[Match]]


@pytest.fixture
def two_decks(db: None) -> Tournament:
    rules = Ruleset(decks=2, games=2)
    return ladders.open_ladder("Two decks", "two-decks", ruleset=rules, time_control=TimeControl())


def code_of(refused: pytest.ExceptionInfo[ValidationError]) -> str:
    return str(refused.value.code)


def test_a_new_ladder_leaves_the_first_one_first(two_decks: Tournament) -> None:
    assert tournaments.ladders() == [tournaments.ladder(), two_decks]


def test_each_ladder_plays_its_own_rules(two_decks: Tournament, activate: Activate) -> None:
    activate("Pawn")
    activate("Rook")
    decks = {match.tournament.slug: match.tournament.ruleset["decks"] for match in Match.objects.all()}
    assert decks == {"ladder": 1, "two-decks": 2}


def test_a_taken_address_is_refused(two_decks: Tournament) -> None:
    with pytest.raises(ValidationError) as refused:
        ladders.open_ladder("Again", "two-decks", ruleset=Ruleset(), time_control=TimeControl())
    assert code_of(refused) == "slug"


def test_a_closed_ladder_keeps_its_table_and_plays_no_more(
    two_decks: Tournament, activate: Activate, play_all: PlayAll
) -> None:
    activate("Pawn")
    activate("Rook")
    play_all()
    activate("Queen")
    running = services.claim("a worker", [Version.objects.get(bot__name="Queen").pk])
    assert running is not None
    ladders.close_ladder(two_decks)
    assert not Match.objects.unfinished().filter(tournament=two_decks).exists()
    activate("King")
    assert pairing.fill_all() == 0
    play_all()
    rows = Standing.objects.filter(tournament=two_decks).order_by("version")
    assert [(row.version.bot.name, row.played) for row in rows] == [("Pawn", 1), ("Rook", 1), ("Queen", 0)]
    with pytest.raises(ValidationError) as refused:
        ladders.close_ladder(two_decks)
    assert code_of(refused) == "closed"


def test_the_first_ladder_is_never_closed(two_decks: Tournament) -> None:
    with pytest.raises(ValidationError) as refused:
        ladders.close_ladder(tournaments.ladder())
    assert code_of(refused) == "first"
    assert tournaments.ladder().closed_at is None
