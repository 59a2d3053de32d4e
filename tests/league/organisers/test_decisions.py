"""Bots and matches that an organiser takes out of the tables, and puts back."""

from __future__ import annotations

from collections.abc import Callable
from datetime import timedelta

import pytest
from django.core.exceptions import ValidationError
from django.test import Client
from django.utils import timezone

from arena.replay import Record
from league.accounts.models import User
from league.bots.models import Version
from league.matches import pairing, roster
from league.matches import services as matches
from league.matches.models import Annulment, Match
from league.matches.services import BotLog
from league.organisers import services
from league.organisers.models import Act
from league.tournaments import services as tournaments
from league.tournaments.models import Disqualification, Entry, Registration, Season, Tournament

Table = Callable[[], dict[str, tuple[int, int]]]
Activate = Callable[..., Version]
NO_LOGS = (BotLog(), BotLog())


def bot_of(match: Match) -> Version:
    return Version.objects.select_related("bot").get(pk=match.version_b_id)


def statuses() -> list[str]:
    return sorted(Match.objects.values_list("status", flat=True))


def test_a_disqualified_bots_results_count_for_nobody(judge: User, league: list[Match], table: Table) -> None:
    assert {played for _, played in table().values()} == {2}
    bot = bot_of(league[0]).bot
    services.disqualify(judge, tournaments.ladder(), bot, "two of one")
    after = table()
    assert bot.name not in after
    assert {played for _, played in after.values()} == {1}
    act = Act.objects.get()
    assert (act.action, act.actor, act.bot, act.reason) == ("disqualify", judge, bot, "two of one")


def test_what_it_has_not_played_is_cancelled_and_taken_up_again(judge: User, queued: Match) -> None:
    held = matches.claim("a worker")
    assert held is not None
    bot = bot_of(queued).bot
    services.disqualify(judge, tournaments.ladder(), bot, "two of one")
    assert statuses() == ["cancelled"]
    assert not matches.extend(held, 1)
    version = services.reinstate(judge, Disqualification.objects.get())
    assert version == bot_of(queued)
    assert statuses() == ["queued"]
    assert [act.action for act in Act.objects.order_by("pk")] == ["disqualify", "reinstate"]


def test_a_new_version_of_a_disqualified_bot_does_not_play_until_it_is_reinstated(
    judge: User, queued: Match, activate: Activate
) -> None:
    old = bot_of(queued)
    services.disqualify(judge, tournaments.ladder(), old.bot, "two of one")
    new = activate(old.bot, b"class Bot: ...\n")
    assert not Entry.objects.filter(version=new).exists()
    assert services.reinstate(judge, Disqualification.objects.get()) == new
    assert Entry.objects.filter(version=new).exists()
    assert Match.objects.filter(status="queued").get().version_b == new


@pytest.mark.parametrize("leave", [roster.retire, roster.delete])
def test_a_bot_that_left_meanwhile_is_reinstated_without_an_entry(
    judge: User, league: list[Match], leave: Callable[..., None]
) -> None:
    bot = bot_of(league[0]).bot
    services.disqualify(judge, tournaments.ladder(), bot, "two of one")
    leave(bot)
    assert services.reinstate(judge, Disqualification.objects.get()) is None
    assert not Entry.objects.filter(bot=bot).exists()
    assert not tournaments.is_disqualified(tournaments.ladder(), bot.pk)


def test_in_a_season_the_version_that_played_comes_back(judge: User, queued: Match, activate: Activate) -> None:
    season = Tournament.objects.create(
        slug="s", name="Season", kind="season", ruleset=queued.tournament.ruleset, time_control={}
    )
    old = bot_of(queued)
    pairing.let_play([season], queued.version_a)
    pairing.let_play([season], old)
    services.disqualify(judge, season, old.bot, "two of one")
    activate(old.bot, b"class Bot: ...\n")
    assert services.reinstate(judge, Disqualification.objects.get()) == old
    assert Entry.objects.get(tournament=season, bot=old.bot).version == old
    assert Match.objects.get(tournament=season).status == "queued"


def test_who_was_disqualified_before_a_season_began_plays_with_what_was_registered(judge: User, queued: Match) -> None:
    now = timezone.now()
    kept = {"kind": "season", "ruleset": queued.tournament.ruleset, "time_control": {}}
    seasons = [Tournament.objects.create(slug=slug, name=slug, **kept) for slug in ("begun", "to-come")]
    bot = bot_of(queued).bot
    for season in seasons:
        Season.objects.create(tournament=season, opens_at=now - timedelta(days=2), deadline_at=now)
        Registration.objects.create(tournament=season, bot=bot, version=bot_of(queued))
        services.disqualify(judge, season, bot, "two of one")
    Season.objects.filter(tournament=seasons[0]).update(started_at=now)
    back = [services.reinstate(judge, Disqualification.objects.get(tournament=season)) for season in seasons]
    assert back == [bot_of(queued), None]


def test_a_disqualified_bot_without_a_match_keeps_its_name_when_it_is_deleted(judge: User, upload: Activate) -> None:
    bot = upload("Rook").bot
    services.disqualify(judge, tournaments.ladder(), bot, "two of one")
    roster.delete(bot)
    bot.refresh_from_db()
    assert bot.deleted_at is not None


def test_of_two_organisers_one_is_told_that_the_other_was_first(
    judge: User, league: list[Match], client: Client
) -> None:
    bot, ladder = bot_of(league[0]).bot, tournaments.ladder()
    services.disqualify(User.objects.create_user("eve"), ladder, bot, "first")
    client.force_login(judge)
    answer = client.post(f"/organise/bots/{bot.pk}/disqualify/", {"tournament": ladder.pk, "reason": "second"})
    assert answer.status_code == 400
    assert f"{bot.name} is disqualified from Open ladder already." in answer.content.decode()
    first = Disqualification.objects.get()
    assert first.reason == "first"
    services.reinstate(judge, first)
    page = client.post(f"/organise/disqualifications/{first.pk}/reinstate/", follow=True).content.decode()
    assert "This bot is reinstated already." in page
    assert Act.objects.count() == 2


def test_a_closed_tournament_keeps_its_table(judge: User, league: list[Match]) -> None:
    ladder, bot = tournaments.ladder(), bot_of(league[0]).bot
    services.disqualify(judge, ladder, bot, "two of one")
    services.annul(judge, league[1], "played by hand")
    Tournament.objects.update(closed_at=timezone.now())
    for refused in (
        lambda: services.disqualify(judge, ladder, league[0].version_a.bot, "late"),
        lambda: services.reinstate(judge, Disqualification.objects.get()),
        lambda: services.annul(judge, league[0], "late"),
        lambda: services.restore(judge, league[1]),
    ):
        with pytest.raises(ValidationError, match="Open ladder is closed: its table stays as it is"):
            refused()
    assert Act.objects.count() == 2


def test_a_disqualification_is_shown_with_its_reason(judge: User, league: list[Match], client: Client) -> None:
    bot = bot_of(league[0]).bot
    client.force_login(judge)
    sent = {"tournament": tournaments.ladder().pk, "reason": "two of <one>"}
    assert client.post(f"/organise/bots/{bot.pk}/disqualify/", sent).status_code == 302
    client.logout()
    for address in ("/leaderboard/", f"/bots/{bot.pk}/"):
        assert "two of &lt;one&gt;" in client.get(address).content.decode()
    assert "Organise" not in client.get(f"/bots/{bot.pk}/").content.decode()


@pytest.mark.parametrize("reason", ["", "   ", "\u200b", "x" * 301])
def test_a_reason_is_asked_for(judge: User, league: list[Match], client: Client, reason: str) -> None:
    client.force_login(judge)
    assert client.post(f"/organise/matches/{league[0].pk}/annul/", {"reason": reason}).status_code == 400
    assert statuses() == ["played"] * 3


def test_an_annulled_match_counts_for_nobody(judge: User, league: list[Match], table: Table) -> None:
    services.annul(judge, league[0], "played by hand")
    both = {league[0].version_a.bot.name, league[0].version_b.bot.name}
    assert {name for name, (_, played) in table().items() if played == 1} == both
    assert Match.objects.get(pk=league[0].pk).finished_at == league[0].finished_at


def test_a_match_that_is_being_played_is_given_up(judge: User, queued: Match, played: Callable[..., Record]) -> None:
    held = matches.claim("a worker")
    assert held is not None
    services.annul(judge, held, "played by hand")
    assert not matches.extend(held, 1)
    assert not matches.record(held, played(), NO_LOGS)
    assert not matches.fail(held, "late")
    matches.release(held)
    assert statuses() == ["annulled"]


@pytest.mark.parametrize("status", ["queued", "running", "failed", "cancelled"])
def test_an_annulled_match_is_never_queued_by_itself(
    judge: User, queued: Match, activate: Activate, status: str
) -> None:
    Match.objects.update(status=status, finished_at=timezone.now() if status == "failed" else None)
    services.annul(judge, queued, "played by hand")
    assert not matches.requeue(queued)
    pairing.pair(tournaments.ladder(), queued.version_a)
    matches.sweep()
    assert matches.claim("a worker") is None
    assert statuses() == ["annulled"]


def test_a_played_match_counts_again(judge: User, league: list[Match], table: Table) -> None:
    before = table()
    services.annul(judge, league[0], "played by hand")
    services.restore(judge, league[0])
    assert table() == before
    assert not Annulment.objects.exists()
    with pytest.raises(ValidationError, match="not annulled"):
        services.restore(judge, league[0])


def test_a_match_without_a_result_is_queued_where_both_still_play(judge: User, queued: Match) -> None:
    services.annul(judge, queued, "played by hand")
    services.restore(judge, queued)
    assert statuses() == ["queued"]
    services.annul(judge, queued, "played by hand")
    roster.retire(queued.version_a.bot)
    services.restore(judge, queued)
    assert statuses() == ["cancelled"]


def test_lists_and_pages_show_an_annulled_match_as_such(judge: User, league: list[Match], client: Client) -> None:
    annulled = league[0]
    services.annul(judge, annulled, "played by <hand>")
    link = f'href="/matches/{annulled.pk}/"'
    page = client.get("/matches/").content.decode()
    assert link in page
    assert "played by &lt;hand&gt;" in page
    for query in ("outcome=won", "outcome=lost", "outcome=drawn", "fault=none", "fault=any", "fault=platform"):
        assert link not in client.get(f"/matches/?{query}").content.decode(), query
    page = client.get(f"/matches/{annulled.pk}/").content.decode()
    assert "Annulled" in page
    assert "played by &lt;hand&gt;" in page
    assert f"It had ended {annulled.points_a} : {annulled.points_b}." in page


def test_a_match_is_annulled_and_restored_on_its_page(judge: User, league: list[Match], client: Client) -> None:
    client.force_login(judge)
    address = f"/organise/matches/{league[0].pk}"
    assert client.post(f"{address}/annul/", {"reason": "played by hand"}).status_code == 302
    assert client.post(f"{address}/annul/", {"reason": "again"}).status_code == 400
    assert "Let it count again" in client.get(f"/matches/{league[0].pk}/").content.decode()
    assert "The match counts again." in client.post(f"{address}/restore/", follow=True).content.decode()
    assert "This match is not annulled." in client.post(f"{address}/restore/", follow=True).content.decode()
