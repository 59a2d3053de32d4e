from __future__ import annotations

import html
import json
import re
from collections import Counter
from collections.abc import Callable
from typing import Any

import pytest
from django.test import Client

from arena import replay
from arena.match import play
from arena.players import LocalPlayer
from arena.replay import Record
from arena.ruleset import Ruleset, TimeControl
from league.matches import viewer
from league.matches.models import Match, Replay

PlayAll = Callable[..., list[Match]]


@pytest.fixture
def match(queued: Match, play_all: PlayAll) -> Match:
    return play_all()[0]


def read(client: Client, path: str) -> str:
    answer = client.get(path)
    assert answer.status_code == 200, path
    return html.unescape(answer.content.decode())


def record_of(match: Match) -> Record:
    stored = Replay.objects.get(match=match)
    return replay.decode(stored.format, stored.codec, bytes(stored.data))


def shown_cards(page: str, part: str) -> list[str]:
    """Labels of the cards inside the list with that data attribute, in their order."""
    lists = re.findall(rf"<ol[^>]* {part}[ >].*?</ol>", page, re.DOTALL)
    return [label for each in lists for label in re.findall(r'role="img" aria-label="([^"]+)"', each)]


def test_every_move_is_shown_without_script(match: Match, client: Client) -> None:
    frames = viewer.frames(record_of(match), 1)
    for frame in frames:
        page = read(client, f"/matches/{match.pk}/games/1/?move={frame.number}")
        # side B lies above side A
        hands = [viewer.shown([card]) for hand in reversed(frame.hands) for card in hand]
        assert shown_cards(page, "data-hand") == hands
        assert shown_cards(page, "data-lobby-cards") == [viewer.shown([laid.card]) for laid in frame.lobby]
        assert re.findall(r"<b data-count>(\d+)</b>", page) == [str(count) for count in frame.piles.values()]
        points = [int(each) for each in re.findall(r"<span data-points>(\d+)</span>", page)]
        assert points == list(reversed(frame.scores))


def test_the_moves_are_links_and_the_buttons_lead_to_the_neighbours(match: Match, client: Client) -> None:
    last = len(viewer.frames(record_of(match), 1)) - 1
    page = read(client, f"/matches/{match.pk}/games/1/?move=5")
    assert [f'<a href="?move={move}"' in page for move in range(last + 1)] == [True] * (last + 1)
    assert 'rel="prev" href="?move=4"' in page
    assert 'rel="next" href="?move=6"' in page
    assert '<a href="?move=5" aria-current="step"' in page


def test_the_last_move_has_the_games_points(match: Match, client: Client) -> None:
    for number, (_dealer, a, b, _rounds) in enumerate(match.games, 1):
        last = len(viewer.frames(record_of(match), number)) - 1
        page = read(client, f"/matches/{match.pk}/games/{number}/?move={last}")
        assert re.findall(r"<span data-points>(\d+)</span>", page) == [str(b), str(a)]


def test_the_pages_data_has_every_frame(match: Match, client: Client) -> None:
    page = client.get(f"/matches/{match.pk}/games/2/").content.decode()
    found = re.search(r'<script id="frames" type="application/json">(.*?)</script>', page)
    assert found is not None
    data = json.loads(found[1])
    frames = viewer.frames(record_of(match), 2)
    assert [each["hands"] for each in data] == [[" ".join(hand) for hand in frame.hands] for frame in frames]
    assert page.count('<li class="move-') == len(data)


@pytest.mark.parametrize(("view", "hidden"), [("A", 1), ("B", 0)])
def test_a_seats_view_hides_the_others_cards_but_not_their_suits(
    match: Match, client: Client, view: str, hidden: int
) -> None:
    record = record_of(match)
    everything, seen = viewer.frames(record, 1), viewer.frames(record, 1, view)
    for full, part in zip(everything, seen, strict=True):
        assert part.hands[1 - hidden] == full.hands[1 - hidden]
        assert part.hands[hidden] == ["?" + card[1] for card in full.hands[hidden]]
        if full.what == "draw" and full.seat == hidden:
            assert "draws a card of" in part.words
        else:
            assert part.words == full.words
    page = read(client, f"/matches/{match.pk}/games/1/?move=1&see={view}")
    assert len([label for label in shown_cards(page, "data-hand") if label.startswith("hidden card")]) == 5


def test_who_laid_each_card_is_marked() -> None:
    class Layer:
        def play(self, observation: Any) -> Any:
            return observation.legal_plays[-1]

    ruleset = Ruleset(decks=2, games=1, run_direction="both")
    record = play((LocalPlayer(Layer), LocalPlayer(Layer)), ruleset, TimeControl(), seed=3)
    before: Counter[tuple[str, int | None]] = Counter()
    for frame in viewer.frames(record, 1):
        now = Counter((laid.card, laid.seat) for laid in frame.lobby)
        if frame.what == "turn":
            assert [seat for _card, seat in now] == [None]
        elif frame.what in ("lay", "lead"):
            added = now if frame.what == "lead" else now - before
            assert {seat for _card, seat in added} == {frame.seat}
            assert frame.what == "lead" or before < now
        elif frame.what in ("pass", "take", "unclaimed"):
            assert now == before
        ranks = ["23456789TJQKA".index(laid.card[0]) for laid in frame.lobby]
        assert ranks == sorted(ranks)
        before = now


@pytest.mark.parametrize("value", ["abc", "-1", "1.5", "100000", "1e3"])
def test_a_wrong_move_is_named(match: Match, client: Client, value: str) -> None:
    answer = client.get(f"/matches/{match.pk}/games/1/", {"move": value})
    assert answer.status_code == 400
    assert "move: expected a whole number from 0 to" in answer.content.decode()


def test_a_wrong_view_is_named(match: Match, client: Client) -> None:
    answer = client.get(f"/matches/{match.pk}/games/1/", {"see": "C"})
    assert answer.status_code == 400
    assert "see: expected one of all, A, B" in answer.content.decode()


@pytest.mark.parametrize("number", [0, 3, 99])
def test_a_game_that_was_not_played_is_not_found(match: Match, client: Client, number: int) -> None:
    assert client.get(f"/matches/{match.pk}/games/{number}/").status_code == 404


def test_a_match_that_is_not_played_has_no_games(queued: Match, client: Client) -> None:
    assert client.get(f"/matches/{queued.pk}/games/1/").status_code == 404


def test_the_game_that_broke_off_is_shown_to_its_last_move(
    queued: Match, play_all: PlayAll, raiser: type, client: Client
) -> None:
    [match] = play_all(bots=(raiser, raiser))
    last = len(viewer.frames(record_of(match), 1)) - 1
    read(client, f"/matches/{match.pk}/games/1/?move={last}")


def test_a_damaged_replay_is_refused_with_the_first_fault(match: Match, client: Client) -> None:
    Replay.objects.update(data=b"not a record")
    answer = client.get(f"/matches/{match.pk}/games/1/")
    assert answer.status_code == 500
    assert "damaged" in answer.content.decode()
    assert client.get(f"/matches/{match.pk}/").status_code == 200


def test_the_longest_kind_of_game_stays_small(match: Match, client: Client) -> None:
    class Passer:
        def play(self, observation: Any) -> Any:
            plays = observation.legal_plays
            return () if () in plays else min(plays, key=len)

    ruleset = Ruleset(decks=3, games=1)
    record = play((LocalPlayer(Passer), LocalPlayer(Passer)), ruleset, TimeControl(), seed=1)
    encoded = replay.encode(record)
    Replay.objects.update(data=encoded.data, sha256=encoded.sha256)
    answer = client.get(f"/matches/{match.pk}/games/1/")
    assert len(viewer.frames(record, 1)) > 400
    assert len(answer.content) < 200_000
