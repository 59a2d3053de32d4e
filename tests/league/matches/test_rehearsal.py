from __future__ import annotations

import tempfile
from pathlib import Path

import pytest

from arena import bots as house
from league.matches import presence, rehearsal
from sandbox import owner
from sandbox.process import ProcessLauncher


def test_a_rehearsal_plays_a_game_in_the_sandbox_and_says_how_bots_are_confined(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv("ARENA_SANDBOX", "process")
    process = presence.rehearsal()
    said, _ = process.communicate(timeout=60)
    assert process.returncode == 0
    assert said.strip() == ProcessLauncher().describe()


def test_a_rehearsal_that_can_not_begin_says_why(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("ARENA_SANDBOX", "nowhere")
    process = presence.rehearsal()
    said, _ = process.communicate(timeout=60)
    assert process.returncode == 1
    assert said.startswith("ARENA_SANDBOX: expected one of auto, docker, process, got 'nowhere'")


def test_a_rehearsal_leaves_nothing_behind_not_even_that_of_a_killed_one(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    killed = owner.make_folder(rehearsal.FOLDER, tmp_path)
    (killed / owner.FILE).write_text(f"{owner.owner().rpartition('/')[0]}/1")
    rehearsal.rehearse("process")
    assert list(tmp_path.iterdir()) == []


def test_a_house_bot_that_forfeits_is_no_rehearsal(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(house, "source", lambda name: b"class Bot:\n    def play(self, o):\n        return ['2X']\n")
    with pytest.raises(rehearsal.Unfit, match="a house bot forfeited: "):
        rehearsal.rehearse("process")
