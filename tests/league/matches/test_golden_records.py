"""Records of all format versions are read and shown as they were when they were current."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from hashlib import sha256
from pathlib import Path
from typing import Any

import pytest
from django.test import Client
from django.utils import translation

from arena import replay
from arena.cards import SUITS
from league.matches import viewer
from league.matches.models import Match, Replay
from league.matches.viewer import Frame

GOLDEN = sorted((Path(__file__).parent / "golden").glob("format_*.record"))


@pytest.fixture(params=GOLDEN, ids=[path.stem for path in GOLDEN])
def golden(request: pytest.FixtureRequest) -> tuple[bytes, dict[str, Any]]:
    """The stored bytes and what was shown of them."""
    path: Path = request.param
    return path.read_bytes(), json.loads(path.with_suffix(".json").read_text())


def test_there_are_records_of_every_format_and_codec() -> None:
    formats = {int(re.findall(r"format_(\d+)_", path.name)[0]) for path in GOLDEN}
    assert formats == set(range(1, replay.FORMAT + 1))
    assert {json.loads(path.with_suffix(".json").read_text())["codec"] for path in GOLDEN} == set(replay.CODECS)


def test_a_record_of_any_format_shows_the_tables_that_it_showed(golden: tuple[bytes, dict[str, Any]]) -> None:
    data, expected = golden
    assert sha256(data).hexdigest() == expected["sha256"]
    record = replay.decode(expected["format"], expected["codec"], data)
    replay.verify(record)
    assert list(record.points) == expected["points"]
    assert record.outcome.reason == expected["reason"]
    games = [viewer.frames(record, number) for number in range(1, len(record.games) + 1)]
    assert [len(frames) - 1 for frames in games] == expected["moves"]
    for table in expected["tables"]:
        assert shown(table["game"], games[table["game"] - 1][table["move"]]) == table


def shown(game: int, frame: Frame) -> dict[str, Any]:
    return {
        "game": game,
        "move": frame.number,
        "what": frame.what,
        "seat": frame.seat,
        "hands": [" ".join(hand) for hand in frame.hands],
        "piles": "/".join(str(frame.piles[suit]) for suit in SUITS),
        "lobby": " ".join(laid.card for laid in frame.lobby),
        "worth": frame.worth,
        "holder": frame.holder,
        "scores": list(frame.scores),
        "round": frame.round,
        "to_move": frame.to_move,
    }


def test_a_record_of_any_format_has_pages(
    golden: tuple[bytes, dict[str, Any]], queued: Match, play_all: Callable[..., list[Match]], client: Client
) -> None:
    data, expected = golden
    [match] = play_all()
    Replay.objects.update(format=expected["format"], codec=expected["codec"], sha256=expected["sha256"], data=data)
    Match.objects.update(games=[[0, 0, 0, 0]] * len(expected["moves"]))
    with translation.override("en"):
        for table in expected["tables"]:
            page = client.get(f"/matches/{match.pk}/games/{table['game']}/?move={table['move']}").content.decode()
            points = re.findall(r"<span data-points>(\d+)</span>", page)
            assert points == [str(score) for score in reversed(table["scores"])]  # B lies above A
            assert re.findall(r"<b data-count>(\d+)</b>", page) == table["piles"].split("/")
        for form in ("json", "txt"):
            assert client.get(f"/matches/{match.pk}/record.{form}").status_code == 200
