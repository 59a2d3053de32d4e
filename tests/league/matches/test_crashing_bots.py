"""Fifty bots that crash at once in the sandboxes of two workers: each loses its own match, for its own reason."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from arena.ruleset import Ruleset
from league.accounts.models import User
from league.bots.models import Version
from league.matches import services
from league.matches.models import Attempt, Log, Match, Replay
from tests.league.matches.workers_alone import WorkerAlone

pytestmark = pytest.mark.django_db(transaction=True)
HONEST = b"class Bot:\n    def play(self, observation):\n        return observation.legal_plays[-1]\n"
BOTS = 50
AT_LOAD = "{crash}\nclass Bot:\n    def play(self, observation): ...\n"
IN_PLAY = "import os\nclass Bot:\n    def play(self, observation):\n        {crash}\n"
WAYS = [
    (AT_LOAD, "raise ValueError('bot {n}')", "crash", "at load: ValueError: bot {n}"),
    (AT_LOAD, "raise SystemExit('bot {n}')", "crash", "at load: SystemExit: bot {n}"),
    (AT_LOAD, "import bot_{n}", "crash", "at load: ModuleNotFoundError: No module named 'bot_{n}'"),
    (IN_PLAY, "raise ValueError('bot {n}')", "crash", "ValueError: bot {n}"),
    (IN_PLAY, "os._exit({n})", "crash", "exit status {n}"),
    (IN_PLAY, "os.kill(os.getpid(), 11)", "crash", "SIGSEGV"),
    (IN_PLAY, "os.kill(os.getpid(), 36 + {n} % 20)", "crash", "ended by signal"),
    (IN_PLAY, "os.write(4, b'bot {n}\\n'); os._exit(0)", "protocol", "bot {n}"),
    (IN_PLAY, "return ['bot {n}']", "illegal", "'bot {n}' is no card"),
    (IN_PLAY, "bytearray(1 << 40)", "memory", "MemoryError"),
]


def source(number: int) -> bytes:
    frame, crash, _, _ = WAYS[number % len(WAYS)]
    return frame.format(crash=crash.format(n=number)).encode() + b"# %d\n" % number


def test_each_of_fifty_bots_that_crash_at_once_has_its_own_verdict(
    activate: Callable[..., Version], short_ladder: Ruleset, tmp_path: Path
) -> None:
    honest = activate("Honest", HONEST)
    authors = [User.objects.create_user(f"author {number}") for number in range(len(WAYS))]
    numbers = {
        activate(f"Bot {number}", source(number), owner=authors[number % len(authors)]).pk: number
        for number in range(BOTS)
    }
    Match.objects.exclude(version_a=honest).delete()
    workers = [WorkerAlone("process", tmp_path / "unpacked") for _ in range(2)]
    try:
        done = [worker.rest() for worker in workers]
    finally:
        for worker in workers:
            worker.end()
    said = [line for lines, _ in done for line in lines]
    assert said == ["recorded"] * BOTS
    assert [status for _, status in done] == [0, 0]

    for match in Match.objects.all():
        number = numbers[match.version_b_id]
        _, _, termination, words = WAYS[number % len(WAYS)]
        assert (match.status, match.outcome, match.forfeits, match.attempt) == ("played", "A", "B", 1)
        assert match.termination == termination, match.reason
        assert words.format(n=number) in match.reason
        assert match.lease_until is None
    assert Match.objects.count() == Replay.objects.count() == BOTS
    assert not Attempt.objects.exists()
    assert not Log.objects.filter(seat="A").exclude(traceback="", output="").exists()
    assert services.claim("w") is None
    assert [worker.left() for worker in workers] == [[], []]
