from __future__ import annotations

from collections import Counter
from datetime import UTC, datetime
from io import StringIO
from typing import Any

import pytest
from django.core.management import CommandError, call_command
from django.db import transaction
from django.test import Client

from league.accounts.models import User
from league.bots import house
from league.bots.models import Bot, Report, Source, Version
from league.matches import verification
from league.matches.models import Attempt, Log, Match, Replay
from league.operations import seeding
from league.operations.seeding import names, pairs, results
from league.standings.models import Standing, Table
from league.tournaments.models import Entry

SMALL = {"bots": 24, "matches": 150, "replays": 12}
NOW = datetime(2026, 3, 4, 5, 6, tzinfo=UTC)


def seed_league(**options: Any) -> str:
    out = StringIO()
    call_command("seed_league", stdout=out, **{**SMALL, **options})
    return out.getvalue()


def fill(seed: int = 1, **numbers: int) -> seeding.Made:
    return seeding.fill(seed, now=NOW, **{**SMALL, **numbers})


@pytest.mark.django_db
def test_it_says_what_it_made_and_computes_the_table() -> None:
    said = seed_league()
    assert "24 bots" in said
    assert "150 matches" in said
    assert "12 replays" in said
    assert (Bot.objects.count(), Match.objects.count(), Replay.objects.count()) == (24, 150, 12)
    assert Source.objects.count() == Version.objects.count()
    assert Standing.objects.count() == Entry.objects.count() == Version.objects.filter(status="active").count()
    table = Table.objects.get()
    assert (table.error, table.stale) == ("", False)


@pytest.mark.django_db
def test_points_forfeits_and_outcomes_agree_with_the_games() -> None:
    fill(bots=60, matches=1_500)
    played = list(Match.objects.filter(status="played"))
    for match in played:
        a, b = (sum(game[seat] for game in match.games) for seat in (1, 2))
        if match.termination == "completed":
            assert (match.points_a, match.points_b, len(match.games)) == (a, b, 12)
            assert match.outcome == ("A" if a > b else "B" if a < b else "draw")
        elif match.outcome != "none":  # docs/rules.md: the forfeiting side 0, the other at least 100 a game
            kept = {"A": (0, max(b, 1200)), "B": (max(a, 1200), 0)}[match.forfeits]
            assert (match.points_a, match.points_b) == kept
            assert match.outcome != match.forfeits
            assert match.reason.startswith(f"game {len(match.games)}, decision ")
    terminations = Counter(match.termination for match in played)
    assert terminations.total() > terminations["completed"] > 0.95 * terminations.total()


@pytest.mark.django_db
def test_real_replays_play_again_and_agree_with_their_matches() -> None:
    fill(replays=40)
    assert [verification.difference(stored) for stored in Replay.objects.select_related("match")] == [""] * 40
    assert Log.objects.filter(output__contains="game 1: ").exists()


@pytest.mark.django_db
def test_unfinished_and_failed_matches_are_as_their_services_leave_them(settings: Any) -> None:
    fill(bots=60, matches=1_500)
    assert Counter(Match.objects.values_list("status", flat=True)) == {
        "played": 1472, "queued": 15, "cancelled": 7, "running": 4, "failed": 2,
    }  # fmt: skip
    for match in Match.objects.filter(status="failed"):
        assert match.attempts.count() == match.attempt == settings.MATCH_ATTEMPTS
        assert match.finished_at
    for match in Match.objects.filter(status="running"):
        assert (match.attempt, bool(match.lease_until), match.finished_at) == (1, True, None)
    assert not Match.objects.exclude(status__in=["played", "failed"]).filter(finished_at__isnull=False).exists()
    assert Attempt.objects.filter(match__status="played").exists()


@pytest.mark.django_db
def test_matches_lie_in_the_time_in_which_both_versions_played() -> None:
    fill()
    for match in Match.objects.filter(status="played").select_related("version_a__bot", "version_b__bot"):
        assert match.finished_at
        for version in (match.version_a, match.version_b):
            assert version.bot.created_at <= version.created_at < match.finished_at <= NOW
            later = version.bot.versions.filter(number__gt=version.number, status__in=["active", "superseded"])
            assert all(match.finished_at <= each.checked_at for each in later if each.checked_at)


@pytest.mark.django_db
def test_versions_are_of_every_kind_and_rejected_ones_have_a_report() -> None:
    fill(bots=200)
    assert set(Version.objects.values_list("status", flat=True)) == set(Version.Status.values)
    assert Report.objects.count() == Version.objects.filter(status="rejected").count()
    assert Version.objects.filter(status="checking", checked_at=None).count() == len(
        Version.objects.filter(status="checking")
    )
    assert not User.objects.filter(password__startswith="argon2").exists()


@pytest.mark.django_db
def test_one_author_has_several_bots_and_one_of_them_has_met_every_other() -> None:
    made = fill()
    own = Bot.objects.filter(owner__username=made.author)
    assert own.count() == 5
    entered = Entry.objects.count()
    met = max(Match.objects.filter(version_a=entry.version).count() +
              Match.objects.filter(version_b=entry.version).count()
              for entry in Entry.objects.filter(bot__in=own))  # fmt: skip
    assert met >= entered - 1


@pytest.mark.django_db
def test_the_same_seed_makes_the_same_league() -> None:
    def made(seed: int) -> list[Any]:
        with transaction.atomic():
            fill(seed)
            names = "version_a__bot__name", "version_b__bot__name", "version_b__number"
            found = list(Match.objects.order_by("pk").values_list(*names, "seed", "games", "finished_at"))
            replays = list(Replay.objects.order_by("pk").values_list("sha256", flat=True))
            transaction.set_rollback(True)
        return [found, replays]

    assert made(7) == made(7)
    assert made(7) != made(8)


@pytest.mark.django_db
def test_a_database_with_users_is_left_alone(author: User) -> None:
    with pytest.raises(CommandError, match="holds users' accounts"):
        seed_league()
    assert not Bot.objects.exists()


@pytest.mark.django_db
def test_it_may_be_added_to_what_is_there_by_force() -> None:
    seed_league()
    with pytest.raises(CommandError, match="--force"):
        seed_league()
    seed_league(force=True)
    assert Bot.objects.count() == 48
    assert Standing.objects.count() == Entry.objects.count()


@pytest.mark.django_db
def test_house_bots_are_nobodys_data(activate: Any) -> None:
    activate("random", owner=house.owner())
    User.objects.exclude(username=house.owner().username).delete()
    seed_league()
    assert Bot.objects.count() == 25


@pytest.mark.django_db
def test_more_matches_than_pairs_are_refused_and_leave_nothing() -> None:
    with pytest.raises(CommandError, match="ask for more bots or fewer matches"):
        seed_league(bots=5, matches=100)
    assert not Bot.objects.exists()


@pytest.mark.django_db
def test_a_match_without_a_replay_has_a_page_and_its_games_are_not_found(client: Client) -> None:
    fill()
    match = Match.objects.filter(status="played", replay=None, termination="completed")[0]
    assert client.get(f"/matches/{match.pk}/").status_code == 200
    assert client.get(f"/matches/{match.pk}/games/1/").status_code == 404


def test_names_are_free_of_those_taken_and_never_run_out() -> None:
    from random import Random

    taken = names.bots(Random(1), 50, ())
    chosen = names.bots(Random(1), 4_000, [name.upper() for name in taken])
    assert len({name.casefold() for name in [*taken, *chosen]}) == 4_050
    assert max(map(len, chosen)) <= 40
    assert any("а" <= name[-1] <= "я" for name in chosen)


def test_each_pair_has_one_place() -> None:
    assert [pairs._pair_at(index) for index in range(6)] == [(0, 1), (0, 2), (1, 2), (0, 3), (1, 3), (2, 3)]


def test_the_better_bot_wins_more_often_and_points_are_as_in_earnest() -> None:
    from random import Random

    drawn = [results.draw(Random(seed), seed, 12, 20.0) for seed in range(400)]
    completed = [each for each in drawn if each.termination == "completed"]
    assert sum(each.outcome == "A" for each in completed) > 0.9 * len(completed)
    mean_a = sum(each.points_a for each in completed) / len(completed)
    mean_b = sum(each.points_b for each in completed) / len(completed)
    # `counting` against `points`, measured over 72 games: 84 to 56 a game
    assert 940 < mean_a < 980
    assert 700 < mean_b < 740
