from __future__ import annotations

import html
import json
import re
from collections import Counter
from collections.abc import Callable, Iterator
from itertools import product
from typing import Any

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.utils import translation

from arena import notation, replay
from arena.match import play
from arena.players import LocalPlayer
from arena.replay import Record
from arena.ruleset import Ruleset, TimeControl
from league.bots.models import Bot
from league.matches import printed, viewer, words
from league.matches.marks import marks
from league.matches.models import Log, Match, Replay

PlayAll = Callable[..., list[Match]]


@pytest.fixture(autouse=True)
def in_english() -> Iterator[None]:
    """Frames have words, in the language that an earlier request may have left active."""
    with translation.override("en"):
        yield


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


def film_of(page: str) -> dict[str, Any]:
    """The data that the page has for its script."""
    found = re.search(r'<script id="film" type="application/json">(.*?)</script>', page)
    assert found is not None
    film: dict[str, Any] = json.loads(found[1])
    return film


def spelled_out(column: list[Any]) -> list[Any]:
    """A column with its repeats: a 0 stands for what was there before."""
    values: list[Any] = []
    for value in column:
        values.append(values[-1] if value == 0 and values else value)
    return values


def test_every_move_is_shown_without_script(match: Match, client: Client) -> None:
    frames = viewer.frames(record_of(match), 1)
    for frame in frames:
        page = read(client, f"/matches/{match.pk}/games/1/?move={frame.number}")
        # side B lies above side A
        hands = [words.shown([card]) for hand in reversed(frame.hands) for card in hand]
        assert shown_cards(page, "data-hand") == hands
        assert shown_cards(page, "data-lobby-cards") == [words.shown([laid.card]) for laid in frame.lobby]
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
    film = film_of(page)
    frames = viewer.frames(record_of(match), 2)
    assert page.count('<li class="move-') == len(frames)
    for seat, name in enumerate(("handA", "handB")):
        assert spelled_out(film["columns"][name]) == [" ".join(frame.hands[seat]) for frame in frames]
    assert spelled_out(film["columns"]["round"]) == [frame.round for frame in frames]
    assert spelled_out(film["columns"]["bankB"]) == [frame.banks[1] for frame in frames]
    assert spelled_out(film["columns"]["pointsA"]) == [frame.scores[0] for frame in frames]
    assert film["rounds"] == [frame.number for frame in frames if frame.opens_round]


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


def test_the_longest_game_stays_small(match: Match, client: Client) -> None:
    """Three decks; both pass, and lead one card when the piles are empty: every card goes through a round of its own.

    156 cards are turned or led, each passed over by both: 468 actions, and the deal.
    """

    class Passer:
        def play(self, observation: Any) -> Any:
            plays = observation.legal_plays
            return () if () in plays else min(plays, key=len)

    ruleset = Ruleset(decks=3, games=1, run_direction="both")
    record = play((LocalPlayer(Passer), LocalPlayer(Passer)), ruleset, TimeControl(), seed=1)
    record.games[0].times[:] = range(len(record.games[0].times))  # each decision with a time of its own
    encoded = replay.encode(record)
    Replay.objects.update(data=encoded.data, sha256=encoded.sha256)
    assert len(viewer.frames(record, 1)) == 1 + 1 + 3 * 156
    for view, language in product(viewer.VIEWS, ("en", "ru")):
        path = f"/matches/{match.pk}/games/1/?move=469&see={view}"
        answer = client.get(path, headers={"Accept-Language": language})
        assert len(answer.content) < 200_000, len(answer.content)


def test_the_times_of_both_seats_and_what_their_banks_have_left(client: Client) -> None:
    """A thinks 2 ms a decision, B 300 ms; in the second game the banks go on from the first."""
    record = timed_record()
    frames = viewer.frames(record, 2)
    decided = [frame for frame in viewer.frames(record, 1) if frame.decision]
    spent_b = 0.3 * sum(frame.seat == 1 for frame in decided)
    assert frames[0].thought == ("", "")
    assert frames[0].banks[1] == f"{30 - spent_b:.2f} s"
    by_b = [frame for frame in frames if frame.decision and frame.seat == 1]
    assert {frame.time for frame in by_b} == {"300 ms"}
    assert {frame.thought[1] for frame in frames[by_b[0].number :]} == {"300 ms"}
    assert frames[-1].banks[1] == f"{30 - spent_b - 0.3 * len(by_b):.2f} s"
    assert {frame.time for frame in frames if frame.decision and frame.seat == 0} == {"2.0 ms"}
    assert {frame.time for frame in frames if not frame.decision} == {""}


def timed_record() -> Record:
    record = play((LocalPlayer(Layer), LocalPlayer(Layer)), Ruleset(games=2), TimeControl(), seed=7)
    for number, game in enumerate(record.games, 1):
        for state, _action, decision in replay.positions(record, number):
            if decision is not None:
                game.times[decision] = (20, 3_000)[state.to_move]
    return record


class Layer:
    def play(self, observation: Any) -> Any:
        return observation.legal_plays[-1]


def test_the_last_position_of_a_broken_game_shows_what_the_bot_did(
    queued: Match, play_all: PlayAll, client: Client
) -> None:
    class Failing(Layer):
        def play(self, observation: Any) -> Any:
            if observation.game == 2 and len(observation.history) > 9:
                raise ValueError("a\u202eb <b>no</b>\nidea")
            return super().play(observation)

    [match] = play_all(bots=(Layer, Failing))
    frames = viewer.frames(record_of(match), 2)
    fault = frames[-1]
    assert (fault.what, fault.seat, fault.number) == ("fault", 1, len(frames) - 1)
    assert (fault.hands, fault.lobby, fault.scores) == (frames[-2].hands, frames[-2].lobby, frames[-2].scores)
    assert fault.fault == "ValueError: a b <b>no</b> idea"
    raw = client.get(f"/matches/{match.pk}/games/2/?move={fault.number}").content.decode()
    assert "<bdi data-reason>ValueError: a b &lt;b&gt;no&lt;/b&gt; idea</bdi>" in raw
    assert "<b>no" not in raw
    [mark] = [mark for mark in marks(frames) if mark.kind == "fault"]
    assert mark.title == f"Move {fault.number}: B forfeits: ValueError: a b <b>no</b> idea"
    assert viewer.frames(record_of(match), 1)[-1].what != "fault"
    earlier = read(client, f"/matches/{match.pk}/games/2/?move={fault.number - 1}")
    assert earlier.count("data-fault hidden") == 2


def test_each_sequence_has_a_mark_that_says_what_it_was(match: Match, client: Client) -> None:
    frames = viewer.frames(record_of(match), 1)
    page = read(client, f"/matches/{match.pk}/games/1/?see=A")
    taken = [frame for frame in frames if frame.what == "take"]
    made = marks(frames)
    assert [mark.move for mark in made] == [frame.number for frame in taken]
    for mark, frame in zip(made, taken, strict=True):
        assert mark.kind == "ab"[frame.holder or 0]
        assert mark.is_big == (frame.points >= 16)
        assert frame.cards in mark.title
        assert mark.title.endswith(f" for {frame.points}")
        link = f'href="?move={mark.move}&see=A" tabindex="-1" class="mark-{mark.kind}'
        assert link in page
        assert f"<title>{mark.title}</title>" in page
    assert 0 <= min(mark.x for mark in made) <= max(mark.x for mark in made) <= 1000
    assert all(0 <= mark.y <= mark.y + mark.height <= 40 for mark in made)


def test_the_other_games_keep_the_view_and_the_last_move_leads_on(match: Match, client: Client) -> None:
    last = len(viewer.frames(record_of(match), 1)) - 1
    page = read(client, f"/matches/{match.pk}/games/1/?move={last}&see=B")
    following = f"/matches/{match.pk}/games/2/"
    assert f'rel="next" href="{following}?move=0&see=B"' in page
    assert page.count(f'href="{following}?see=B"') == 1  # among all games
    last = len(viewer.frames(record_of(match), 2)) - 1
    page = read(client, f"/matches/{match.pk}/games/2/?move={last}&see=B")
    assert f'is-off" rel="next" href="?move={last}&see=B"' in page


SECRET = "\x1b[31mthe plan\u202e <script>"


def with_output(match: Match, printed: list[tuple[int, int, str]]) -> None:
    """Has A's bot have printed that."""
    rows, output = [], ""
    for game, decision, text in printed:
        rows.append([game, decision, len(output)])
        output += text
    Log.objects.update_or_create(match=match, seat="A", defaults={"output": output, "printed": rows})


def test_what_a_bot_printed_stands_at_the_move_that_printed_it(match: Match) -> None:
    record = record_of(match)
    for number in (1, 2):
        frames = viewer.frames(record, number)
        decided = {frame.decision: frame.number for frame in frames if frame.decision}
        over = len(record.games[number - 1].actions) + 1
        before = [(0, 0, "imported\n"), (1, 0, "game 1\n"), (1, 3, "third\n"), (1, 4, "fourth\n")]
        after = [(2, 0, "game 2\n"), (2, 5, "fifth\n"), (2, over, "over\n"), (2, over, "all over\n")]
        with_output(match, before + after)
        found = printed.by_move(match.logs.get(seat="A"), number, frames)
        if number == 1:
            assert found == {0: "imported\ngame 1\n", decided[3]: "third\n", decided[4]: "fourth\n"}
        else:
            assert found == {0: "game 2\n", decided[5]: "fifth\n", frames[-1].number: "over\nall over\n"}


def test_output_is_for_the_owner_and_staff_alone_and_kept_in_no_cache(match: Match, people: dict[str, Client]) -> None:
    other = people["other"].get("/").wsgi_request.user
    Bot.objects.filter(pk=match.version_b.bot_id).update(owner=other)
    with_output(match, [(1, 0, SECRET)])
    Log.objects.filter(seat="B").update(output="what B thinks", printed=[[1, 0, 0]])
    seen = {}
    for kind, browser in people.items():
        answer = browser.get(f"/matches/{match.pk}/games/1/")
        raw = answer.content.decode()
        seen[kind] = ("the plan" in raw, "what B thinks" in raw)
        assert "\x1b" not in raw
        assert "\u202e" not in raw
        assert " <script>" not in raw
        assert ("no-store" in answer.headers.get("Cache-Control", "")) == any(seen[kind])
        for path in ("record.json", "record.txt"):
            assert "the plan" not in browser.get(f"/matches/{match.pk}/{path}").content.decode()
    assert seen == {
        "anonymous": (False, False),
        "other": (False, True),
        "owner": (True, False),
        "staff": (True, True),
    }


def test_the_record_comes_as_json_with_the_names(match: Match, client: Client) -> None:
    answer = client.get(f"/matches/{match.pk}/record.json")
    assert answer["Content-Type"] == "application/json"
    assert answer["Content-Disposition"] == f'attachment; filename="match-{match.pk}.json"'
    plain = answer.json()
    assert plain["bots"] == [match.version_a.bot.name, match.version_b.bot.name]
    assert plain["points"] == [match.points_a, match.points_b]
    assert replay.from_dict(plain) == record_of(match)


def test_the_record_comes_as_text_that_reads_back(match: Match, client: Client) -> None:
    answer = client.get(f"/matches/{match.pk}/record.txt")
    assert answer["Content-Type"] == "text/plain; charset=utf-8"
    assert answer["Content-Disposition"] == f'attachment; filename="match-{match.pk}.txt"'
    assert notation.read(answer.content.decode()) == record_of(match)


def test_a_record_may_be_kept_for_ever_under_the_addresses_that_pages_name(
    match: Match, people: dict[str, Client]
) -> None:
    pages = [f"/matches/{match.pk}/", f"/matches/{match.pk}/games/1/"]
    paths = {path for page in pages for path in re.findall(r'href="([^"]+/record\.\w+\?[^"]+)"', read(Client(), page))}
    assert len(paths) == 2, "JSON and text, both pages name the same"
    for path, browser in product(paths, people.values()):
        answer = browser.get(path)
        assert answer["Cache-Control"] == "public, max-age=31536000, immutable"
        assert not answer.cookies
        again = browser.get(path, headers={"If-None-Match": answer["ETag"]})
        assert (again.status_code, again.content) == (304, b"")
        assert again["Cache-Control"] == answer["Cache-Control"]


@pytest.mark.parametrize("query", ["", "?names=", "?names=00000000"])
@pytest.mark.parametrize("form", ["json", "txt"])
def test_under_another_address_a_record_has_to_be_asked_for_again(
    match: Match, client: Client, form: str, query: str
) -> None:
    answer = client.get(f"/matches/{match.pk}/record.{form}{query}")
    assert answer["Cache-Control"] == "public, no-cache"
    again = client.get(f"/matches/{match.pk}/record.{form}{query}", headers={"If-None-Match": answer["ETag"]})
    assert again.status_code == 304


def test_a_renamed_bots_record_has_another_address_and_tag(match: Match, client: Client) -> None:
    def told() -> tuple[str, str]:
        page = read(client, f"/matches/{match.pk}/games/1/")
        link = re.search(r'href="([^"]+record\.json[^"]*)"', page)
        assert link is not None
        return link[1], client.get(link[1])["ETag"]

    before = told()
    Bot.objects.filter(pk=match.version_a.bot_id).update(name="Other")
    after = told()
    assert before[0] != after[0]
    assert before[1] != after[1]


@pytest.mark.parametrize("form", ["json", "txt"])
def test_a_match_without_a_record_has_no_file(queued: Match, client: Client, form: str) -> None:
    assert client.get(f"/matches/{queued.pk}/record.{form}").status_code == 404


@pytest.mark.parametrize("form", ["json", "txt"])
def test_a_damaged_record_is_no_file_and_is_not_kept(match: Match, client: Client, form: str) -> None:
    Replay.objects.update(data=b"not a record")
    answer = client.get(f"/matches/{match.pk}/record.{form}")
    assert answer.status_code == 500
    assert "Cache-Control" not in answer


def test_a_replay_page_takes_few_queries(match: Match, people: dict[str, Client], subtests: Any) -> None:
    for kind, browser in people.items():
        with subtests.test(kind), CaptureQueriesContext(connection) as queries:
            browser.get(f"/matches/{match.pk}/games/1/?move=5")
        assert len(queries) <= 5
