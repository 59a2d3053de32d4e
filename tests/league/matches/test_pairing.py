from __future__ import annotations

from collections.abc import Callable

from django.db.models import Q

from league import doorbell
from league.bots import services as bots
from league.bots.models import Version
from league.matches import pairing, services
from league.matches.models import Match
from league.tournaments import services as tournaments
from league.tournaments.models import Entry

Activate = Callable[..., Version]
QUEUED, RUNNING, PLAYED, FAILED, CANCELLED, ANNULLED = Match.Status


def matches_of(version: Version) -> list[Match]:
    return list(Match.objects.filter(Q(version_a=version) | Q(version_b=version)))


def statuses(version: Version) -> set[str]:
    return {match.status for match in matches_of(version)}


def test_a_new_active_version_gets_a_match_against_each_other_one(activate: Activate, bells: list[str]) -> None:
    versions = [activate(name) for name in ("Pawn", "Rook", "King", "Queen")]
    pairs = set(Match.objects.values_list("version_a_id", "version_b_id"))
    numbers = [version.pk for version in versions]
    assert pairs == {(a, b) for a in numbers for b in numbers if a < b}
    assert doorbell.PLAY in bells


def test_every_match_has_a_seed_of_its_own(activate: Activate) -> None:
    for name in ("Pawn", "Rook", "King", "Queen"):
        activate(name)
    assert Match.objects.values("seed").distinct().count() == 6


def test_the_older_version_leaves_the_table_and_keeps_its_played_matches(activate: Activate) -> None:
    old, other = activate("Pawn"), activate("Rook")
    Match.objects.update(status=PLAYED, outcome="A", termination="completed")
    activate("King")
    new = activate("Pawn", b"class Bot: pass\n")
    assert set(Entry.objects.values_list("version_id", flat=True)) >= {new.pk, other.pk}
    assert not Entry.objects.filter(version=old).exists()
    assert statuses(old) == {PLAYED, CANCELLED}
    assert statuses(new) == {QUEUED}
    assert len(matches_of(new)) == 2


def test_a_running_match_of_the_older_version_is_cancelled(activate: Activate) -> None:
    activate("Pawn")
    activate("Rook")
    held = services.claim("w")
    assert held is not None
    activate("Pawn", b"class Bot: pass\n")
    assert Match.objects.get(pk=held.pk).status == CANCELLED
    assert not services.extend(held, 1)


def test_a_version_that_returns_takes_up_its_cancelled_matches(activate: Activate) -> None:
    ladder = tournaments.ladder()
    pawn, rook, king = activate("Pawn"), activate("Rook"), activate("King")
    Match.objects.filter(version_a=pawn, version_b=rook).update(status=PLAYED, outcome="A", termination="completed")
    pairing.withdraw(ladder, pawn)
    assert statuses(pawn) == {PLAYED, CANCELLED}
    tournaments.enter(ladder, pawn)
    pairing.pair(ladder, pawn)
    assert {(match.version_b_id, match.status) for match in matches_of(pawn)} == {(rook.pk, PLAYED), (king.pk, QUEUED)}


def test_matches_with_a_version_that_left_stay_cancelled(activate: Activate) -> None:
    ladder = tournaments.ladder()
    pawn, rook = activate("Pawn"), activate("Rook")
    pairing.withdraw(ladder, pawn)
    pairing.withdraw(ladder, rook)
    tournaments.enter(ladder, pawn)
    pairing.pair(ladder, pawn)
    assert statuses(pawn) == {CANCELLED}


def test_pairing_twice_makes_no_match_twice(activate: Activate) -> None:
    activate("Pawn")
    rook = activate("Rook")
    for _ in range(3):
        pairing.pair(tournaments.ladder(), rook)
    assert Match.objects.count() == 1


def test_a_check_that_is_held_no_more_changes_nothing(activate: Activate, upload: Activate) -> None:
    activate("Pawn")
    upload("Rook")
    held = bots.claim_check()
    assert held is not None
    Version.objects.filter(pk=held.pk).update(attempt=7)
    revision = tournaments.ladder().revision
    assert not pairing.admit(held, bots.Finding(""))
    assert not Match.objects.exists()
    assert Entry.objects.count() == 1
    assert tournaments.ladder().revision == revision


def test_the_table_is_behind_after_each_change_of_the_entries(activate: Activate) -> None:
    before = tournaments.ladder().revision
    pawn = activate("Pawn")
    assert tournaments.ladder().revision == before + 1
    pairing.withdraw(tournaments.ladder(), pawn)
    assert tournaments.ladder().revision == before + 2
