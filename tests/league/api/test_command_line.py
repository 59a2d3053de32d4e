"""The commands that speak to a site, against this one: a real server, and no sandbox."""

from __future__ import annotations

import io
import json
import sys
from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple

import pytest

from arena.cli import main, submit
from arena.usage import Call, Usage
from league.accounts import tokens
from league.accounts.models import Token, User
from league.bots import services as bots
from league.bots.findings import Finding
from league.bots.models import Version
from league.matches import pairing
from league.matches.models import Match
from tests.league.api.programs import Program

pytestmark = pytest.mark.django_db(transaction=True)

SOURCE = "class Bot:\n    def play(self, observation):\n        return observation.legal_plays[0]\n"
USED = Usage(20_480, 0.25, [Call(0, 0, "load", 0.1, 0.2), Call(1, 3, "play", None, 0.5)])


class Ran(NamedTuple):
    status: int
    out: str
    err: str


@pytest.fixture
def run(
    plain_settings: None,
    request: pytest.FixtureRequest,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> Callable[..., Ran]:
    """Runs a command in an empty folder, where nobody is logged in yet and ARENA_URL names the site."""
    live_server = request.getfixturevalue("live_server")  # only now are its settings there
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "config"))
    monkeypatch.setenv("ARENA_URL", live_server.url)
    monkeypatch.delenv("ARENA_TOKEN", raising=False)

    def run(*words: str, stdin: str = "") -> Ran:
        monkeypatch.setattr(sys, "stdin", io.StringIO(stdin))
        try:
            status = main(words)
        except SystemExit as ended:
            status = int(str(ended.code))
        return Ran(status, *capsys.readouterr())

    return run


@pytest.fixture
def logged_in(run: Callable[..., Ran], own: Program) -> Callable[..., Ran]:
    assert run("login", "--token-stdin", stdin=f"{own.token}\n").status == 0
    return run


@pytest.fixture
def checked(monkeypatch: pytest.MonkeyPatch) -> Callable[[Finding], None]:
    """Has a check come to that finding while a command waits for it."""

    def checked(finding: Finding) -> None:
        def check(_seconds: float) -> None:
            version = bots.claim_check()
            assert version is not None
            if finding.reason:
                assert bots.finish_check(version, finding, passed=False)
            else:
                assert pairing.admit(version, finding)

        monkeypatch.setattr(submit.time, "sleep", check)

    return checked


def write(name: str = "mybot.py", source: str = SOURCE) -> None:
    Path(name).write_text(source)


def test_a_login_is_tried_before_it_is_stored(run: Callable[..., Ran], own: Program, tmp_path: Path) -> None:
    refused = run("login", "--token-stdin", stdin="arena_guess\n")
    assert (refused.status, refused.out) == (2, "")
    assert "This token is not valid" in refused.err
    assert not (tmp_path / "config").exists()
    told = run("login", "--token-stdin", "--json", stdin=f"{own.token}\n")
    assert json.loads(told.out)["name"] == "ada"
    assert own.token not in told.out
    assert (tmp_path / "config/candidate-arena/login.json").stat().st_mode & 0o777 == 0o600
    assert run("status").status == 0
    assert "removed" in run("logout").out
    assert run("status").status == 2


def test_without_a_terminal_a_login_asks_for_nothing(run: Callable[..., Ran]) -> None:
    assert "give it with --token-stdin" in run("login").err


def test_a_bot_that_passes_is_submitted_with_status_0(
    logged_in: Callable[..., Ran], checked: Callable[[Finding], None]
) -> None:
    write()
    checked(Finding("", output="ready\n", used=USED))
    ran = logged_in("submit", "mybot.py", "--bot", "Bishop", "--message", "first", "--wait")
    assert (ran.status, ran.err) == (0, "")
    assert "Bishop v1 is active" in ran.out
    assert "it printed:\nready" in ran.out
    version = Version.objects.get()
    assert (version.bot.name, version.message, version.status) == ("Bishop", "first", "active")


def test_a_bot_that_fails_is_told_as_by_arena_check_with_status_1(
    logged_in: Callable[..., Ran], checked: Callable[[Finding], None]
) -> None:
    write()
    checked(Finding("game 1: no \x1b[31midea", "Traceback\nValueError", "hello\n", used=USED))
    ran = logged_in("submit", "mybot.py", "--wait")
    assert ran.status == 1
    assert "mybot v1 was rejected: game 1: no \\x1b[31midea" in ran.out
    assert "CPU time 0.25 s, memory at most 20 MiB" in ran.out
    assert "load: 100.0 ms CPU, 200.0 ms wall" in ran.out
    assert "failed after 0.50 s, at game 1, decision 3" in ran.out
    assert "Traceback\nValueError\n\nit printed:\nhello" in ran.out
    told = json.loads(logged_in("submit", "mybot.py", "--wait", "--json").out)
    assert (told["status"], told["report"]["output"]) == ("rejected", "hello\n")


def test_what_the_site_refuses_is_said_in_a_line_with_status_2(logged_in: Callable[..., Ran]) -> None:
    bots.submit(User.objects.create_user("eve"), "Rook", "bot.py", SOURCE.encode())
    write()
    ran = logged_in("submit", "mybot.py", "--bot", "Rook")
    assert (ran.status, ran.out) == (2, "")
    assert ran.err == "arena: Another user has a bot named Rook: choose another name.\n"
    tokens.revoke(Token.objects.get())
    assert "This token is not valid" in logged_in("submit", "mybot.py").err


def test_status_tells_of_ones_own_bots_and_their_versions(
    logged_in: Callable[..., Ran], two_played: tuple[Version, Version]
) -> None:
    write()
    assert "waits for its check" in logged_in("submit", "mybot.py", "--bot", "Bishop").out
    told = logged_in("status")
    assert told.status == 0
    (row,) = [line for line in told.out.splitlines() if "Bishop" in line]
    assert "plays" in row
    assert "2 waits behind 0" in row
    assert "Rook" not in told.out
    assert json.loads(logged_in("status", "--json").out)["bots"][0]["newest"]["number"] == 2
    one = logged_in("status", "bishop").out
    assert [line.split()[:2] for line in one.splitlines()[-2:]] == [["2", "checking"], ["1", "active"]]
    assert "expected one of your bots, which are Bishop, got 'Rook'" in logged_in("status", "Rook").err


def test_a_match_is_fetched_with_ones_own_log_and_can_be_replayed(
    logged_in: Callable[..., Ran], two_played: tuple[Version, Version]
) -> None:
    pk = Match.objects.get().pk
    told = json.loads(logged_in("fetch", str(pk), "--out", "kept", "--json").out)
    assert told == {"match": pk, "files": [f"kept/match-{pk}.json", f"kept/match-{pk}-A.log"]}
    assert Path(f"kept/match-{pk}-A.log").read_text() == "trace of A\noutput of A"
    assert "Bishop" in logged_in("replay", f"kept/match-{pk}.json").out


def test_who_is_not_logged_in_fetches_what_is_public(
    run: Callable[..., Ran], two_played: tuple[Version, Version]
) -> None:
    pk = Match.objects.get().pk
    assert run("fetch", str(pk)).out == f"match-{pk}.json\n"
    assert run("fetch", "987654").err == "arena: There is no match 987654.\n"
    assert "expected a match's number" in run("fetch", "x").err


def test_a_site_that_is_not_there_is_named(run: Callable[..., Ran], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("ARENA_URL", "http://127.0.0.1:9")
    ran = run("fetch", "1")
    assert (ran.status, ran.out) == (2, "")
    assert ran.err.startswith("arena: no connection to http://127.0.0.1:9: ")
