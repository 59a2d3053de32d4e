"""A worker that is killed in the middle of a match."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import textwrap
import time
from collections.abc import Callable
from pathlib import Path

import pytest
from django.db import connection
from django.utils import timezone

import sandbox
from arena.ruleset import Ruleset
from league.bots.models import Version
from league.matches import playing, services
from league.matches.boxes import Boxes
from league.matches.models import Attempt, Match, Replay

pytestmark = pytest.mark.django_db(transaction=True)
THINKS = b"""import time
class Bot:
    def play(self, observation):
        ends = time.process_time() + 0.01
        while time.process_time() < ends:
            pass
        return observation.legal_plays[-1]
"""
WORKER = """
    import django; django.setup()
    from pathlib import Path
    import sandbox
    from league.matches import holder, playing, services
    from league.matches.boxes import Boxes
    playing.EXTEND_EVERY_S = 0
    boxes = Boxes(sandbox.open_launcher("process"), 3, Path({folder!r}))
    playing.play(services.claim(holder.name()), boxes)
"""


def database_url() -> str:
    found = connection.settings_dict
    if connection.vendor == "sqlite":
        return f"sqlite:///{found['NAME']}"
    host = found["HOST"] or "localhost"
    place = f"/{host}" if host.startswith("/") else f"{host}:{found['PORT'] or 5432}"
    return f"postgres://{found['USER']}:{found['PASSWORD']}@{place}/{found['NAME']}"


def test_its_match_is_played_again_whole_and_nobody_has_lost(
    activate: Callable[..., Version], short_ladder: Ruleset, tmp_path: Path
) -> None:
    activate("Pawn", THINKS)
    activate("Rook", THINKS + b"#\n")
    folder = tmp_path / "unpacked"
    worker = subprocess.Popen(
        [sys.executable, "-c", textwrap.dedent(WORKER.format(folder=str(folder)))],
        env={**os.environ, "DATABASE_URL": database_url(), "DJANGO_SETTINGS_MODULE": "league.settings"},
    )
    ends = time.monotonic() + 60
    while Match.objects.get().games_done < 1:
        assert worker.poll() is None
        assert time.monotonic() < ends
        time.sleep(0.02)
    os.kill(worker.pid, signal.SIGKILL)
    worker.wait()

    services.sweep()
    lost = Match.objects.get()
    assert (lost.status, lost.outcome, lost.games_done) == ("queued", "", 0)
    assert Attempt.objects.get().fault == "the worker process ended"

    Match.objects.update(not_before=timezone.now())
    again = services.claim("w")
    assert again is not None
    boxes = Boxes(sandbox.open_launcher("process"), 3, folder)
    try:
        assert playing.play(again, boxes)
    finally:
        boxes.close()
    match = Match.objects.get()
    assert (match.status, match.termination, match.attempt, len(match.games)) == ("played", "completed", 2, 2)
    assert Replay.objects.count() == 1
