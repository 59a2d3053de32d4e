from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from django.core.exceptions import ValidationError
from django.test import Client
from django.utils import timezone
from pytest_django import DjangoAssertNumQueries

from arena.replay import Record
from league.accounts.models import User
from league.bots.models import Source, Version
from league.matches import roster, verification
from league.matches import services as matches
from league.matches.models import Log, Match, Replay
from league.matches.services import BotLog
from league.organisers import rejudging, services
from league.organisers.models import Act, Case, Rejudging
from league.standings import services as standings
from league.standings.models import Table
from league.tournaments import services as tournaments
from league.tournaments.models import Tournament

PlayAgain = Callable[..., list[Match]]
TableOf = Callable[[], dict[str, tuple[int, int]]]
COLUMNS = ("outcome", "termination", "reason", "points_a", "points_b", "games", "finished_at")


class Passer:
    """Lays the first of its legal plays."""

    def play(self, observation: Any) -> Any:
        return observation.legal_plays[0]


class Hoarder(Passer):
    """Draws from the last pile that it may."""

    def draw(self, observation: Any) -> Any:
        return observation.legal_piles[-1]


@pytest.fixture
def play_again(played: Callable[..., Record]) -> PlayAgain:
    """Plays the matches that wait, as other bots would if told so, and records them with logs of their own."""

    def play_again(other: bool = False) -> list[Match]:
        done = []
        while match := matches.claim("a worker"):
            record = played(seed=match.seed, bots=(Passer, Hoarder) if other else None)
            assert matches.record(match, record, (BotLog("", f"again {match.pk}"), BotLog()))
            done.append(match)
        return done

    return play_again


def begin(judge: User, **of: Any) -> Rejudging:
    return rejudging.begin(judge, tournaments.ladder(), "a faulty sandbox", **of)


def told(match: Match) -> dict[str, Any]:
    return Match.objects.filter(pk=match.pk).values(*COLUMNS).get()


def verdicts(begun: Rejudging) -> list[str]:
    return list(begun.cases.order_by("pk").values_list("verdict", flat=True))


def stored(begun: Rejudging) -> Rejudging:
    return Rejudging.objects.select_related("tournament", "apart").get(pk=begun.pk)


def test_matches_are_played_again_as_they_were(judge: User, league: list[Match]) -> None:
    begun = begin(judge)
    for case in begun.cases.select_related("original", "again"):
        same = ("version_a_id", "version_b_id", "leg", "seed")
        assert [getattr(case.original, name) for name in same] == [getattr(case.again, name) for name in same]
        assert (case.again.status, case.again.ranked, case.again.tournament_id) == ("queued", False, begun.apart_id)
    assert begun.apart.kind == "rejudging"
    assert begun.apart.ruleset == tournaments.ladder().ruleset
    assert rejudging.progress(begun) == (0, 0, 0, 3)


def test_a_bots_matches_or_a_single_one_are_chosen(judge: User, league: list[Match]) -> None:
    bot = league[0].version_a.bot
    of_bot = {match.pk for match in league if bot.pk in (match.version_a.bot_id, match.version_b.bot_id)}
    assert len(of_bot) == 2
    assert set(begin(judge, bot=bot).cases.values_list("original", flat=True)) == of_bot
    assert begin(judge, match=league[1]).cases.get().original == league[1]


def test_rejudged_matches_come_last(judge: User, league: list[Match], activate: Callable[..., Version]) -> None:
    begun = begin(judge)
    newest = activate("Queen")
    warm = tuple(league[0].version_a.__class__.objects.values_list("pk", flat=True))
    claimed = [matches.claim("a worker", warm) for _ in range(6)]
    assert all(claimed)
    kinds = [match.tournament_id == begun.apart_id for match in claimed if match]
    assert kinds == [False] * 3 + [True] * 3
    assert newest.pk in (claimed[0].version_a_id, claimed[0].version_b_id)  # type: ignore[union-attr]


def test_the_table_stays_until_the_set_is_applied(
    judge: User, league: list[Match], play_again: PlayAgain, table: TableOf
) -> None:
    before = table()
    begun = begin(judge)
    play_again(other=True)
    assert table() == before
    assert standings.refresh_stale() == 0
    assert not Table.objects.filter(tournament=begun.apart).exists()


def test_results_change_places_and_none_is_lost(judge: User, league: list[Match], play_again: PlayAgain) -> None:
    begun = begin(judge)
    play_again(other=True)
    cases = list(begun.cases.select_related("original", "again").order_by("pk"))
    old = {case.pk: told(case.original) for case in cases}
    new = {case.pk: told(case.again) for case in cases}
    revision = tournaments.ladder().revision
    rejudging.apply(judge, begun)
    assert tournaments.ladder().revision == revision + 1
    assert verdicts(begun) == ["changed"] * 3
    for case in cases:
        assert (told(case.original), told(case.again)) == (new[case.pk], old[case.pk])
        assert Log.objects.get(match=case.original).output == f"again {case.again_id}"
        assert {log.output for log in Log.objects.filter(match=case.again)} == {"output of A", "output of B"}
        case.refresh_from_db()
        was = old[case.pk]
        assert case.before == [was["outcome"], was["points_a"], was["points_b"], was["termination"]]
    replays = {replay.match_id: replay for replay in Replay.objects.select_related("match")}
    for case in cases:
        assert verification.difference(replays[case.original_id]) == ""
        assert verification.difference(replays[case.again_id]) == ""


def test_equal_results_stay_where_they_are(judge: User, league: list[Match], play_again: PlayAgain) -> None:
    begun = begin(judge)
    play_again()
    before = [told(match) for match in league]
    assert list(rejudging.changed(begun)) == []
    rejudging.apply(judge, begun)
    assert [told(match) for match in league] == before
    assert verdicts(begun) == ["same"] * 3
    act = Act.objects.get(action="apply")
    assert act.details == {"rejudging": begun.pk, "same": 3}


def test_the_comparison_is_the_table_as_it_will_be(
    judge: User, league: list[Match], play_again: PlayAgain, table: TableOf
) -> None:
    """Each match is turned round, so that what each bot will have follows from what it has."""
    before = table()
    begun = begin(judge)
    play_again()
    turned = {"A": "B", "B": "A"}
    for case in begun.cases.select_related("again"):
        again = case.again
        Match.objects.filter(pk=again.pk).update(
            outcome=turned.get(again.outcome, again.outcome), points_a=again.points_b, points_b=again.points_a
        )
    assert rejudging.compare_open() == 1
    rows = {row[0]: row for row in stored(begun).comparison}
    changed = {pk: (row[2], row[4]) for pk, row in rows.items()}
    names = dict(Version.objects.values_list("pk", "bot__name"))
    assert all(now + then == 4 for now, then in changed.values())  # of two matches: what was won is lost
    rejudging.apply(judge, stored(begun))
    assert {row[0]: row for row in stored(begun).comparison} == rows
    after = table()
    for name, (points, _) in after.items():
        expected = next((then for pk, (_, then) in changed.items() if names[pk] == name), before[name][0])
        assert points == expected


def test_a_comparison_is_made_once_for_each_state(judge: User, league: list[Match], play_again: PlayAgain) -> None:
    begin(judge)
    assert rejudging.compare_open() == 0  # still to be played
    play_again()
    assert [rejudging.compare_open() for _ in range(2)] == [1, 0]
    services.annul(judge, league[0], "played by hand")
    assert rejudging.compare_open() == 1


def test_a_set_that_is_still_played_is_not_applied(judge: User, league: list[Match]) -> None:
    begun = begin(judge)
    with pytest.raises(ValidationError, match="still to be played"):
        rejudging.apply(judge, begun)
    assert stored(begun).status == "open"


def test_a_set_is_applied_or_dropped_once(judge: User, league: list[Match], play_again: PlayAgain) -> None:
    begun = begin(judge)
    play_again(other=True)
    rejudging.apply(judge, begun)
    after = [told(match) for match in league]
    for again in (rejudging.apply, rejudging.drop):
        with pytest.raises(ValidationError, match="applied or dropped already"):
            again(judge, begun)
    assert [told(match) for match in league] == after
    assert [act.action for act in Act.objects.order_by("pk")] == ["rejudge", "apply"]


def test_what_is_dropped_is_played_no_more(judge: User, league: list[Match]) -> None:
    begun = begin(judge)
    held = matches.claim("a worker")
    assert held is not None
    before = [told(match) for match in league]
    rejudging.drop(judge, begun)
    assert not matches.extend(held, 1)
    assert matches.claim("a worker") is None
    assert rejudging.progress(begun) == (0, 0, 3, 3)
    assert [told(match) for match in league] == before


def test_of_two_sets_with_the_same_match_the_later_one_leaves_it(
    judge: User, league: list[Match], play_again: PlayAgain
) -> None:
    first, second = begin(judge), begin(judge, match=league[0])
    play_again(other=True)
    rejudging.apply(judge, first)
    after = told(league[0])
    rejudging.apply(judge, second)
    assert verdicts(second) == ["moved"]
    assert told(league[0]) == after


def test_what_was_annulled_or_not_played_again_is_skipped(
    judge: User, league: list[Match], play_again: PlayAgain
) -> None:
    begun = begin(judge)
    first = begun.cases.order_by("pk")[0]
    Match.objects.filter(pk=first.again_id).update(status="failed", finished_at=timezone.now())
    play_again(other=True)
    services.annul(judge, league[1], "played by hand")
    rejudging.apply(judge, begun)
    by_match = dict(begun.cases.values_list("original", "verdict"))
    assert by_match.pop(first.original_id) == "unplayed"
    assert by_match.pop(league[1].pk) == "moved"
    assert set(by_match.values()) == {"changed"}
    assert Match.objects.get(pk=league[1].pk).status == "annulled"


def test_what_can_not_be_played_again_is_left_out(judge: User, league: list[Match]) -> None:
    roster.delete(league[0].version_a.bot)
    assert begin(judge).cases.count() == 1
    Source.objects.all().delete()
    with pytest.raises(ValidationError, match="No match here can be played again"):
        begin(judge)
    assert Tournament.objects.filter(kind="rejudging").count() == 1


def test_a_set_has_its_limit(judge: User, league: list[Match], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(rejudging, "MOST", 2)
    with pytest.raises(ValidationError, match="more than 2 matches"):
        begin(judge)


def test_a_closed_tournament_is_not_rejudged(judge: User, league: list[Match], play_again: PlayAgain) -> None:
    begun = begin(judge)
    play_again(other=True)
    Tournament.objects.filter(slug="ladder").update(closed_at=timezone.now())
    for refused in (lambda: rejudging.apply(judge, begun), lambda: begin(judge)):
        with pytest.raises(ValidationError, match="is closed"):
            refused()
    rejudging.drop(judge, begun)
    assert stored(begun).status == "dropped"


def test_staff_alone_sees_a_rejudged_match(
    judge: User, league: list[Match], play_again: PlayAgain, people: dict[str, Client]
) -> None:
    begun = begin(judge, match=league[0])
    play_again(other=True)
    again = begun.cases.get().again_id
    pages = ["", "games/1/", "record.json", "record.txt", "times/A.csv"]
    for visitor in ("anonymous", "other", "owner"):
        answers = [people[visitor].get(f"/matches/{again}/{page}").status_code for page in pages[:-1]]
        assert answers == [404] * 4, visitor
    assert people["owner"].get(f"/matches/{again}/times/A.csv").status_code == 404
    for page in pages[:-1]:
        answer = people["staff"].get(f"/matches/{again}/{page}")
        assert answer.status_code == 200
        assert "public" not in answer["Cache-Control"]
    assert f"/matches/{again}/" not in people["anonymous"].get("/matches/").content.decode()


def test_a_set_goes_its_way_on_its_pages(
    judge: User,
    league: list[Match],
    play_again: PlayAgain,
    client: Client,
    django_assert_max_num_queries: DjangoAssertNumQueries,
) -> None:
    client.force_login(judge)
    ladder = tournaments.ladder()
    answer = client.post(f"/organise/rejudgings/new/?tournament={ladder.pk}", {"reason": "a <faulty> sandbox"})
    begun = Rejudging.objects.get()
    address = f"/organise/rejudgings/{begun.pk}/"
    assert answer["Location"] == address
    page = client.get(address).content.decode()
    assert "a &lt;faulty&gt; sandbox" in page
    assert "0<span" in page
    assert "Apply" not in page
    play_again(other=True)
    assert "A worker compares the tables." in client.get(address).content.decode()
    rejudging.compare_open()
    with django_assert_max_num_queries(9):
        page = client.get(address).content.decode()
    for case in Case.objects.select_related("original", "again"):
        assert f"/matches/{case.again_id}/" in page
    assert "The rejudging is applied" in client.post(f"{address}apply/", follow=True).content.decode()
    assert "applied or dropped already" in client.post(f"{address}drop/", follow=True).content.decode()
    assert "Results that were changed" in client.get(address).content.decode()


@pytest.mark.parametrize("query", ["", "tournament=99999", "match=99999", "tournament=x"])
def test_what_is_to_be_rejudged_has_to_be_there(judge: User, client: Client, query: str) -> None:
    client.force_login(judge)
    assert client.get(f"/organise/rejudgings/new/?{query}").status_code in (400, 404)
