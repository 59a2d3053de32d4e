"""The warm sandboxes of this worker process: one for each of the bots that played last."""

from __future__ import annotations

import atexit
import logging
import os
import shutil
import time
from collections import OrderedDict
from collections.abc import Collection
from functools import cache
from hashlib import sha256
from pathlib import Path
from typing import TYPE_CHECKING

from celery.signals import worker_process_shutdown
from django.conf import settings
from django.db.models import Q

import sandbox
from arena import bots as house
from arena.qualification import OPPONENT
from league.bots.models import Source, Trial, Version
from league.matches.models import Match
from sandbox import bundle

if TYPE_CHECKING:
    from sandbox.box import BotBox
    from sandbox.launchers import Launcher

log = logging.getLogger(__name__)

UNPACKING_S = 3600.0
"""Nobody is still unpacking into a folder that is so old."""


class Boxes:
    """Sandboxes by name, the least recently used ones closed first."""

    def __init__(self, launcher: Launcher, most: int, bundles: Path) -> None:
        self.launcher = launcher
        self._most = most
        self._bundles = bundles
        self._open: OrderedDict[str, BotBox] = OrderedDict()
        self._versions: dict[str, int] = {}
        self._ready = True

    @property
    def warm(self) -> Collection[int]:
        """The versions whose boxes are open."""
        return self._versions.values()

    def tidy(self) -> None:
        """Remove the unpacked uploads of versions that play no more."""
        found = list(self._bundles.glob("*"))  # first: what others unpack from now on is not looked for
        unfinished = Match.objects.unfinished()
        checked = Q(status__in=[Version.Status.CHECKING, Version.Status.ACTIVE])
        plays = Q(pk__in=unfinished.values("version_a")) | Q(pk__in=unfinished.values("version_b"))
        wanted = Version.objects.filter(checked | plays)
        names = {_name(version) for version in wanted.only("pk", "sha256")} | {_opponent()}
        names |= {_name(trial) for trial in Trial.objects.filter(status=Trial.Status.CHECKING).only("pk")}
        for folder in found:
            if _given_up(folder) if folder.name.startswith(".") else folder.name not in names:
                shutil.rmtree(folder, ignore_errors=True)

    def ready(self) -> bool:
        """If sandboxes can be started at the moment, as far as can be seen; says in the log when that has changed."""
        was, self._ready = self._ready, self.launcher.answers()
        if was and not self._ready:
            log.error("no sandbox can be started, so no work is taken: the Docker engine does not answer")
        if self._ready and not was:
            log.info("sandboxes can be started again")
        return self._ready

    def of(self, upload: Version | Trial) -> BotBox:
        """The box of that version or trial, ready for a match.

        Raises:
            BadUpload: the upload can't be unpacked.
            SandboxFault: the platform can't start it.
        """
        return self._box(_name(upload), upload.filename, upload)

    def opponent(self) -> BotBox:
        """The box of the house bot that sits opposite in a check."""
        return self._box(_opponent(), f"{OPPONENT}.py", None)

    def drop(self, *boxes: BotBox) -> None:
        """Close those boxes: after a fault nothing is known of their state."""
        for name in [name for name, box in self._open.items() if box in boxes]:
            self._close(name)

    def forget(self, upload: Version | Trial) -> None:
        """Close the box of that version or trial, and remove what was unpacked for it."""
        name = _name(upload)
        if name in self._open:
            self._close(name)
        shutil.rmtree(self._bundles / name, ignore_errors=True)

    def drop_all(self) -> None:
        for name in list(self._open):
            self._close(name)

    def close(self) -> None:
        """End all boxes, and what started them."""
        self.drop_all()
        self.launcher.close()

    def _box(self, name: str, filename: str, upload: Version | Trial | None) -> BotBox:
        box = self._open.get(name)
        if box is not None and not box.alive:  # its life was over, or it was removed between two matches
            self._close(name)
            box = None
        if box is None:
            while len(self._open) >= self._most:
                self._close(next(iter(self._open)))
            box = self._open[name] = self.launcher.start(self._bundle(name, filename, upload))
            if isinstance(upload, Version):
                self._versions[name] = upload.pk
        self._open.move_to_end(name)
        return box

    def _bundle(self, name: str, filename: str, upload: Version | Trial | None) -> bundle.Bundle:
        """The unpacked upload; made beside and moved into place, as other processes may do the same."""
        folder = self._bundles / name
        if not folder.is_dir():
            content = house.source(OPPONENT) if upload is None else _content(upload)
            fresh = self._bundles / f".{name}.{os.getpid()}"
            shutil.rmtree(fresh, ignore_errors=True)
            fresh.mkdir(parents=True)
            try:
                bundle.prepare(content, filename, fresh)
                fresh.rename(folder)
            except OSError:
                if not folder.is_dir():
                    raise
            finally:
                shutil.rmtree(fresh, ignore_errors=True)
        return bundle.Bundle(folder)

    def _close(self, name: str) -> None:
        self._versions.pop(name, None)
        try:
            self._open.pop(name).close()
        except Exception:
            log.exception("the sandbox %s could not be closed", name)


def _given_up(folder: Path) -> bool:
    """If whoever was unpacking into it, in whatever process, has been killed."""
    try:
        return folder.stat().st_mtime < time.time() - UNPACKING_S
    except OSError:  # it is in its place by now
        return False


def _name(upload: Version | Trial) -> str:
    return f"trial-{upload.pk}" if isinstance(upload, Trial) else f"{upload.pk}-{upload.sha256[:16]}"


def _content(upload: Version | Trial) -> bytes:
    stored = upload if isinstance(upload, Trial) else Source.objects.get(version=upload)
    return bytes(stored.content)


def _opponent() -> str:
    return f"opponent-{sha256(house.source(OPPONENT)).hexdigest()[:16]}"


@cache
def boxes() -> Boxes:
    """Those of this process.

    Raises:
        NoSandbox: this machine can't confine a bot; says why and what to do.
    """
    launcher = sandbox.open_launcher(settings.SANDBOX)
    opened = Boxes(launcher, settings.WARM_BOXES, settings.BUNDLES)
    atexit.register(opened.close)
    opened.tidy()
    return opened


def close_boxes(**_: object) -> None:
    """End the sandboxes with the worker process; where it is killed they end by themselves."""
    if boxes.cache_info().currsize:
        boxes().close()
        boxes.cache_clear()


worker_process_shutdown.connect(close_boxes)
