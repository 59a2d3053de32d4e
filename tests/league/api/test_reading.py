"""What programs are told is what the pages show."""

from __future__ import annotations

from collections.abc import Callable
from datetime import timedelta
from typing import Any

import pytest
from django.test import Client
from django.utils import timezone
from pytest_django import DjangoAssertNumQueries

from arena import standings
from arena.ruleset import Ruleset, TimeControl
from league.accounts.models import User
from league.bots.models import Bot, Version
from league.matches import roster
from league.matches.models import Match, Replay, Worker
from league.standings import services as tables
from league.standings.models import Standing
from league.tournaments import services as tournaments
from league.tournaments.models import Season, Tournament
from tests.league.api.programs import Program

Played = tuple[Version, Version]


@pytest.fixture
def three_played(
    activate: Callable[..., Version], play_all: Callable[..., list[Match]], short_ladder: Ruleset
) -> list[Match]:
    """A full round robin of Bishop, Rook and Queen; Pawn has just entered."""
    for name in ("Bishop", "Rook", "Queen"):
        activate(name)
    matches = play_all()
    activate("Pawn")
    tables.refresh(tournaments.ladder())
    return matches


def pages(program: Program, path: str, what: str, **parameters: Any) -> list[Any]:
    """All rows of a list, a page after the other."""
    rows: list[Any] = []
    cursor = ""
    for _ in range(20):
        told = program.get(path, cursor=cursor, **parameters).json
        assert len(told[what]) <= parameters["limit"]
        rows += told[what]
        cursor = told["next"]
        if cursor is None:
            return rows
    raise AssertionError("it has no end")


@pytest.mark.parametrize("limit", [1, 3, 4])
def test_the_leaderboard_has_the_rows_of_the_table_in_its_order(
    public: Program, three_played: list[Match], limit: int
) -> None:
    rows = pages(public, "/tournaments/ladder/leaderboard", "rows", limit=limit)
    entered = [each.version_id for each in tournaments.ladder().entries.all()]
    expected = standings.table(tables.results(tournaments.ladder()), entered)
    assert len(rows) == 4
    assert [row["rank"] for row in rows] == [row.rank for row in expected]
    assert rows[3]["version"]["bot"]["name"] == "Pawn"
    assert (rows[3]["points_a_game"], rows[3]["decided"]) == (None, None)
    by_version = {row.entrant: row for row in expected}
    for row in rows:
        same = by_version[row["version"]["id"]]
        names = [
            "played",
            "possible",
            "won",
            "drawn",
            "lost",
            "match_points",
            "points_for",
            "points_against",
            "faults",
            "sonneborn_berger",
        ]
        assert [row[name] for name in names] == [getattr(same, name) for name in names]
        assert row["decided"] == (same.decided.value if same.decided else None)
        if same.played:
            assert row["points_a_game"] == same.points_for / (2 * same.played), "two games a match"


def test_the_matrix_tells_each_match_from_both_sides(public: Program, three_played: list[Match]) -> None:
    bots = dict(Bot.objects.values_list("name", "pk"))
    told = public.get("/tournaments/ladder/matrix", bot=[bots["Bishop"], bots["Queen"]])
    assert told.status == 200
    one, other = told.json["lines"]
    assert one["cells"][0] is None
    assert other["cells"][1] is None
    (seen,), (back,) = one["cells"][1], other["cells"][0]
    assert (seen["points"], seen["against"]) == (back["against"], back["points"])
    match = Match.objects.get(pk=seen["match"])
    assert {match.version_a.bot_id, match.version_b.bot_id} == {bots["Bishop"], bots["Queen"]}
    assert {seen["points"], seen["against"]} == {match.points_a, match.points_b}
    assert len(public.get("/tournaments/ladder/matrix").json["lines"]) == 3, "all that have a rank"


def test_a_bot_without_a_rank_is_in_no_matrix(public: Program, three_played: list[Match]) -> None:
    pawn = Bot.objects.get(name="Pawn").pk
    told = public.get("/tournaments/ladder/matrix", bot=[pawn])
    assert (told.status, told.json["field"]) == (404, "bot")
    assert str(pawn) in told.json["message"]


def test_matches_are_told_the_latest_first_and_in_pages_that_do_not_shift(
    public: Program, three_played: list[Match]
) -> None:
    expected = [
        match.pk for match in sorted(three_played, key=lambda match: (match.finished_at, match.pk), reverse=True)
    ]
    assert [match["id"] for match in pages(public, "/matches", "matches", limit=2)] == expected
    first = public.get("/matches", limit=1).json
    Match.objects.filter(pk=first["matches"][0]["id"]).update(finished_at=None, status="queued", outcome="")
    assert [match["id"] for match in public.get("/matches", cursor=first["next"]).json["matches"]] == expected[1:]


@pytest.mark.parametrize(
    ("wanted", "count"),
    [
        ({"bot": "bishop"}, 2),
        ({"author": "ada"}, 3),
        ({"fault": "any"}, 0),
        ({"fault": "none"}, 3),
        ({"tournament": "ladder"}, 3),
        ({"tournament": "spring"}, 0),
    ],
    ids=str,
)
def test_matches_are_filtered_as_on_the_page(
    public: Program, three_played: list[Match], wanted: dict[str, str], count: int
) -> None:
    season()
    assert len(public.get("/matches", **wanted).json["matches"]) == count


def test_won_and_lost_matches_of_a_bot_are_all_that_it_played(public: Program, three_played: list[Match]) -> None:
    found = [
        public.get("/matches", bot="Rook", outcome=outcome).json["matches"] for outcome in ("won", "drawn", "lost")
    ]
    assert sum(map(len, found)) == 2
    for match in found[0]:
        assert match[match["outcome"].lower()]["version"]["bot"]["name"] == "Rook"


@pytest.mark.parametrize(
    ("path", "status", "said"),
    [
        ("/matches?bot=nobody", 404, "There is no such bot"),
        ("/matches?tournament=none", 404, "There is no tournament none."),
        ("/matches?limit=201", 422, "limit: input should be less than or equal to 200"),
        ("/matches?outcome=lots", 422, "outcome: input should be '', 'won', 'drawn' or 'lost'"),
        ("/matches?before=3", 422, "expected some of the parameters limit, cursor, bot, author, "),
        ("/matches?bot=%00", 422, "bot: "),
        ("/matches?cursor=12", 422, "cursor: "),
        ("/bots?cursor=-1", 422, "cursor: "),
        ("/bots/0", 422, "bot: input should be greater than or equal to 1"),
        ("/bots/9223372036854775808", 422, "bot: "),
        ("/bots/9223372036854775807", 404, "There is no bot 9223372036854775807."),
        ("/tournaments/none/leaderboard", 404, "There is no tournament none."),
        ("/tournaments/ladder/matrix?bot=1&bot=x", 422, "valid integer"),
        ("/nothing", 404, "The API has no /api/v1/nothing"),
        ("/", 404, "/api/v1/docs"),
    ],
)
def test_what_is_wrong_is_named(public: Program, db: None, path: str, status: int, said: str) -> None:
    told = public.get(path)
    assert told.status == status
    assert said in told.json["message"]
    assert set(told.json) == {"code", "message", "field"}


def test_a_match_is_told_with_its_games_and_its_record_as_the_site_serves_it(
    public: Program, client: Client, two_played: Played
) -> None:
    match = Match.objects.get()
    told = public.get(f"/matches/{match.pk}").json
    assert [[game["points"], game["rounds"]] for game in told["games"]] == [[[a, b], n] for _, a, b, n in match.games]
    assert told["has_replay"] is True
    record = public.get(f"/matches/{match.pk}/replay").json
    assert record == client.get(f"/matches/{match.pk}/record.json").json()
    assert record["bots"] == ["Bishop", "Rook"]


def test_a_match_that_waits_has_no_replay_and_no_outcome(public: Program, queued: Match) -> None:
    told = public.get(f"/matches/{queued.pk}").json
    assert (told["status"], told["outcome"], told["has_replay"], told["games"]) == ("queued", None, False, [])
    assert public.get(f"/matches/{queued.pk}/replay").status == 404
    assert public.get("/matches").json["matches"] == []


def test_a_damaged_replay_is_said_to_be_so(public: Program, two_played: Played) -> None:
    Replay.objects.update(data=b"damaged")
    told = public.get(f"/matches/{Match.objects.get().pk}/replay")
    assert (told.status, told.json["code"]) == (500, "internal")
    assert "can't be read" in told.json["message"]


def test_logs_are_for_the_owner_and_a_token_that_allows_it(
    own: Program, other: Program, public: Program, program: Callable[..., Program], two_played: Played
) -> None:
    path = f"/matches/{Match.objects.get().pk}/logs"
    (log,) = own.get(path).json["logs"]
    assert (log["seat"], log["bot"]["name"], log["traceback"], log["output"]) == (
        "A", "Bishop", "trace of A", "output of A",
    )  # fmt: skip
    staff = program(User.objects.create_user("judge", is_staff=True))
    assert [each["seat"] for each in staff.get(path).json["logs"]] == ["A", "B"]
    assert public.get(path).status == 401
    assert other.get(path).json["code"] == "not_yours"
    assert program(scopes=("submit",)).get(path).json["code"] == "scope"


def test_matches_that_count_for_no_table_are_told_to_those_who_play_in_them(
    own: Program, other: Program, public: Program, two_played: Played
) -> None:
    Match.objects.update(ranked=False)
    path = f"/matches/{Match.objects.get().pk}"
    assert public.get("/matches").json["matches"] == []
    assert [each.get(path).status for each in (own, other, public)] == [200, 404, 404]
    Match.objects.update(status="queued", finished_at=None)
    assert public.get("/queue").json["matches"]["first"] == []


def test_bots_are_told_with_the_version_that_plays_and_their_place(
    public: Program, upload: Callable[..., Version], two_played: Played
) -> None:
    newest = upload("Bishop", b"class Bot: ...\n")
    told = public.get("/bots").json["bots"]
    assert [(bot["name"], bot["active"], bot["author"]["name"]) for bot in told] == [
        ("Bishop", two_played[0].pk, "ada"),
        ("Rook", two_played[1].pk, "eve"),
    ]
    assert {bot["place"]["rank"] for bot in told} == {row.rank for row in Standing.objects.all()}
    assert public.get(f"/bots/{newest.bot_id}").json == told[0]
    versions = pages(public, f"/bots/{newest.bot_id}/versions", "versions", limit=1)
    assert [(version["number"], version["status"]) for version in versions] == [(2, "checking"), (1, "active")]


def test_bots_are_filtered_by_name_author_and_state(public: Program, two_played: Played) -> None:
    def names(**wanted: str) -> list[str]:
        return [bot["name"] for bot in pages(public, "/bots", "bots", limit=1, **wanted)]

    roster.retire(two_played[0].bot)
    assert names() == ["Bishop", "Rook"]
    assert names(state="playing") == ["Rook"]
    assert names(state="retired") == ["Bishop"]
    assert names(name="OO") == ["Rook"]
    assert names(author="EVE") == ["Rook"]
    roster.delete(two_played[0].bot)
    assert names() == ["Rook"]
    assert names(state="deleted") == ["Bishop"]


def test_ones_own_bots_are_told_with_their_newest_upload(
    own: Program, other: Program, upload: Callable[..., Version], two_played: Played
) -> None:
    newest = upload("Bishop", b"class Bot: ...\n", message="bolder")
    (bot,) = own.get("/me/bots").json["bots"]
    assert (bot["name"], bot["active"]) == ("Bishop", two_played[0].pk)
    assert (bot["newest"]["id"], bot["newest"]["message"]) == (newest.pk, "bolder")
    assert other.get("/me/bots").json == {"bots": []}


def season() -> Tournament:
    """A season that is open for registration."""
    now = timezone.now()
    made = Tournament.objects.create(
        slug="spring", name="Spring", kind="season", ruleset=Ruleset().as_dict(), time_control=TimeControl().as_dict()
    )
    Season.objects.create(
        tournament=made, about="The first", opens_at=now - timedelta(days=1), deadline_at=now + timedelta(days=1)
    )
    return made


def test_tournaments_are_told_with_their_phase_and_times(public: Program, two_played: Played) -> None:
    made = season()
    Tournament.objects.create(slug="quarrel", name="Quarrel", kind="scrimmage", ruleset={}, time_control={})
    ladder, spring = pages(public, "/tournaments", "tournaments", limit=1)
    assert (ladder["slug"], ladder["kind"], ladder["phase"], ladder["entries"]) == ("ladder", "ladder", "playing", 2)
    assert (spring["slug"], spring["phase"], spring["about"]) == ("spring", "registration", "The first")
    assert spring["deadline_at"].startswith(made.season.deadline_at.strftime("%Y-%m-%dT%H:%M:%S"))
    assert public.get("/tournaments/spring").json == spring
    assert public.get("/tournaments/quarrel").status == 404
    Tournament.objects.filter(slug="ladder").update(closed_at=timezone.now())
    assert public.get("/tournaments/ladder").json["phase"] == "closed"


def test_the_queue_is_told_in_its_order(public: Program, upload: Callable[..., Version], queued: Match) -> None:
    waiting = upload("Pawn")
    told = public.get("/queue").json
    assert [(each["version"]["id"], each["place"]) for each in told["checks"]["first"]] == [(waiting.pk, 1)]
    assert [(each["match"]["id"], each["place"]) for each in told["matches"]["first"]] == [(queued.pk, 1)]
    assert (told["checks"]["count"], told["matches"]["count"], told["running"]) == (1, 1, [])


def test_the_queue_tells_which_workers_work(public: Program, db: None) -> None:
    now = timezone.now()
    heard = {"sandbox": "containers", "able": True, "version": "0.1.0", "processes": ["host-1/8/99"]}
    Worker.objects.create(name="host-1/7/99", matches=12, **heard)
    Worker.objects.create(name="host-2/7/99", pause="faults", faults=5, pause_reason="the engine is gone", **heard)
    Worker.objects.create(name="host-3/7/99", seen_at=now - timedelta(minutes=1), **heard)
    answer = public.get("/queue")
    told = [(each["state"], each["pause"], each["matches"], each["faults"]) for each in answer.json["workers"]]
    assert told == [("working", None, 12, 0), ("paused", "faults", 0, 5), ("lost", None, 0, 0)]
    assert {each["processes"] for each in answer.json["workers"]} == {1}
    assert "host-" not in str(answer.json)
    assert "the engine is gone" not in str(answer.json)


@pytest.mark.parametrize(
    ("path", "most"),
    [
        ("/me/bots", 6),
        ("/bots", 5),
        ("/tournaments", 3),
        ("/tournaments/ladder/leaderboard", 7),
        ("/tournaments/ladder/matrix", 7),
        ("/matches", 2),
        ("/matches?bot=Bishop", 3),
        ("/matches?tournament=ladder", 3),
        ("/queue", 7),
    ],
)
def test_an_answer_takes_the_same_few_queries_however_long_it_is(
    own: Program,
    three_played: list[Match],
    path: str,
    most: int,
    django_assert_max_num_queries: DjangoAssertNumQueries,
) -> None:
    own.get("/me")  # notes the use of the token
    with django_assert_max_num_queries(most + 1):
        assert own.get(path).status == 200
