"""A tournament's table is the same wherever it is shown: on its page, in the API, in its dump, on bots' pages."""

from __future__ import annotations

import io
import json
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from django.test import Client

from arena import cli
from arena.dump import Dump
from league.bots.models import Version
from league.matches.models import Match
from league.standings import services as standings
from league.standings.models import Standing, Table
from league.tournaments import services as tournaments


@pytest.fixture
def league(activate: Callable[..., Version], play_all: Callable[..., list[Match]], short_ladder: object) -> None:
    """Four bots that played, two of them equal, and one that did not."""
    for name in ("Pawn", "Rook", "Queen", "King"):
        activate(name)
    play_all()
    pawn, rook = (Version.objects.get(bot__name=name).pk for name in ("Pawn", "Rook"))
    Match.objects.filter(version_a=pawn, version_b=rook).update(
        outcome="draw", points_a=90, points_b=90, games=[[0, 40, 50, 9], [1, 50, 40, 9]]
    )
    tournaments.touch(tournaments.ladder())
    activate("Late")
    standings.refresh(tournaments.ladder())


def on_the_page(client: Client) -> list[tuple[str, str, str]]:
    """Rank, bot and match points of each row."""
    page = client.get("/leaderboard/").content.decode()
    rows = re.findall(r"(?s)<tr class=.*?</tr>", re.sub(r"(?s)^.*?<tbody>|</tbody>.*$", "", page))
    found = []
    for row in rows:
        rank = re.search(r'<td class="rank">(\d+)</td>', row)
        name = re.search(r'row-link name" href="[^"]*">([^<]*)<', row)
        points = re.search(r'<td class="number key">(\d+)</td>', row)
        assert rank
        assert name
        assert points
        found.append((rank[1], name[1], points[1]))
    return found


def in_the_api(client: Client) -> list[tuple[str, str, str]]:
    rows = client.get("/api/v1/tournaments/ladder/leaderboard").json()["rows"]
    return [(str(row["rank"]), row["version"]["bot"]["name"], str(row["match_points"])) for row in rows if row["rank"]]


def the_dump(client: Client) -> bytes:
    answer: Any = client.get("/leaderboard/ladder/dump")
    return b"".join(answer.streaming_content)


def test_page_api_dump_and_bots_pages_show_the_same_table(league: None, client: Client) -> None:
    stored = Standing.objects.filter(rank__isnull=False).order_by("rank", "version__bot__name")
    expected = [(str(row.rank), row.version.bot.name, str(row.match_points)) for row in stored]
    assert len(expected) == 4
    assert on_the_page(client) == expected
    assert in_the_api(client) == expected
    dump = Dump.load(io.BytesIO(the_dump(client)))
    names = {pk: version.name for pk, version in dump.versions.items()}
    told = [(str(row.rank), names[row.version], str(row.match_points)) for row in dump.rows if row.rank]
    assert told == expected
    for rank, name, points in expected:
        bot = Version.objects.get(bot__name=name).bot_id
        page = client.get(f"/bots/{bot}/").content.decode()
        assert f"<dd>{rank}</dd>" in page
        assert f"<dd>{points}</dd>" in page


def test_anybody_computes_table_and_ratings_from_the_dump_to_the_last_digit(
    league: None, client: Client, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "ladder.jsonl"
    file.write_bytes(the_dump(client))
    assert cli.main(["table", str(file), "--json"]) == 0
    printed = json.loads(capsys.readouterr().out)
    stored = {row.version_id: row for row in Standing.objects.all()}
    assert len(printed["table"]) == 5
    for row in printed["table"]:
        same = stored[row["version"]]
        for name in (
            "rank",
            "played",
            "possible",
            "match_points",
            "points_for",
            "sonneborn_berger",
            "elo",
            "elo_error",
        ):
            assert row[name] == getattr(same, name), name


def test_a_figure_that_was_changed_in_the_site_is_found_from_the_dump(
    league: None, client: Client, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    first = Standing.objects.get(rank=1)
    assert first.elo is not None
    Standing.objects.filter(pk=first.pk).update(elo=first.elo + 0.00001)
    file = tmp_path / "ladder.jsonl"
    file.write_bytes(the_dump(client))
    assert cli.main(["table", str(file), "--check"]) == 1
    assert first.version.bot.name in capsys.readouterr().out


def test_a_table_that_can_not_be_computed_anew_stays_and_says_so_on_page_and_api(league: None, client: Client) -> None:
    before = on_the_page(client)
    Match.objects.filter(status="played").update(outcome="what")
    tournaments.touch(tournaments.ladder())
    assert not standings.refresh(tournaments.ladder())
    assert Table.objects.get().error
    assert on_the_page(client) == before
    assert "could not be computed anew" in client.get("/leaderboard/").content.decode()
    assert client.get("/api/v1/tournaments/ladder/leaderboard").json()["failed"] is True
