"""Warm sandboxes, with the launcher that needs no engine."""

from __future__ import annotations

import io
import os
import time
import zipfile
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

import sandbox
from league.bots import services as bots
from league.bots.models import Report, Version
from league.matches import playing, services
from league.matches.boxes import UNPACKING_S, Boxes
from league.matches.models import Log, Match
from league.matches.verification import difference

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("short_ladder")]
Upload = Callable[..., Version]


@pytest.fixture
def boxes(tmp_path: Path) -> Iterator[Boxes]:
    opened = Boxes(sandbox.open_launcher("process"), 3, tmp_path / "unpacked")
    yield opened
    opened.close()


def check(boxes: Boxes) -> Version:
    held = bots.claim_check()
    assert held is not None
    playing.check(held, boxes)
    return Version.objects.get(pk=held.pk)


def source(body: str) -> bytes:
    return f"class Bot:\n    def play(self, observation):\n        {body}\n".encode()


def zipped(**files: str) -> bytes:
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w") as archive:
        for name, text in files.items():
            archive.writestr(name.replace("__", "/"), text)
    return packed.getvalue()


def test_two_uploads_are_checked_play_and_leave_a_replay_that_verifies(upload: Upload, boxes: Boxes) -> None:
    upload("First", source("print('hello'); return observation.legal_plays[0]"))
    upload("Last", source("return observation.legal_plays[-1]"))
    assert check(boxes).status == check(boxes).status == "active"
    assert "hello" in Report.objects.get(version__bot__name="First").output
    match = services.claim("w")
    assert match is not None
    assert playing.play(match, boxes)
    found = Match.objects.get()
    assert (found.status, found.termination, len(found.games)) == ("played", "completed", 2)
    assert difference(found.replay) == ""
    assert "hello" in Log.objects.get(seat="A").output


@pytest.mark.parametrize(
    ("content", "reason", "traceback"),
    [
        (b"import does_not_exist\nclass Bot: ...\n", "ModuleNotFoundError", "bot.py"),
        (b"class Bot:\n    def play(self: return\n", "SyntaxError", "bot.py"),
        (b"class bot:\n    pass\n", "class Bot", ""),
        (b"import sys\nsys.exit()\n", "SystemExit", ""),
        (source("raise ValueError('no idea')"), "ValueError: no idea", "line 3, in play"),
        (source("return ['2X']"), "2X", ""),
    ],
)
def test_what_fails_in_the_check_is_rejected_with_its_reason(
    upload: Upload, boxes: Boxes, content: bytes, reason: str, traceback: str
) -> None:
    upload("Bishop", content)
    assert check(boxes).status == "rejected"
    report = Report.objects.get()
    assert reason in report.reason
    assert traceback in report.traceback
    assert "/site-packages/" not in report.traceback


@pytest.mark.parametrize(
    "content",
    [
        b"PK\x03\x04 and then rubbish",
        zipped(readme="no bot here"),
        zipped(**{"..__bot.py": "class Bot: ..."}),
        zipped(**{"one__bot.py": "class Bot: ...", "two__bot.py": "class Bot: ..."}),
    ],
)
def test_archives_that_hold_no_bot_are_rejected_with_their_reason(upload: Upload, boxes: Boxes, content: bytes) -> None:
    upload("Bishop", content, filename="bishop.zip")
    assert check(boxes).status == "rejected"
    assert Report.objects.get().reason


def test_an_archive_with_modules_of_its_own_plays(upload: Upload, boxes: Boxes) -> None:
    helper = "def choose(plays):\n    return plays[-1]\n"
    bot = "import helper\nclass Bot:\n    def play(self, o):\n        return helper.choose(o.legal_plays)\n"
    upload("Bishop", zipped(**{"folder__bot.py": bot, "folder__helper.py": helper}), filename="bishop.zip")
    assert check(boxes).status == "active"


def test_a_box_is_warm_for_the_next_match_and_the_oldest_gives_way(activate: Upload, boxes: Boxes) -> None:
    versions = [activate(name) for name in ("Pawn", "Rook", "King", "Queen")]
    first = boxes.of(versions[0])
    assert boxes.of(versions[0]) is first
    for version in versions[1:]:
        boxes.of(version)
    assert not first.alive
    assert boxes.of(versions[0]) is not first


def test_a_box_that_ended_is_opened_anew(activate: Upload, boxes: Boxes) -> None:
    version = activate("Pawn")
    first = boxes.of(version)
    first.close()
    assert boxes.of(version) is not first


def test_an_upload_is_unpacked_once(activate: Upload, boxes: Boxes, tmp_path: Path) -> None:
    version = activate("Pawn")
    boxes.of(version)
    (folder,) = (tmp_path / "unpacked").iterdir()
    before = (folder / "bot.py").stat().st_mtime_ns
    boxes.drop_all()
    boxes.of(version)
    assert (folder / "bot.py").stat().st_mtime_ns == before
    assert [path.name for path in (tmp_path / "unpacked").iterdir()] == [folder.name]


def test_uploads_of_versions_that_play_no_more_are_removed(activate: Upload, boxes: Boxes, tmp_path: Path) -> None:
    old, other = activate("Pawn"), activate("Rook")
    boxes.of(old)
    boxes.of(other)
    boxes.opponent()
    new = activate("Pawn", b"class Bot: pass\n")
    boxes.of(new)
    boxes.tidy()
    kept = {path.name.split("-")[0] for path in (tmp_path / "unpacked").iterdir()}
    assert kept == {str(other.pk), str(new.pk), "opponent"}


def test_an_upload_that_comes_while_others_are_removed_stays(
    activate: Upload, boxes: Boxes, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def opponent() -> str:
        """Asked for after the versions."""
        if not Version.objects.exists():
            boxes.of(activate("Pawn"))
        return "opponent"

    monkeypatch.setattr("league.matches.boxes._opponent", opponent)
    boxes.tidy()
    assert len(list((tmp_path / "unpacked").iterdir())) == 1


def test_an_upload_stays_while_a_match_of_it_waits(activate: Upload, boxes: Boxes, tmp_path: Path) -> None:
    old, _ = activate("Pawn"), activate("Rook")
    boxes.of(old)
    Version.objects.filter(pk=old.pk).update(status=Version.Status.SUPERSEDED)
    boxes.tidy()
    assert len(list((tmp_path / "unpacked").iterdir())) == 1
    Match.objects.update(status=Match.Status.CANCELLED)
    boxes.tidy()
    assert list((tmp_path / "unpacked").iterdir()) == []


def test_what_a_killed_worker_had_unpacked_in_part_is_removed(boxes: Boxes, tmp_path: Path) -> None:
    old, new = tmp_path / "unpacked" / ".1-abc.77", tmp_path / "unpacked" / ".2-def.78"
    for folder in (old, new):
        folder.mkdir(parents=True)
        (folder / "bot.py").touch()
    long_ago = time.time() - UNPACKING_S - 1
    os.utime(old, (long_ago, long_ago))
    boxes.tidy()
    assert [path.name for path in (tmp_path / "unpacked").iterdir()] == [new.name]


def test_no_process_is_left_when_the_boxes_are_closed(activate: Upload, tmp_path: Path) -> None:
    before = children()  # other tests' servers may live as long as the session
    opened = Boxes(sandbox.open_launcher("process"), 3, tmp_path / "unpacked")
    opened.of(activate("Pawn"))
    assert children() > before
    opened.close()
    assert children() <= before


def children() -> set[int]:
    return {int(process) for process in Path(f"/proc/self/task/{os.getpid()}/children").read_text().split()}
