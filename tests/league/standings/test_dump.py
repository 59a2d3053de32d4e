"""The dump of a tournament: what is in it, that it is of one moment, and that its table follows from its results."""

from __future__ import annotations

import io
import json
import threading
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from django.core.management import CommandError, call_command
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext

from arena import standings as engine
from arena.dump import Dump, Row
from league.bots.models import Bot, Version
from league.matches import roster
from league.matches import services as matches
from league.matches.models import Match, Replay
from league.standings import dump, services
from league.standings.models import Standing
from league.tournaments import services as tournaments
from league.tournaments.models import Disqualification, Tournament

Activate = Callable[..., Version]
PlayAll = Callable[..., list[Match]]
OTHER = b"class Bot:\n    def play(self, observation):\n        return ()\n"


def whole(tournament: Tournament) -> Dump:
    return Dump.load(io.BytesIO(b"".join(dump.lines(tournament))))


def plain(tournament: Tournament, kind: str) -> list[dict[str, Any]]:
    lines = map(json.loads, dump.lines(tournament))
    return [line for line in lines if line["line"] == kind]


def columns(row: engine.Row) -> dict[str, Any]:
    names = [name for name in Row._fields if name not in ("version", "decided", "elo", "elo_error")]
    return {"version": row.entrant, "decided": row.decided or "", **{name: getattr(row, name) for name in names}}


def test_the_table_that_the_site_stores_follows_from_the_matches_of_the_dump(
    activate: Activate, play_all: PlayAll, raiser: type
) -> None:
    for name in ("Pawn", "Rook", "King", "Queen"):
        activate(name)
    play_all()
    activate("Pawn", OTHER, message="my secret plan")
    play_all()
    ladder = tournaments.ladder()
    loaded = whole(ladder)
    assert loaded.header.is_current
    assert (len(loaded.versions), len(loaded.entrants), len(loaded.results)) == (5, 4, 9)
    computed = engine.table(loaded.results, loaded.entrants)
    stored = [row._asdict() for row in loaded.rows]
    assert [{name: row[name] for name in columns(computed[0])} for row in stored] == [columns(row) for row in computed]
    assert [row.version for row in loaded.rows] == list(Standing.objects.values_list("version", flat=True))
    assert "secret" not in b"".join(dump.lines(ladder)).decode()


def test_a_match_and_its_versions_are_as_they_are_stored(activate: Activate, play_all: PlayAll) -> None:
    a, b = activate("Pawn"), activate("Ладья")
    (match,) = play_all()
    (line,) = plain(tournaments.ladder(), "match")
    assert (line["id"], line["a"], line["b"], line["leg"], line["seed"]) == (match.pk, a.pk, b.pk, 1, match.seed)
    assert (line["outcome"], line["points_a"], line["points_b"]) == (match.outcome, match.points_a, match.points_b)
    assert line["games"] == match.games
    assert line["replay"] == Replay.objects.get().sha256
    assert match.finished_at is not None
    assert line["finished_at"] == f"{match.finished_at:%Y-%m-%dT%H:%M:%S.%f}Z"
    first, second = plain(tournaments.ladder(), "version")
    assert (first["id"], first["bot"], first["name"], first["author"]) == (a.pk, a.bot_id, "Pawn", "ada")
    assert (second["name"], second["sha256"], second["entered"]) == ("Ладья", b.sha256, True)


def test_only_played_matches_of_this_tournament_are_in_it(activate: Activate, play_all: PlayAll) -> None:
    a, b = activate("Pawn"), activate("Rook")
    play_all()
    Match.objects.update(status="annulled")
    other = Tournament.objects.create(slug="other", name="O", kind="scrimmage", ruleset={}, time_control={})
    played = {"status": "played", "outcome": "draw", "version_a": a, "version_b": b, "seed": 1}
    Match.objects.create(tournament=other, ranked=False, **played)
    activate("King")
    services.refresh(tournaments.ladder())
    loaded = whole(tournaments.ladder())
    assert (loaded.results, len(loaded.entrants)) == ([], 3)
    assert [row.rank for row in loaded.rows] == [None, None, None]


def test_who_is_disqualified_is_in_it_with_the_public_reason_until_that_is_lifted(
    activate: Activate, play_all: PlayAll
) -> None:
    pawn = activate("Pawn")
    activate("Rook")
    play_all()
    ladder = tournaments.ladder()
    verdict = Disqualification.objects.create(tournament=ladder, bot=pawn.bot, version=pawn, reason="copied from Rook")
    (line,) = plain(ladder, "disqualified")
    assert (line["bot"], line["name"], line["version"], line["reason"]) == (
        pawn.bot_id, "Pawn", pawn.pk, "copied from Rook",
    )  # fmt: skip
    Disqualification.objects.filter(pk=verdict.pk).update(lifted_at=verdict.at)
    assert plain(ladder, "disqualified") == []


def test_who_left_keeps_its_matches_and_is_entered_no_more(activate: Activate, play_all: PlayAll) -> None:
    pawn = activate("Pawn")
    activate("Rook")
    play_all()
    roster.delete(pawn.bot)
    services.refresh(tournaments.ladder())
    loaded = whole(tournaments.ladder())
    assert not loaded.versions[pawn.pk].entered
    assert len(loaded.results) == 1
    assert [row.played for row in loaded.rows] == [0]


def test_a_table_behind_its_results_says_so(activate: Activate, play_all: PlayAll) -> None:
    activate("Pawn")
    activate("Rook")
    assert plain(tournaments.ladder(), "header")[0]["computed_at"] is None
    play_all()
    activate("King")
    header = whole(tournaments.ladder()).header
    assert not header.is_current
    assert header.table_revision is not None
    assert header.table_revision < header.revision


def test_the_same_state_gives_the_same_bytes(activate: Activate, play_all: PlayAll) -> None:
    for name in ("Pawn", "Rook", "King"):
        activate(name)
    play_all()
    first = b"".join(dump.lines(tournaments.ladder()))
    assert b"".join(dump.lines(tournaments.ladder())) == first
    Bot.objects.filter(name="Pawn").update(name="Peon")
    renamed = b"".join(dump.lines(tournaments.ladder()))
    assert renamed.splitlines()[:-1] == first.replace(b'"Pawn"', b'"Peon"').splitlines()[:-1]
    assert renamed.splitlines()[-1] != first.splitlines()[-1]


def test_as_many_queries_are_made_for_many_matches_as_for_few(activate: Activate, play_all: PlayAll) -> None:
    counts = []
    for name in ("Pawn", "Rook", "King", "Queen"):
        activate(name)
        play_all()
        with CaptureQueriesContext(
            connection,
        ) as asked:
            whole(tournaments.ladder())
        counts.append(len(asked))
    assert len(set(counts)) == 1
    assert counts[0] <= 9


@pytest.mark.django_db(transaction=True)
def test_what_is_recorded_while_a_dump_is_read_is_not_in_it(
    activate: Activate, play_all: PlayAll, played: Callable[..., Any]
) -> None:
    for name in ("Pawn", "Rook"):
        activate(name)
    play_all()
    activate("King")
    services.refresh(tournaments.ladder())
    lines = dump.lines(tournaments.ladder())
    read = [next(lines), next(lines)]

    def record() -> None:
        while match := matches.claim("a worker"):
            matches.record(match, played(seed=match.seed), (matches.BotLog(), matches.BotLog()))
        services.refresh(tournaments.ladder())
        connection.close()

    beside = threading.Thread(target=record)  # it has a connection of its own, and waits for nobody
    beside.start()
    beside.join(30)
    assert not beside.is_alive()
    loaded = Dump.load(io.BytesIO(b"".join([*read, *lines])))
    assert loaded.header.is_current
    assert len(loaded.results) == 1
    assert len(whole(tournaments.ladder()).results) == 3
    assert not connection.in_atomic_block


@pytest.mark.django_db(transaction=True)
def test_who_stops_reading_holds_nothing(activate: Activate) -> None:
    activate("Pawn")
    lines = dump.lines(tournaments.ladder())
    next(lines)
    lines.close()  # type: ignore[attr-defined]
    assert not connection.in_atomic_block
    tournaments.touch(tournaments.ladder())


def test_the_page_offers_the_file_and_it_is_sent_whole(activate: Activate, play_all: PlayAll, client: Client) -> None:
    activate("Pawn")
    activate("Rook")
    play_all()
    assert 'href="/leaderboard/ladder/dump" download' in client.get("/leaderboard/").content.decode()
    answer = client.get("/leaderboard/ladder/dump")
    assert answer.streaming
    assert answer["Content-Disposition"] == 'attachment; filename="ladder.jsonl"'
    assert answer["Content-Type"] == "application/x-ndjson"
    assert answer.getvalue() == b"".join(dump.lines(tournaments.ladder()))
    assert client.head("/leaderboard/ladder/dump").status_code == 200
    assert client.get("/leaderboard/nothing/dump").status_code == 404


def test_a_tournament_without_a_table_has_no_dump(db: None, client: Client) -> None:
    Tournament.objects.create(slug="hidden", name="H", kind="scrimmage", ruleset={}, time_control={})
    assert client.get("/leaderboard/hidden/dump").status_code == 404
    with pytest.raises(CommandError, match=r"expected a ladder or a season \(there is none yet\), got 'hidden'"):
        call_command("dump", "hidden")


def test_the_command_writes_the_same_file_with_a_table_of_its_results(
    activate: Activate, tmp_path: Path, capsysbinary: pytest.CaptureFixture[bytes]
) -> None:
    activate("Pawn")
    activate("Rook")
    path = tmp_path / "ladder.jsonl"
    path.write_text("an older one")
    call_command("dump", "ladder", "--out", str(path))
    content = path.read_bytes()
    assert Dump.load(io.BytesIO(content)).header.is_current
    assert content == b"".join(dump.lines(tournaments.ladder()))
    assert [each.name for each in tmp_path.iterdir()] == ["ladder.jsonl"]
    call_command("dump", "ladder")
    assert Dump.load(io.BytesIO(capsysbinary.readouterr().out)).entrants == Dump.load(io.BytesIO(content)).entrants


def test_a_file_keeps_what_it_held_when_the_new_one_breaks_off(
    activate: Activate, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    activate("Pawn")
    path = tmp_path / "ladder.jsonl"
    path.write_text("an older one")

    def broken(tournament: Tournament) -> Any:
        yield b"half"
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(dump, "lines", broken)
    with pytest.raises(CommandError, match="No space left on device"):
        call_command("dump", "ladder", "--out", str(path))
    assert [(each.name, each.read_text()) for each in tmp_path.iterdir()] == [("ladder.jsonl", "an older one")]
