"""The workers that take checks and matches: each joins, says every few seconds that it is alive, and leaves."""

import logging
from collections.abc import Iterable
from datetime import timedelta
from typing import NamedTuple

from django.conf import settings
from django.utils import timezone

import arena
import sandbox
from league import texts
from league.bots.models import Trial, Version
from league.matches import holder
from league.matches.listing import BOTH
from league.matches.models import Checking, Match, Worker

log = logging.getLogger(__name__)

BEAT_EVERY = timedelta(seconds=5)
KEPT = timedelta(days=1)
"""A lost worker of another host, of which nothing else can be known, is shown for so long."""


class Seen(NamedTuple):
    """A worker at this moment."""

    worker: Worker
    plays: list[Match]
    """With their bots, the longest first."""
    checks: list[Checking]


def seen() -> list[Seen]:
    """All workers with what their processes play, the first that joined first."""
    running: dict[str, list[Match]] = {}
    for match in Match.objects.running().select_related(*BOTH).order_by("started_at", "pk"):
        running.setdefault(match.worker, []).append(match)
    checks = {each.process: each for each in Checking.objects.select_related("version__bot")}
    return [
        Seen(
            worker,
            [match for process in worker.processes for match in running.get(process, [])],
            [checks[process] for process in worker.processes if process in checks],
        )
        for worker in Worker.objects.order_by("started_at", "pk")
    ]


def begin_check(held: Version | Trial) -> None:
    """Say what this process checks from now on."""
    version = held if isinstance(held, Version) else None
    Checking.objects.update_or_create(process=holder.name(), defaults={"version": version})


def end_check() -> None:
    """This process checks nothing more."""
    Checking.objects.filter(process=holder.name()).delete()


def sign_in(processes: Iterable[int] = ()) -> None:
    """Say how this worker confines bots, in its log and in its row; or that it can't, and takes no work until it can.

    `processes` are the ids of those that play for it.
    """
    now = timezone.now()
    row = {"version": arena.__version__, "processes": _names(processes), "seen_at": now}
    try:
        launcher = sandbox.open_launcher(settings.SANDBOX)
    except (sandbox.NoSandbox, ValueError) as error:
        log.critical("this worker runs no bots: %s", error)
        said = texts.line(str(error), 300)
        row |= {"able": False, "pause": Worker.Pause.TEST, "pause_reason": said, "paused_at": now, "try_at": now}
    else:
        said = texts.line(launcher.describe(), 300)
        row["able"] = True
        log.info("bots run in %s", said)
        launcher.close()
    Worker.objects.update_or_create(name=holder.worker(), defaults={**row, "sandbox": said})


def beat(processes: Iterable[int]) -> Worker:
    """Say that this worker is alive; its row, made again where somebody removed it."""
    mine = Worker.objects.filter(name=holder.worker())
    if not mine.update(seen_at=timezone.now(), processes=_names(processes)):
        sign_in(processes)
    return mine.get()


def sign_out() -> None:
    """This worker ends."""
    Worker.objects.filter(name=holder.worker()).delete()


def sweep() -> None:
    """Strike out the workers of this host that ended without a word, and those that were lost long ago."""
    old = timezone.now() - KEPT
    gone = [each.pk for each in Worker.objects.all() if each.seen_at < old or holder.is_gone(each.name)]
    Worker.objects.filter(pk__in=gone).delete()
    playing = {process for each in Worker.objects.all() for process in each.processes}
    Checking.objects.exclude(process__in=playing).delete()


def _names(processes: Iterable[int]) -> list[str]:
    return [holder.of(process) for process in processes]
