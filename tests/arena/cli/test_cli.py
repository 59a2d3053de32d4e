import json
import os
import re
import signal
import subprocess
import sys
import time
import zipfile
from collections.abc import Callable
from pathlib import Path

import pytest
from terminal import Ran, one_line

import sandbox
from arena import notation, replay
from arena.cli import COMMANDS

PASSES = "class Bot:\n    def play(self, observation):\n        return observation.legal_plays[0]\n"
RAISES = """
print("hello \\x1b[31m")
class Bot:
    def play(self, observation):
        raise ValueError("no idea")
"""
LOOPS = "class Bot:\n    def play(self, observation):\n        while True:\n            pass\n"


def test_play_prints_each_game_and_who_won(arena: Callable[..., Ran]) -> None:
    ran = arena("play", "random", "counting", "--games", "12", "--seed", "1")
    assert (ran.status, ran.err) == (0, "")
    lines = ran.out.splitlines()
    assert lines[0].split() == ["game", "dealer", "rounds", "A", "random", "B", "counting"]
    games = [line.split() for line in lines[1:13]]
    assert [int(game[0]) for game in games] == list(range(1, 13))
    a, b = (sum(int(game[column]) for game in games) for column in (3, 4))
    assert lines[13].split()[-2:] == [str(a), str(b)]
    assert f"B counting wins, {a} : {b}" in lines
    assert "seed 1" in lines
    for name in ("random", "counting"):
        figures = (
            r": CPU time \d+\.\d\d s, memory at most \d+ MiB; load: .+; slowest decision: .+, at game \d+, decision \d+"
        )
        assert re.search(rf"^{name}{figures}$", ran.out, re.MULTILINE)
    assert "\x1b" not in ran.out, "no terminal, no colours"


@pytest.mark.parametrize("command", [("check",), ("play", "--games", "2")], ids=lambda command: command[0])
def test_a_bot_with_numpy_is_checked_and_played(
    arena: Callable[..., Ran], bot: Callable[[str], Path], command: tuple[str, ...]
) -> None:
    path = bot(
        "import numpy as np\n"
        "class Bot:\n"
        "    def play(self, observation):\n"
        "        return observation.legal_plays[int(np.argmax([len(each) for each in observation.legal_plays]))]\n"
    )
    ran = arena(command[0], path, *(["random"] if command[0] == "play" else []), *command[1:])
    assert (ran.status, ran.err) == (0, "")
    assert ("passed" if command[0] == "check" else "A mine") in ran.out


def test_play_prints_and_saves_the_record_of_the_same_match(arena: Callable[..., Ran], tmp_path: Path) -> None:
    saved = tmp_path / "match.txt"
    ran = arena("play", "random", "longest", "--games", 2, "--seed", 5, "--decks", 2, "--json", "--save", saved)
    assert ran.status == 0
    printed = json.loads(ran.out)
    assert printed["bots"] == ["random", "longest"]
    record = replay.from_dict(printed)
    replay.verify(record)
    assert printed["points"] == list(record.points)
    assert (record.seed, record.ruleset.decks, len(record.games)) == (5, 2, 2)
    for used in printed["used"]:
        assert used["memory_peak_kib"] > 5_000
        assert used["load"]["cpu_s"] + used["slowest"]["cpu_s"] <= used["cpu_s"]
        assert used["failed"] is None
    assert notation.read(saved.read_text()) == record


def test_play_draws_a_seed_where_none_is_given(arena: Callable[..., Ran]) -> None:
    seeds = {json.loads(arena("play", "passer", "passer", "--games", 1, "--json").out)["seed"] for _ in range(2)}
    assert len(seeds) == 2


def test_play_names_who_forfeits_and_shows_its_traceback(arena: Callable[..., Ran], bot: Callable[..., Path]) -> None:
    ran = arena("play", bot(RAISES), "random", "--games", 2, "--seed", 1, "--output")
    assert ran.status == 1
    assert "mine forfeits: game 1, decision " in ran.out
    assert ": ValueError: no idea\n" in ran.out
    assert 'File "bot.py", line 5, in play' in ran.out
    assert "mine printed:\nhello \\x1b[31m" in ran.out, "what a bot prints must not drive the terminal"


def test_play_takes_a_folder_and_a_zip(arena: Callable[..., Ran], bot: Callable[..., Path], tmp_path: Path) -> None:
    folder = tmp_path / "folder"
    folder.mkdir()
    (folder / "bot.py").write_text("from helper import Bot\n")
    (folder / "helper.py").write_text(PASSES)
    (folder / ".git").mkdir()
    (folder / ".git" / "big").write_bytes(bytes(1000))
    archive = tmp_path / "packed.zip"
    with zipfile.ZipFile(archive, "w") as packed:
        packed.write(bot(PASSES), "bot.py")
    ran = arena("play", folder, archive, "--games", 1, "--seed", 1)
    assert ran.status == 0, ran
    assert "A folder" in ran.out
    assert "B packed" in ran.out


def test_check_passes_each_house_bot_that_answers_quickly(arena: Callable[..., Ran]) -> None:
    ran = arena("check", "points")
    assert (ran.status, ran.err) == (0, "")
    assert ran.out.startswith("points passed: 2 games against random\n")


@pytest.mark.parametrize(
    ("source", "reason"),
    [
        (RAISES, "ValueError: no idea"),
        ("x = (\n", "at load: SyntaxError: '(' was never closed (bot.py, line 1)"),
        ("class bot: pass\n", "at load: NoBot: bot.py defines no class Bot; found 'bot': names are case-sensitive"),
        ("class Bot: pass\n", "at load: NoBot: class Bot has no method play(self, observation)"),
        (PASSES.replace("observation.legal_plays[0]", "['2C', '9S']"), "lay 2C 9S on TH; legal: pass | TC"),
        ("import nothing_such\n", "at load: ModuleNotFoundError: No module named 'nothing_such'"),
    ],
)
def test_check_says_why_a_bot_fails(
    arena: Callable[..., Ran], bot: Callable[..., Path], source: str, reason: str
) -> None:
    path = bot(source)
    ran = arena("check", path)
    assert (ran.status, ran.err) == (1, "")
    first = ran.out.splitlines()[0]
    assert first.startswith(f"{path} failed: ")
    assert first.endswith(reason)


def test_check_ends_a_bot_that_loops(arena: Callable[..., Ran], bot: Callable[..., Path]) -> None:
    ran = arena("check", bot(LOOPS), "--decision-s", "0.1")
    assert ran.status == 1
    assert "no answer within 0.1 s of CPU time for a decision" in ran.out


def test_check_gives_its_verdict_as_json(arena: Callable[..., Ran], bot: Callable[..., Path]) -> None:
    ran = arena("check", bot(RAISES), "--json")
    assert ran.status == 1
    verdict = json.loads(ran.out)
    assert (verdict["passed"], verdict["termination"]) == (False, "crash")
    assert verdict["reason"].endswith("ValueError: no idea")
    assert verdict["traceback"].startswith("Traceback")
    assert verdict["output"] == "hello \x1b[31m\n"


@pytest.mark.parametrize(
    ("arguments", "complaint"),
    [
        (["frob"], "arena: argument COMMAND: invalid choice: 'frob'"),
        (["play", "random"], "arena play: the following arguments are required: B; see arena play --help"),
        (["play", "random", "random", "--games", "0"], "arena: --games: expected 1 to 100, got 0"),
        (["play", "random", "random", "--endgame", "never"], "arena: --endgame: expected lead_from_hand, stop, got"),
        (["play", "random", "random", "--bank-s", "nan"], "arena: --bank-s: expected 0.01 to 3600 seconds, got nan"),
        (["play", "random", "random", "--seed", "-1"], "arena play: argument --seed: expected an integer from 0"),
        (["play", "random", "random", "--save", "nowhere/x"], "arena: nowhere/x: there is no such folder"),
        (["check", "nobody"], "arena: nobody: neither a file nor a house bot; house bots are passer, random"),
        (["check", "no\0body"], "arena: no\0body: neither a file nor a house bot"),
        (["check", "."], "arena: .: the folder holds no bot.py"),
    ],
)
def test_bad_usage_is_one_line_and_status_2(
    arena: Callable[..., Ran],
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    arguments: list[str],
    complaint: str,
) -> None:
    monkeypatch.chdir(tmp_path)
    ran = arena(*arguments)
    assert ran.status == 2
    assert one_line(ran).startswith(complaint)


@pytest.mark.parametrize(
    ("name", "content", "complaint"),
    [
        ("bot.txt", b"x", "bot.txt: expected a .py or a .zip file, got 'bot.txt'"),
        ("bot.py", b"", "bot.py: the file is empty; upload a Python module with a class Bot"),
        ("bot.py", b"a\0b", "bot.py: not a Python file: it holds NUL bytes"),
        ("bot.zip", b"junk", "bot.zip: the archive can't be read"),
    ],
)
def test_a_file_that_is_no_bot_is_refused_with_what_to_do(
    arena: Callable[..., Ran], tmp_path: Path, name: str, content: bytes, complaint: str
) -> None:
    path = tmp_path / name
    path.write_bytes(content)
    ran = arena("check", path)
    assert ran.status == 2
    assert one_line(ran).startswith(f"arena: {complaint}")


def test_an_unknown_sandbox_in_the_environment_is_bad_usage(
    arena: Callable[..., Ran], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("ARENA_SANDBOX", "jail")
    ran = arena("check", "passer")
    assert ran.status == 2
    assert one_line(ran) == "arena: ARENA_SANDBOX: expected one of auto, docker, process, got 'jail'"


@pytest.mark.parametrize(
    ("error", "complaint"),
    [
        (sandbox.NoSandbox("no Docker engine answers; start it"), "no sandbox: no Docker engine answers; start it"),
        (sandbox.SandboxFault("the box is gone"), "the sandbox failed, which is no bot's fault: the box is gone"),
        (RuntimeError("a\nb"), "the platform failed: RuntimeError: a b (set ARENA_DEBUG=1 to see where)"),
    ],
)
def test_a_fault_of_the_platform_is_status_3_and_no_traceback(
    arena: Callable[..., Ran], monkeypatch: pytest.MonkeyPatch, error: Exception, complaint: str
) -> None:
    def fail(choice: str) -> None:
        raise error

    monkeypatch.setattr(sandbox, "open_launcher", fail)
    monkeypatch.delenv("ARENA_DEBUG", raising=False)
    ran = arena("play", "random", "passer")
    assert ran.status == 3
    assert one_line(ran) == f"arena: {complaint}"


@pytest.mark.parametrize("name", [command.__name__.rsplit(".", 1)[1] for command in COMMANDS])
def test_every_command_has_help_with_an_example(arena: Callable[..., Ran], name: str) -> None:
    ran = arena(name, "--help")
    assert ran.status == 0
    assert f"\n  arena {name} " in ran.out.partition("examples:")[2]


@pytest.mark.parametrize(
    ("arguments", "ending", "status"),
    [
        (["play", "montecarlo", "montecarlo", "--games", "100"], signal.SIGINT, 130),
        (["play", "montecarlo", "montecarlo", "--games", "100"], signal.SIGTERM, 143),
        (["league", "montecarlo", "counting", "--games", "100", "--jobs", "2"], signal.SIGINT, 130),
    ],
)
def test_a_command_that_is_ended_leaves_nothing(
    tmp_path: Path, arguments: list[str], ending: signal.Signals, status: int
) -> None:
    command = [
        sys.executable,
        "-c",
        "import sys; from arena.cli import main; print('up', flush=True); sys.exit(main())",
    ]
    environment = {**os.environ, "TMPDIR": str(tmp_path), "ARENA_SANDBOX": "process"}
    with subprocess.Popen([*command, *arguments], stdout=subprocess.PIPE, text=True, env=environment) as ran:
        assert ran.stdout
        ran.stdout.readline()
        while not list(tmp_path.glob("arena-*/1/bot.py")):
            assert ran.poll() is None
            time.sleep(0.01)
        ran.send_signal(ending)
        ran.stdout.read()  # to its end: who closes the pipe at once has it end for another reason
    assert ran.returncode == status
    assert list(tmp_path.iterdir()) == []


def test_the_reader_of_a_pipe_may_leave() -> None:
    command = [sys.executable, "-m", "arena.cli", "play", "passer", "passer", "--games", "1", "--sandbox", "process"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE) as ran:
        assert ran.stdout
        assert ran.stderr
        ran.stdout.close()
        assert ran.stderr.read() == b""
    assert ran.returncode == 141, "as after SIGPIPE"


def test_the_doctor_tells_what_confines_bots_here(arena: Callable[..., Ran]) -> None:
    ran = arena("doctor")
    assert ran.status == 0
    assert "Landlock: version" in ran.out
    assert "bots run as processes on this machine" in ran.out
    told = json.loads(arena("doctor", "--json").out)
    assert [finding["subject"] for finding in told["findings"]][:2] == ["system call filter", "Landlock"]
    assert told["missing"] is None


def test_the_doctor_says_how_to_get_what_is_missing(
    arena: Callable[..., Ran], monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setenv("DOCKER_HOST", f"unix://{tmp_path}/none")
    ran = arena("doctor", "--sandbox", "docker")
    assert ran.status == 3
    assert "apt install docker.io" in ran.out
    assert "bots can't run here: no Docker engine answers" in ran.out


@pytest.mark.parametrize(("name", "most", "what"), [("mine.py", 2**20, "file"), ("mine.zip", 24 * 2**20, "archive")])
def test_a_bot_that_the_site_would_not_take_is_refused_with_the_limit(
    arena: Callable[..., Ran], tmp_path: Path, name: str, most: int, what: str
) -> None:
    path = tmp_path / name
    path.write_bytes(PASSES.encode().ljust(most + 1, b"\n"))
    ran = arena("check", path)
    assert ran.status == 2
    assert f"has {most + 1:,} bytes; the limit for one {what} is {most:,} ({most >> 20} MiB)" in one_line(ran)


def test_a_folder_that_packs_to_more_than_the_site_takes_is_refused(arena: Callable[..., Ran], tmp_path: Path) -> None:
    (tmp_path / "bot.py").write_text(PASSES)
    (tmp_path / "weights").write_bytes(os.urandom(24 * 2**20))
    ran = arena("check", tmp_path)
    assert ran.status == 2
    assert "packed, has 25,1" in one_line(ran)
