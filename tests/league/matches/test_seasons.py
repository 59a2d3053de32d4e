"""The way of a season, with a clock that is set by hand."""

from __future__ import annotations

from collections.abc import Callable
from datetime import UTC, datetime, timedelta, timezone

import pytest
from django.core.exceptions import ValidationError

from arena.ruleset import Ruleset, TimeControl
from league.accounts.models import User
from league.bots import services as bots
from league.bots.findings import Finding
from league.bots.models import Bot, Version
from league.matches import pairing, playing, roster, seasons, services
from league.matches.models import Match
from league.standings import services as standings
from league.standings.models import Standing, Table
from league.tournaments import registration
from league.tournaments.models import Disqualification, Entry, Registration, Season, Tournament
from tests.league.conftest import Clock, LocalBoxes

Activate = Callable[..., Version]
PlayAll = Callable[..., list[Match]]
OTHER = b"class Bot:\n    def play(self, observation):\n        return ()\n"
DEADLINE = datetime(2026, 5, 8, 18, 0, tzinfo=UTC)


@pytest.fixture
def season(clock: Clock, db: None) -> Season:
    """Registration is open, for a week and six hours."""
    return seasons.announce(
        "Spring", "spring", clock.now, DEADLINE, ruleset=Ruleset(decks=2, games=2), legs=2, bots_per_user=9
    )


def check(version: Version | None = None) -> Version:
    held = bots.claim_check()
    assert held is not None
    assert version is None or held == version
    assert pairing.admit(held, Finding(""))
    return held


def of(season: Season, status: str = "queued") -> list[tuple[int, int, int]]:
    matches = Match.objects.filter(tournament=season.tournament, status=status).order_by(
        "version_a", "version_b", "leg"
    )
    return list(matches.values_list("version_a", "version_b", "leg"))


def begin(clock: Clock, season: Season) -> None:
    """The deadline passes."""
    clock.now = season.deadline_at + timedelta(seconds=5)
    assert seasons.start_due() == 1
    pairing.fill_all()
    season.refresh_from_db()


def refused(act: Callable[[], object]) -> str:
    with pytest.raises(ValidationError) as raised:
        act()
    return str(raised.value.code)


def played(season: Season, play_all: PlayAll) -> None:
    play_all()
    assert of(season) == []


def ranks(season: Season) -> list[tuple[str, int | None, int, int]]:
    rows = Standing.objects.filter(tournament=season.tournament).order_by("rank", "version__bot__name")
    return [(row.version.bot.name, row.rank, row.played, row.possible) for row in rows.select_related("version__bot")]


def test_a_season_runs_from_registration_to_its_final_table(
    clock: Clock, season: Season, activate: Activate, play_all: PlayAll
) -> None:
    pawn, rook, queen = (activate(name) for name in ("Pawn", "Rook", "Queen"))
    for version in (pawn, rook, queen):
        registration.register(season, version.bot)
    assert season.phase == Season.Phase.REGISTRATION
    begin(clock, season)
    assert season.phase == Season.Phase.PLAYING
    pairs = [(pawn.pk, rook.pk), (pawn.pk, queen.pk), (rook.pk, queen.pk)]
    assert set(of(season)) == {(a, b, 1) for a, b in pairs} | {(b, a, 2) for a, b in pairs}
    played(season, play_all)
    assert [row[2:] for row in ranks(season)] == [(4, 4)] * 3
    seasons.close(season)
    assert season.phase == Season.Phase.CLOSED
    assert season.holes == []
    standings.refresh_stale()
    final = ranks(season)
    clock.pass_by(days=30)
    activate("Pawn", OTHER)
    roster.delete(rook.bot)
    standings.refresh_stale()
    standings.refresh(season.tournament)
    assert ranks(season) == final


def test_every_second_leg_deals_the_same_cards_with_the_seats_exchanged(
    clock: Clock, activate: Activate, local_boxes: LocalBoxes
) -> None:
    season = seasons.announce("Fair", "fair", clock.now, DEADLINE, ruleset=Ruleset(games=3), legs=3, bots_per_user=9)
    for name in ("Pawn", "Rook"):  # two names, one and the same bot that decides without chance
        registration.register(season, activate(name).bot)
    begin(clock, season)
    while match := services.claim("a worker"):
        assert playing.play(match, local_boxes)
    first, mirror, third = Match.objects.filter(tournament=season.tournament).order_by("leg")
    assert (mirror.version_a, mirror.version_b, mirror.seed) == (first.version_b, first.version_a, first.seed)
    assert third.seed != first.seed
    assert first.points_a != first.points_b
    assert (mirror.points_a, mirror.points_b) == (first.points_a, first.points_b)  # what luck gave goes to the other


def test_the_season_has_its_own_rules_and_time_control(clock: Clock, db: None) -> None:
    season = seasons.announce(
        "Fast", "fast", clock.now, DEADLINE, ruleset=Ruleset(decks=3), time_control=TimeControl(decision_s=0.1)
    )
    stored = Tournament.objects.get(pk=season.pk)
    assert Ruleset.from_dict(stored.ruleset) == Ruleset(decks=3)
    assert TimeControl.from_dict(stored.time_control) == TimeControl(decision_s=0.1)


@pytest.mark.parametrize(("seconds_before", "code"), [(1, None), (0.001, None), (0, "late"), (-1, "late")])
def test_the_deadline_is_kept_to_the_second(
    clock: Clock, season: Season, activate: Activate, seconds_before: float, code: str | None
) -> None:
    version = activate("Pawn")
    clock.now = DEADLINE - timedelta(seconds=seconds_before)
    if code:
        assert refused(lambda: registration.register(season, version.bot)) == code
    else:
        assert registration.register(season, version.bot).version == version


@pytest.mark.parametrize("hours", [-11, 0, 5.75, 14])
def test_a_deadline_given_in_any_zone_is_the_same_moment(clock: Clock, activate: Activate, hours: float) -> None:
    version = activate("Pawn")
    there = DEADLINE.astimezone(timezone(timedelta(hours=hours)))
    season = seasons.announce("Abroad", "abroad", clock.now, there)
    clock.now = DEADLINE
    assert refused(lambda: registration.register(season, version.bot)) == "late"
    clock.pass_by(seconds=-1)
    registration.register(season, version.bot)


def test_before_its_opening_nobody_is_registered(clock: Clock, activate: Activate) -> None:
    version = activate("Pawn")
    season = seasons.announce("Later", "later", clock.now + timedelta(seconds=1), DEADLINE)
    assert season.phase == Season.Phase.ANNOUNCED
    assert refused(lambda: registration.register(season, version.bot)) == "early"
    clock.pass_by(seconds=1)
    registration.register(season, version.bot)


def test_who_is_registered_twice_plays_once(season: Season, activate: Activate) -> None:
    version = activate("Pawn")
    assert registration.register(season, version.bot) == registration.register(season, version.bot)


def test_a_user_registers_as_many_bots_as_the_season_allows(clock: Clock, activate: Activate) -> None:
    season = seasons.announce("One each", "one", clock.now, DEADLINE)
    pawn, rook = activate("Pawn"), activate("Rook")
    registration.register(season, pawn.bot)
    assert refused(lambda: registration.register(season, rook.bot)) == "quota"
    registration.withdraw(season, pawn.bot)
    registration.register(season, rook.bot)
    other = User.objects.create_user("boris")
    registration.register(season, activate("Knight", owner=other).bot)
    assert Registration.objects.count() == 2


def test_bots_that_can_not_play_are_not_registered(season: Season, activate: Activate, upload: Activate) -> None:
    retired, deleted, barred = (activate(name).bot for name in ("Pawn", "Rook", "Queen"))
    roster.retire(retired)
    activate("Knight")
    bots.submit(owner=deleted.owner, bot=deleted, filename="bot.py", content=OTHER)
    roster.delete(deleted)
    Disqualification.objects.create(tournament=season.tournament, bot=barred, reason="copied")
    rejected = upload("Bishop")
    held = bots.claim_check()
    assert held == rejected
    bots.finish_check(held, Finding("it fails"), passed=False)
    assert refused(lambda: registration.register(season, retired)) == "retired"
    assert refused(lambda: registration.register(season, Bot.objects.get(pk=deleted.pk))) == "retired"
    assert refused(lambda: registration.register(season, barred)) == "disqualified"
    assert refused(lambda: registration.register(season, rejected.bot)) == "version"


def test_a_version_submitted_before_the_deadline_plays_though_its_check_ends_later(
    clock: Clock, season: Season, activate: Activate, upload: Activate
) -> None:
    registration.register(season, activate("Pawn").bot)
    registration.register(season, activate("Rook").bot)
    clock.now = DEADLINE - timedelta(seconds=1)
    in_time = upload("Pawn", OTHER)
    clock.now = DEADLINE + timedelta(minutes=1)
    assert seasons.start_due() == 0
    assert refused(lambda: seasons.start(season)) == "checks"
    check(in_time)
    assert seasons.start_due() == 1
    pairing.fill_all()
    assert Entry.objects.get(tournament=season.tournament, bot=in_time.bot).version == in_time


def test_a_version_submitted_at_the_deadline_does_not_play(
    clock: Clock, season: Season, activate: Activate, upload: Activate
) -> None:
    first = activate("Pawn")
    registration.register(season, first.bot)
    registration.register(season, activate("Rook").bot)
    clock.now = DEADLINE
    late = upload("Pawn", OTHER)
    check(late)
    begin(clock, season)
    assert Entry.objects.get(tournament=season.tournament, bot=first.bot).version == first
    assert Entry.objects.exclude(tournament=season.tournament).get(bot=first.bot).version == late


def test_an_organiser_who_insists_does_not_wait_for_checks(
    clock: Clock, season: Season, activate: Activate, upload: Activate
) -> None:
    first = activate("Pawn")
    registration.register(season, first.bot)
    registration.register(season, activate("Rook").bot)
    in_time = upload("Pawn", OTHER)
    clock.now = DEADLINE
    seasons.start(season, insist=True)
    check(in_time)  # too late: who plays is fixed
    pairing.fill_all()
    assert Entry.objects.get(tournament=season.tournament, bot=first.bot).version == first


def test_a_bot_whose_first_version_is_in_check_is_registered_and_plays_if_it_passes(
    clock: Clock, season: Season, activate: Activate, upload: Activate
) -> None:
    for name in ("Pawn", "Rook"):
        registration.register(season, activate(name).bot)
    passes, fails = upload("Queen"), upload("King")
    for version in (passes, fails):
        assert registration.register(season, version.bot).version is None
    check(passes)
    held = bots.claim_check()
    assert held == fails
    bots.finish_check(held, Finding("it fails"), passed=False)
    begin(clock, season)
    entered = Entry.objects.filter(tournament=season.tournament).values_list("bot__name", flat=True)
    assert sorted(entered) == ["Pawn", "Queen", "Rook"]


def test_a_roll_back_before_the_deadline_counts_and_one_after_it_does_not(
    clock: Clock, season: Season, activate: Activate
) -> None:
    pawns, rooks = ([activate(name), activate(name, OTHER + name.encode() + b" = 1\n")] for name in ("Pawn", "Rook"))
    registration.register(season, pawns[0].bot)
    registration.register(season, rooks[0].bot)
    roster.roll_back(pawns[0])
    clock.now = DEADLINE
    roster.roll_back(rooks[0])
    begin(clock, season)
    assert set(season.tournament.entries.values_list("version", flat=True)) == {pawns[0].pk, rooks[1].pk}


def test_a_season_with_fewer_than_two_bots_waits_for_its_organiser(
    clock: Clock, season: Season, activate: Activate, play_all: PlayAll
) -> None:
    registration.register(season, activate("Pawn").bot)
    late = activate("Rook")
    clock.now = DEADLINE + timedelta(hours=1)
    assert seasons.start_due() == 0
    assert refused(lambda: seasons.start(season, insist=True)) == "bots"
    assert season.phase == Season.Phase.FROZEN
    seasons.move_deadline(season, clock.now + timedelta(hours=1))
    registration.register(season, late.bot)
    begin(clock, season)
    assert len(of(season)) == 2


@pytest.mark.parametrize("bots", [0, 1])
def test_a_season_that_never_started_can_be_closed(clock: Clock, season: Season, activate: Activate, bots: int) -> None:
    version = activate("Pawn")
    if bots:
        registration.register(season, version.bot)
    clock.now = DEADLINE + timedelta(hours=1)
    seasons.close(season)
    assert seasons.start_due() == pairing.fill_all() == 0
    standings.refresh_stale()
    assert ranks(season) == []
    assert Table.objects.get(tournament=season.tournament).error == ""


def test_a_moved_deadline_lets_in_what_was_submitted_in_between(
    clock: Clock, season: Season, activate: Activate
) -> None:
    registration.register(season, activate("Pawn").bot)
    clock.now = DEADLINE
    late = activate("Pawn", OTHER)
    assert Registration.objects.get().version != late
    seasons.move_deadline(season, DEADLINE + timedelta(days=1))
    assert Registration.objects.get().version == late


def test_a_deadline_moves_neither_into_the_past_nor_after_the_start(
    clock: Clock, season: Season, activate: Activate
) -> None:
    assert refused(lambda: seasons.move_deadline(season, clock.now)) == "deadline"
    for name in ("Pawn", "Rook"):
        registration.register(season, activate(name).bot)
    begin(clock, season)
    assert refused(lambda: seasons.move_deadline(season, clock.now + timedelta(days=1))) == "started"
    assert refused(lambda: seasons.start(season)) == "started"
    assert refused(lambda: registration.withdraw(season, Bot.objects.get(name="Pawn"))) == "started"


def test_a_season_does_not_start_before_its_deadline(clock: Clock, season: Season) -> None:
    assert refused(lambda: seasons.start(season, insist=True)) == "early"


@pytest.mark.parametrize(
    ("opens", "deadline", "legs", "code"),
    [(0, 0, 1, "deadline"), (-2, -1, 1, "deadline"), (2, 1, 1, "opens"), (1, 1, 1, "opens"), (0, 1, 0, "legs"),
     (0, 1, 11, "legs")],
)  # fmt: skip
def test_a_season_needs_times_and_legs_that_make_sense(
    clock: Clock, db: None, opens: int, deadline: int, legs: int, code: str
) -> None:
    hour = timedelta(hours=1)

    def announce() -> Season:
        return seasons.announce("Odd", "odd", clock.now + opens * hour, clock.now + deadline * hour, legs=legs)

    assert refused(announce) == code
    assert not Tournament.objects.filter(slug="odd").exists()


def test_an_address_that_is_taken_is_refused(clock: Clock, season: Season) -> None:
    assert refused(lambda: seasons.announce("Again", "spring", clock.now, DEADLINE)) == "slug"
    assert Season.objects.count() == 1


def test_closing_with_matches_unplayed_has_to_be_insisted_on_and_lists_the_holes(
    clock: Clock, season: Season, activate: Activate, play_all: PlayAll
) -> None:
    pawn, rook = activate("Pawn"), activate("Rook")
    play_all()
    for version in (pawn, rook):
        registration.register(season, version.bot)
    begin(clock, season)
    running = services.claim("a worker")
    assert running is not None
    Match.objects.filter(tournament=season.tournament, leg=2).update(status="failed", finished_at=clock.now)
    assert refused(lambda: seasons.close(season)) == "holes"
    assert season.phase == Season.Phase.PLAYING
    seasons.close(season, insist=True)
    assert season.holes == [[pawn.pk, rook.pk, 1], [rook.pk, pawn.pk, 2]]
    assert Season.objects.get().holes == season.holes
    assert not services.extend(running, 1)
    assert not services.requeue(Match.objects.get(tournament=season.tournament, leg=2))
    assert refused(lambda: seasons.close(season, insist=True)) == "closed"


def test_a_bot_deleted_in_mid_season_leaves_it_and_its_results_count_for_nobody(
    clock: Clock, season: Season, activate: Activate, play_all: PlayAll
) -> None:
    versions = [activate(name) for name in ("Pawn", "Rook", "Queen")]
    for version in versions:
        registration.register(season, version.bot)
    begin(clock, season)
    played(season, play_all)
    roster.delete(versions[0].bot)
    pairing.fill_all()
    standings.refresh_stale()
    assert sorted(row[0] for row in ranks(season)) == ["Queen", "Rook"]
    assert {row[2:] for row in ranks(season)} == {(2, 2)}
    seasons.close(season)
    assert season.holes == []


def test_a_retired_bot_leaves_the_ladders_and_plays_its_season_to_the_end(
    clock: Clock, season: Season, activate: Activate
) -> None:
    for name in ("Pawn", "Rook"):
        registration.register(season, activate(name).bot)
    begin(clock, season)
    roster.retire(Bot.objects.get(name="Pawn"))
    assert len(of(season)) == 2
    assert list(Entry.objects.filter(bot__name="Pawn").values_list("tournament", flat=True)) == [season.pk]


def test_a_bot_without_a_match_stays_named_where_a_closed_season_has_it(
    clock: Clock, season: Season, activate: Activate
) -> None:
    pawn, rook = activate("Pawn"), activate("Rook")
    roster.retire(pawn.bot)
    roster.come_back(pawn.bot)
    for version in (pawn, rook):
        registration.register(season, version.bot)
    begin(clock, season)
    seasons.close(season, insist=True)
    Match.objects.all().delete()
    roster.delete(pawn.bot)
    assert Bot.objects.get(name="Pawn").deleted_at is not None
    assert Entry.objects.filter(tournament=season.tournament).count() == 2


def test_a_bot_deleted_before_the_start_is_registered_no_more(season: Season, upload: Activate) -> None:
    version = upload("Pawn")
    registration.register(season, version.bot)
    roster.delete(version.bot)
    assert not Registration.objects.exists()
    assert not Bot.objects.exists()


def test_a_second_ladder_takes_in_all_active_bots_and_every_new_one(activate: Activate, play_all: PlayAll) -> None:
    pawn, rook = activate("Pawn"), activate("Rook")
    retired = activate("Knight")
    roster.retire(retired.bot)
    two_decks = Tournament.objects.create(
        slug="two-decks",
        name="Two decks",
        kind="ladder",
        ruleset=Ruleset(decks=2, games=2).as_dict(),
        time_control=TimeControl().as_dict(),
    )
    assert pairing.fill_all() == 2
    assert pairing.fill_all() == 0
    queen = activate("Queen")
    pairs = Match.objects.filter(tournament=two_decks).values_list("version_a", "version_b")
    assert sorted(pairs) == [(pawn.pk, rook.pk), (pawn.pk, queen.pk), (rook.pk, queen.pk)]
    roster.come_back(retired.bot)
    assert two_decks.entries.count() == 4
    play_all()
    assert {row.possible for row in Standing.objects.filter(tournament=two_decks)} == {3}


def test_a_disqualified_bot_comes_back_once_that_is_lifted(activate: Activate) -> None:
    pawn, _rook = activate("Pawn"), activate("Rook")
    ladder = Entry.objects.first()
    assert ladder is not None
    barred = Disqualification.objects.create(tournament=ladder.tournament, bot=pawn.bot, reason="copied")
    pairing.withdraw(ladder.tournament, pawn)
    activate("Pawn", OTHER)
    assert pairing.fill_all() == 0
    assert not Entry.objects.filter(bot=pawn.bot).exists()
    Disqualification.objects.filter(pk=barred.pk).update(lifted_at=barred.at)
    assert pairing.fill_all() == 1
    assert Entry.objects.get(bot=pawn.bot).version.number == 2


def test_an_account_deleted_in_mid_season_takes_its_bots_out_and_a_closed_season_keeps_them(
    clock: Clock, season: Season, activate: Activate, play_all: PlayAll
) -> None:
    boris = User.objects.create_user("boris")
    for name in ("Pawn", "Rook"):
        registration.register(season, activate(name).bot)
    theirs = [activate(name, owner=boris).bot for name in ("King", "Knight")]
    for bot in theirs:
        registration.register(season, bot)
    second = seasons.announce("Autumn", "autumn", clock.now, DEADLINE, bots_per_user=9)
    for bot in theirs:
        registration.register(second, bot)
    clock.now = DEADLINE + timedelta(seconds=5)
    assert seasons.start_due() == 2
    pairing.fill_all()
    play_all()
    seasons.close(second)
    standings.refresh_stale()
    roster.close_account(boris)
    pairing.fill_all()
    standings.refresh_stale()
    assert sorted(row[0] for row in ranks(season)) == ["Pawn", "Rook"]
    assert sorted(row[0] for row in ranks(second)) == ["King", "Knight"]
    boris.refresh_from_db()
    assert not boris.is_active
