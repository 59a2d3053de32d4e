"""Who may see and do what: every address of the site, as anybody, another user, the owner and staff."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import timedelta
from html import unescape
from typing import Any, NamedTuple
from urllib.parse import parse_qsl, urljoin, urlsplit

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.db import transaction
from django.test import Client
from django.urls import URLPattern, URLResolver, get_resolver
from django.utils import timezone

from arena.match import play
from arena.players import LocalPlayer
from arena.replay import Record, positions
from arena.ruleset import Ruleset, TimeControl
from arena.usage import Call, Usage
from league.accounts import tokens
from league.accounts.models import Token, User
from league.bots import services as bots
from league.bots import trials
from league.bots.findings import Finding
from league.bots.models import Version
from league.matches import seasons
from league.matches import services as matches
from league.matches.models import Match, Worker
from league.matches.services import BotLog
from league.organisers import rejudging
from league.organisers.models import Announcement, Flag
from league.scrimmages import services as scrimmages
from league.tournaments import services as tournaments
from league.tournaments.models import Disqualification

VISITORS = ("anonymous", "other", "owner", "staff")
ALL = (200, 200, 200, 200)
OWN = (302, 403, 200, 200)
"""The page of an owner: who is not logged in is asked to, others are refused."""
UNRANKED = (404, 404, 200, 200)
"""A match that only the owners of its bots and staff may see."""
DONE = (302, 403, 302, 302)
"""What an owner does, and leads on to a page."""
STAFF = (302, 403, 403, 200)
ORGANISED = (302, 403, 403, 302)
"""What staff does, and leads on to a page."""
MINE = (302, 200, 200, 200)
"""What everybody who is logged in has."""
BY_TOKEN = (401, 401, 401, 401)
"""What programs ask for with a token: a browser's session counts for nothing there."""
NOWHERE = (404, 404, 404, 404)

SECRETS = {
    "source": "the secret of its source",
    "message": "the note to myself",
    "reason": "the reason of its failure",
    "traceback": "the traceback of its failure",
    "output": "what it wrote in its check",
    "trial": "what it wrote in its trial",
    "log": "what it wrote in its match",
    "check memory": "121 MiB",
    "trial memory": "122 MiB",
    "match memory": "123 MiB",
    "wall time": "6.54 s",
    "wall times": "6543.0",
    "file": "my_secret_name.py",
    "token": "the program on my desk",
}
LOAD = Call(0, 0, "load", 0.0, 6.543)
BOT = f"# {SECRETS['source']}\nclass Bot:\n    def play(self, observation):\n        return ()\n".encode()


class Row(NamedTuple):
    route: str
    address: str
    """With the names of what the scene holds."""
    statuses: tuple[int, int, int, int]
    """For each of the visitors."""
    shows: tuple[str, ...] = ()
    """Secrets that the owner and staff read there; nobody reads any other."""
    sent: dict[str, Any] | None = None
    """Fields of a POST."""


LINK = re.compile(r'(?:href|hx-get|src)="([^"]+)"')
WHY = {"reason": "played by hand"}


def an_upload() -> Any:
    return SimpleUploadedFile("bot.py", BOT + b"# new\n")


TABLE = [
    Row("pages:home", "/", ALL),
    Row("pages:rules", "/rules/", ALL),
    Row("pages:guide", "/guide/", ALL),
    Row("pages:status", "/status/", ALL),
    Row("pages:queue", "/queue/", ALL),
    Row("pages:workers", "/workers/", ALL),
    Row("organisers:pause_worker", "/organise/workers/{worker}/pause/", ORGANISED, sent={}),
    Row("organisers:resume_worker", "/organise/workers/{worker}/resume/", ORGANISED, sent={}),
    Row("pages:feed", "/feed.atom", ALL),
    Row("pages:tournament_feed", "/leaderboard/ladder/feed.atom", ALL),
    Row("pages:bot_feed", "/bots/{bot}/feed.atom", ALL),
    Row("pages:author", "/authors/{author}/", ALL),
    Row("standings:leaderboard", "/leaderboard/", ALL),
    Row("standings:table", "/leaderboard/ladder/", ALL),
    Row("pages:seasons", "/seasons/", ALL),
    Row("pages:season", "/seasons/{season}/", ALL),
    Row("pages:register", "/seasons/{season}/register/", DONE, sent={"bot": "{bot}"}),
    Row("pages:withdraw", "/seasons/{season}/withdraw/", DONE, sent={"bot": "{bot}"}),
    Row("pages:close_account", "/accounts/close/", (302, 200, 200, 200)),
    Row("pages:close_account", "/accounts/close/", (302, 400, 400, 400), sent={"password": "wrong"}),
    Row("standings:dump", "/leaderboard/ladder/dump", ALL),
    Row("standings:compare", "/leaderboard/ladder/compare/", ALL),
    Row("accounts:signup", "/accounts/signup/", ALL),
    Row("accounts:login", "/accounts/login/", (200, 302, 302, 302)),
    Row("accounts:logout", "/accounts/logout/", (302, 302, 302, 302), sent={}),
    Row("set_language", "/language/", (302, 302, 302, 302), sent={"language": "ru"}),
    Row("pages:mine", "/bots/mine/", (302, 200, 200, 200)),
    Row("pages:bot", "/bots/{bot}/", ALL, ("message",)),
    Row("pages:manage", "/bots/{bot}/manage/", OWN, ("message", "file")),
    Row("pages:manage", "/bots/{bot}/manage/", DONE, sent={"name": "Queen"}),
    Row("pages:retire", "/bots/{bot}/retire/", DONE, sent={}),
    Row("pages:come_back", "/bots/{bot}/come-back/", DONE, sent={}),
    Row("pages:delete", "/bots/{bot}/delete/", OWN),
    Row("pages:delete", "/bots/{bot}/delete/", DONE, sent={}),
    Row("pages:roll_back", "/bots/versions/{earlier}/roll-back/", DONE, sent={}),
    Row("bots:submit", "/bots/submit/", ALL),
    Row("bots:submit", "/bots/submit/?bot={bot}", ALL, ("source",)),
    Row("bots:submit", "/bots/submit/", (302, 302, 302, 302), sent={"name": "Queen", "file": an_upload}),
    Row("bots:submit", "/bots/submit/", (302, 400, 302, 400), sent={"bot": "{bot}", "file": an_upload}),
    Row("bots:ask", "/bots/trials/", (302, 302, 302, 302), sent={"file": an_upload}),
    Row("bots:trial", "/bots/trials/{trial}/", OWN, ("trial", "trial memory")),
    Row(
        "bots:version",
        "/bots/versions/{failed}/",
        ALL,
        ("message", "reason", "traceback", "output", "file", "check memory", "wall time"),
    ),
    Row("bots:version", "/bots/versions/{active}/", ALL, ("message", "file")),
    Row("bots:changes", "/bots/versions/{failed}/changes/?since=1", OWN, ("source",)),
    Row("bots:source", "/bots/versions/{failed}/source/", OWN, ("source",)),
    Row("matches:list", "/matches/", ALL),
    Row("matches:match", "/matches/{match}/", ALL, ("log", "match memory", "wall time")),
    Row("matches:game", "/matches/{match}/games/1/", ALL, ("log", "wall time")),
    Row("matches:times", "/matches/{match}/times/{seat}.csv", OWN, ("wall times",)),
    Row("matches:record_json", "/matches/{match}/record.json", ALL),
    Row("matches:record_text", "/matches/{match}/record.txt", ALL),
    Row("organisers:published", "/announcements/", ALL),
    Row("organisers:home", "/organise/", STAFF),
    Row("organisers:log", "/organise/log/", STAFF),
    Row("organisers:tournaments", "/organise/tournaments/", STAFF),
    Row("organisers:new_season", "/organise/seasons/new/", STAFF),
    Row("organisers:season", "/organise/seasons/{season}/", STAFF),
    Row("organisers:start_season", "/organise/seasons/{season}/start/", ORGANISED, sent={}),
    Row("organisers:close_season", "/organise/seasons/{season}/close/", ORGANISED, sent={}),
    Row("organisers:new_ladder", "/organise/ladders/new/", STAFF),
    Row("organisers:close_ladder", "/organise/ladders/{ladder_slug}/close/", ORGANISED, sent={}),
    Row("organisers:disqualify", "/organise/bots/{bot}/disqualify/", STAFF),
    Row("organisers:disqualify", "/organise/bots/{bot}/disqualify/", ORGANISED, sent=WHY | {"tournament": "{ladder}"}),
    Row("organisers:reinstate", "/organise/disqualifications/{disqualification}/reinstate/", ORGANISED, sent={}),
    Row("organisers:annul", "/organise/matches/{match}/annul/", STAFF),
    Row("organisers:annul", "/organise/matches/{match}/annul/", ORGANISED, sent=WHY),
    Row("organisers:restore", "/organise/matches/{match}/restore/", ORGANISED, sent={}),
    Row("organisers:rejudgings", "/organise/rejudgings/", STAFF),
    Row("organisers:begin", "/organise/rejudgings/new/?match={match}", STAFF),
    Row("organisers:begin", "/organise/rejudgings/new/?match={match}", ORGANISED, sent=WHY),
    Row("organisers:rejudging", "/organise/rejudgings/{rejudging}/", STAFF),
    Row("organisers:apply", "/organise/rejudgings/{rejudging}/apply/", ORGANISED, sent={}),
    Row("organisers:drop", "/organise/rejudgings/{rejudging}/drop/", ORGANISED, sent={}),
    Row("matches:match", "/matches/{rejudged}/", (404, 404, 404, 200)),
    Row("organisers:announcements", "/organise/announcements/", STAFF),
    Row("organisers:write", "/organise/announcements/new/", STAFF),
    Row("organisers:edit", "/organise/announcements/{announcement}/", STAFF),
    Row("organisers:withdraw", "/organise/announcements/{announcement}/withdraw/", ORGANISED, sent={}),
    Row("organisers:flags", "/organise/flags/", STAFF),
    Row("organisers:look_for", "/organise/flags/look/", ORGANISED, sent={}),
    Row("organisers:flag", "/organise/flags/{flag}/", STAFF),
    Row("organisers:flag", "/organise/flags/{flag}/", ORGANISED, sent={"note": "two of a school"}),
    Row("organisers:invitations", "/organise/invitations/", STAFF),
    Row("organisers:invitations", "/organise/invitations/", STAFF, sent={"note": "ann", "days": "7"}),
    Row("organisers:uninvite", "/organise/invitations/revoke/", ORGANISED, sent={}),
    Row("accounts:password", "/accounts/password/", MINE),
    Row("accounts:password", "/accounts/password/", (302, 400, 400, 400), sent={"old_password": "a guess"}),
    Row("accounts:tokens", "/accounts/tokens/", MINE, ("token",)),
    Row("accounts:tokens", "/accounts/tokens/", MINE, ("token",), sent={"name": "new", "days": "30"}),
    Row("accounts:revoke", "/accounts/tokens/revoke/", (302, 302, 302, 302), sent={"token": "{token}"}),
    Row("api:openapi", "/api/v1/openapi.json", ALL),
    Row("api:docs", "/api/v1/docs", ALL),
    Row("api:nowhere", "/api/v1/nothing", NOWHERE),
    Row("api:me", "/api/v1/me", BY_TOKEN),
    Row("api:my_bots", "/api/v1/me/bots", BY_TOKEN),
    Row("api:bot_list", "/api/v1/bots", ALL),
    Row("api:one_bot", "/api/v1/bots/{bot}", ALL),
    Row("api:version_list", "/api/v1/bots/{bot}/versions", ALL),
    Row("api:submit", "/api/v1/versions", BY_TOKEN, sent={"bot": "Queen", "file": an_upload}),
    Row("api:one_version", "/api/v1/versions/{failed}", ALL),
    Row("api:tournament_list", "/api/v1/tournaments", ALL),
    Row("api:one_tournament", "/api/v1/tournaments/ladder", ALL),
    Row("api:leaderboard", "/api/v1/tournaments/ladder/leaderboard", ALL),
    Row("api:matrix", "/api/v1/tournaments/ladder/matrix", ALL),
    Row("api:match_list", "/api/v1/matches", ALL),
    Row("api:one_match", "/api/v1/matches/{match}", ALL),
    Row("api:replay", "/api/v1/matches/{match}/replay", ALL),
    Row("api:logs", "/api/v1/matches/{match}/logs", BY_TOKEN),
    Row("api:queue", "/api/v1/queue", ALL),
    Row("scrimmages:mine", "/scrimmages/", (302, 200, 200, 200)),
    Row("scrimmages:against", "/scrimmages/against/{bot}/", (302, 200, 200, 200)),
    Row(
        "scrimmages:against", "/scrimmages/against/{bot}/", (302, 400, 400, 400), sent={"own": "{rival}", "other": "1"}
    ),
    Row("scrimmages:cancel", "/scrimmages/{waiting}/cancel/", (302, 404, 302, 404), sent={}),
    Row("matches:match", "/matches/{scrimmage}/", UNRANKED, ("log", "match memory", "wall time")),
    Row("matches:game", "/matches/{scrimmage}/games/1/", UNRANKED, ("log", "wall time")),
    Row("matches:times", "/matches/{scrimmage}/times/{seat}.csv", (302, 404, 200, 200), ("wall times",)),
    Row("matches:record_json", "/matches/{scrimmage}/record.json", UNRANKED),
    Row("matches:record_text", "/matches/{scrimmage}/record.txt", UNRANKED),
    Row("matches:match", "/matches/{waiting}/", UNRANKED),
    Row("matches:list", "/matches/?before={scrimmage}", (404, 404, 404, 404)),
    Row("operations:metrics", "/metrics", NOWHERE),
    Row("admin_log_in", "/admin/login/", (302, 403, 403, 302)),
    Row("admin:index", "/admin/", (302, 302, 302, 200)),
]


@pytest.fixture
def scene(
    people: dict[str, Client],
    author: User,
    activate: Callable[..., Version],
    upload: Callable[..., Version],
    short_ladder: Ruleset,
) -> dict[str, Any]:
    """A bot with versions of each kind, a match with logs, a trial: all of the author, with a secret in each."""
    kept: dict[str, Any] = {"message": SECRETS["message"], "filename": SECRETS["file"]}
    earlier = activate("Bishop", BOT, **kept)
    active = activate("Bishop", BOT + b"# 2\n", **kept)
    upload("Bishop", b"# 3\n" + BOT, **kept)
    failed = bots.claim_check()
    assert failed is not None
    used = Usage(121 * 1024, 0.1, [LOAD])
    finding = Finding(SECRETS["reason"], SECRETS["traceback"], SECRETS["output"], _forfeited(), used)
    assert bots.finish_check(failed, finding, passed=False)
    trials.ask(author, "bot.py", BOT)
    trial = trials.claim()
    assert trial is not None
    tried = Usage(122 * 1024, 0.1, [])
    assert trials.finish(trial, Finding("no", "", SECRETS["trial"], _forfeited(), tried), passed=False)
    rival = activate("Rook", b"class Bot: ...\n", owner=User.objects.create_user("eve"))
    match = matches.claim("a worker")
    assert match is not None
    seat = 0 if match.version_a == active else 1
    record = _played()
    log = BotLog("", SECRETS["log"], [[1, 1, SECRETS["log"]]], Usage(123 * 1024, 0.1, [_slow_decision(record, seat)]))
    assert matches.record(match, record, (log, BotLog()) if seat == 0 else (BotLog(), log))
    ranked = Match.objects.get(pk=match.pk)
    now = timezone.now()
    season = seasons.announce("Spring", "spring", now, now + timedelta(days=7))
    token, _text = tokens.issue(author, SECRETS["token"], [])
    asked, waiting = (scrimmages.ask(author, active.pk, rival.pk, match.tournament_id) for _ in range(2))
    assert matches.claim("a worker") == asked.match
    held = Match.objects.get(pk=asked.pk)
    assert matches.record(held, record, (log, BotLog()) if seat == 0 else (BotLog(), log))
    return organised(ranked) | {
        "scrimmage": asked.pk,
        "waiting": waiting.pk,
        "rival": rival.pk,
        "author": author.pk,
        "season": season.tournament.slug,
        "ladder_slug": "ladder",
        "token": token.pk,
        "worker": Worker.objects.create(name="host-1/7/99", sandbox="containers", able=True).pk,
        "bot": active.bot_id,
        "earlier": earlier.pk,
        "active": active.pk,
        "failed": failed.pk,
        "trial": trial.pk,
        "match": match.pk,
        "seat": "AB"[seat],
    }


def organised(match: Match) -> dict[str, Any]:
    """One of each of what organisers have, about that match."""
    sue, ladder = User.objects.get(username="sue"), tournaments.ladder()
    begun = rejudging.begin(sue, ladder, "a faulty sandbox")
    other = match.version_b.bot
    return {
        "ladder": ladder.pk,
        "disqualification": Disqualification.objects.create(tournament=ladder, bot=other, reason="two of one").pk,
        "rejudging": begun.pk,
        "rejudged": begun.cases.get().again_id,
        "announcement": Announcement.objects.create(title="Soon", text="More", published_at=timezone.now()).pk,
        "flag": Flag.objects.create(kind=Flag.Kind.FILE, key="0" * 64).pk,
    }


class Passer:
    def play(self, observation: Any) -> Any:
        return observation.legal_plays[0]


class Failer:
    def play(self, observation: Any) -> Any:
        raise ValueError("no idea")


def _played() -> Record:
    return play((LocalPlayer(Passer), LocalPlayer(Passer)), Ruleset(games=2), TimeControl(), 7)


def _slow_decision(record: Record, seat: int) -> Call:
    """The first decision of that seat in the first game."""
    first = next(each for each in positions(record, 1) if each.decision is not None and each.state.to_move == seat)
    assert first.decision is not None
    return Call(1, first.decision + 1, "play", 0.0, 6.543)


def _forfeited() -> Record:
    return play((LocalPlayer(Failer), LocalPlayer(Passer)), Ruleset(games=2), TimeControl(), 7)


@contextmanager
def undone() -> Iterator[None]:
    """What is done inside is not done."""
    with transaction.atomic():
        yield
        transaction.set_rollback(True)


def visit(row: Row, browser: Client, scene: dict[str, Any], **headers: str) -> Any:
    address = row.address.format(**scene)
    if row.sent is None:
        return browser.get(address, headers=headers)
    fields = {name: value() if callable(value) else value.format(**scene) for name, value in row.sent.items()}
    return browser.post(address, fields, headers=headers)


@pytest.mark.parametrize("row", TABLE, ids=lambda row: f"{'GET' if row.sent is None else 'POST'} {row.address}")
def test_each_visitor_sees_and_does_what_the_table_says(
    row: Row, people: dict[str, Client], scene: dict[str, Any]
) -> None:
    for visitor, status in zip(VISITORS, row.statuses, strict=True):
        with undone():
            answer = visit(row, people[visitor], scene)
        assert answer.status_code == status, visitor
        text = answer.getvalue().decode() + str(answer.headers)
        read = {name for name, secret in SECRETS.items() if secret.lower() in text.lower()}
        assert read <= ({*row.shows} if visitor in ("owner", "staff") else set()), visitor
        if read:
            assert "private" in answer["Cache-Control"] or "no-store" in answer["Cache-Control"], visitor
        if visitor == "owner":
            assert read == {*row.shows}


@pytest.mark.parametrize("row", [row for row in TABLE if row.sent is None and row.shows], ids=lambda row: row.address)
def test_the_parts_that_htmx_asks_for_tell_others_no_more(
    row: Row, people: dict[str, Client], scene: dict[str, Any]
) -> None:
    for visitor in ("anonymous", "other"):
        answer = visit(row, people[visitor], scene, **{"HX-Request": "true"})
        text = answer.getvalue().decode().lower()
        assert not [name for name, secret in SECRETS.items() if secret.lower() in text]


def test_who_follows_every_link_reads_no_secret_of_another(people: dict[str, Client], scene: dict[str, Any]) -> None:
    begun = {row.address.format(**scene) for row in TABLE if row.sent is None}
    waiting, seen = sorted(begun), {page_of(address) for address in begun}
    while waiting:
        address = waiting.pop()
        answer = people["other"].get(address)
        text = answer.getvalue().decode("utf-8", "replace")
        told = text.lower() + str(answer.headers).lower()
        assert not [name for name, secret in SECRETS.items() if secret.lower() in told], address
        for link in LINK.findall(text) if answer["Content-Type"].startswith("text/html") else ():
            found = urljoin(address, unescape(link))
            if found.startswith("/") and not found.startswith("/static/") and page_of(found) not in seen:
                seen.add(page_of(found))
                waiting.append(found)
    assert len(seen) > len(begun), "there were links to follow"


def page_of(address: str) -> tuple[str, tuple[str, ...]]:
    """The path and the names of its parameters: of pages that differ in their values alone one is enough."""
    parts = urlsplit(address)
    return parts.path, tuple(sorted({name for name, _ in parse_qsl(parts.query)}))


def test_a_token_with_all_scopes_reads_no_secret_of_another(scene: dict[str, Any], people: dict[str, Client]) -> None:
    bob = User.objects.get(username="bob")
    _token, text = tokens.issue(bob, "everything", Token.Scope.values)
    asked = [row for row in TABLE if row.route.startswith("api:") and row.sent is None]
    for row in asked:
        answer = visit(row, Client(), scene, Authorization=f"Bearer {text}")
        told = answer.getvalue().decode().lower()
        assert not [name for name, secret in SECRETS.items() if secret.lower() in told], row.address


@pytest.mark.parametrize(
    "address",
    sorted(
        {row.address for row in TABLE if "{" in row.address and "?" not in row.address and row.statuses != BY_TOKEN}
    ),
)
def test_what_does_not_exist_is_404_for_everybody(address: str, people: dict[str, Client], db: None) -> None:
    rows = [row for row in TABLE if row.address == address]
    is_of_staff = all(row.statuses in (STAFF, ORGANISED) for row in rows)
    for visitor in ("staff",) if is_of_staff else ("owner", "staff"):
        nowhere = address.format_map(_Nowhere())
        can_be_read = any(row.sent is None for row in rows)
        answer = people[visitor].get(nowhere) if can_be_read else people[visitor].post(nowhere)
        assert answer.status_code == 404


class _Nowhere(dict[str, Any]):
    def __missing__(self, key: str) -> Any:
        return "A" if key == "seat" else 987_654_321


def test_the_table_names_every_address_of_the_site() -> None:
    assert {row.route for row in TABLE} - {"admin:index"} == set(routes(get_resolver().url_patterns))


def routes(patterns: list[URLPattern | URLResolver], space: str = "") -> Iterator[str]:
    """Names of all routes but those of the administration, which Django guards."""
    for pattern in patterns:
        if isinstance(pattern, URLPattern):
            yield f"{space}{pattern.name}"
        elif pattern.namespace != "admin":
            yield from routes(pattern.url_patterns, f"{pattern.namespace}:" if pattern.namespace else space)
