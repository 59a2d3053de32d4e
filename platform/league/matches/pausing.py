"""A worker that can't be trusted with work takes none: it pauses, and goes on once it has shown that it can play.

    faults in a row, too little disk, no sandbox -> paused -> a rehearsal passed, with disk free -> works
    by an organiser's hand                       -> paused -> by an organiser's hand             -> works

Where one upload had a part in all faults of the row, and the rehearsal then passes, the worker is not to blame: what
waits for that upload is held back (`blame`), so that it does not keep the worker from all others again and again.

A pause is one conditional update, and so is its end: of two that come at once one has done it.
"""

import logging
import shutil
from datetime import timedelta
from tempfile import gettempdir

from django.conf import settings
from django.db import transaction
from django.db.models import F, QuerySet
from django.utils import timezone

from league import texts
from league.bots.models import Trial, Version
from league.matches import blame, holder
from league.matches.models import Match, Worker

log = logging.getLogger(__name__)

FIRST_TRY = timedelta(seconds=15)
LONGEST_WAIT = timedelta(minutes=30)
FAULT_CHARS = 4_000
MIB = 1024 * 1024


def works() -> bool:
    """Whether this worker takes work; also where it has no row, which its next beat makes."""
    return not _mine().exclude(pause="").exists()


def did_match() -> None:
    """This worker has recorded a match: its row of faults has ended."""
    _did("matches")


def did_check() -> None:
    """This worker has done a check: its row of faults has ended."""
    _did("checks")


def met_fault(fault: str, held: Match | Version | Trial) -> bool:
    """Count a fault of the platform at that match or check, which pauses this worker when it is one too many in a row.

    Whether the worker is paused: then what it could not do is given back, and no attempt at it is counted.
    """
    with transaction.atomic():
        _mine().update(faults=F("faults") + 1, fault=texts.storable(fault, FAULT_CHARS), faulted_at=timezone.now())
        worker = _mine().first()
        if worker is None:
            return False
        parts = blame.parts(held)
        _mine().update(suspects=sorted(parts if worker.suspects is None else parts.intersection(worker.suspects)))
        if worker.faults >= settings.PAUSE_AFTER_FAULTS and not worker.pause:
            last = texts.line(fault.rstrip().rpartition("\n")[2], 200)
            pause(worker, Worker.Pause.FAULTS, f"{worker.faults} faults of the platform in a row, the last: {last}")
            return True
    return bool(worker.pause)


def pause(worker: Worker, why: Worker.Pause, reason: str) -> bool:
    """Let that worker take no work; False where it is paused already.

    By hand also one that has paused by itself, which then stays so.
    """
    now = timezone.now()
    working = Worker.objects.filter(pk=worker.pk)
    working = working.exclude(pause=why) if why == Worker.Pause.HAND else working.filter(pause="")
    paused = working.update(
        pause=why,
        pause_reason=texts.line(reason, 300),
        paused_at=now,
        try_at=None if why == Worker.Pause.HAND else now + wait(worker.tries),
    )
    if paused:
        log.error("worker %s takes no work: %s", worker.name, reason)
    return bool(paused)


def resume(worker: Worker, by_hand: bool = False) -> bool:
    """Let that worker take work again; False where it does, or an organiser has paused it and this is none."""
    paused = Worker.objects.filter(pk=worker.pk).exclude(pause="")
    if not by_hand:
        paused = paused.exclude(pause=Worker.Pause.HAND)
    resumed = paused.update(pause="", pause_reason="", paused_at=None, try_at=None, faults=0, suspects=None)
    if resumed:
        log.warning("worker %s takes work again", worker.name)
    return bool(resumed)


def begin_rehearsal(worker: Worker) -> bool:
    """Whether that paused worker rehearses now: its turn has come, and it is not paused by hand."""
    now = timezone.now()
    due = Worker.objects.filter(pk=worker.pk, try_at__lte=now, pause__in=_by_itself())
    return bool(due.update(tries=F("tries") + 1, try_at=now + wait(worker.tries + 1)))


def passed_rehearsal(worker: Worker, said: str) -> bool:
    """Let that worker work again, which has shown how it confines bots; False where it was paused by hand meanwhile."""
    with transaction.atomic():
        Worker.objects.filter(pk=worker.pk).update(able=True, sandbox=texts.line(said, 300))
        shown = Worker.objects.filter(pk=worker.pk).first()
        resumed = resume(worker)
        if resumed and shown and shown.suspects and shown.faults >= settings.PAUSE_AFTER_FAULTS:
            blame.hold_back(shown.suspects)
            Worker.objects.filter(pk=worker.pk).update(tries=0)
    return resumed


def failed_rehearsal(worker: Worker, why: str) -> bool:
    """Keep why that worker could not play; False where it is paused no more, or by hand."""
    paused = Worker.objects.filter(pk=worker.pk, pause__in=_by_itself())
    kept = paused.update(pause=Worker.Pause.TEST, pause_reason=texts.line(why, 300), suspects=[])
    if kept:
        log.error("worker %s could not play: %s", worker.name, why)
    return bool(kept)


def wait(tries: int) -> timedelta:
    """How long to wait before a rehearsal after so many that did not help."""
    return min(FIRST_TRY * (1 << min(tries, 10)), LONGEST_WAIT)


def short_of_disk() -> str:
    """Which folder has too little room for bots, and what to do; empty where there is enough."""
    for folder in (str(settings.HOME), gettempdir()):
        try:
            free = shutil.disk_usage(folder).free // MIB
        except OSError as error:
            return f"{folder} can't be looked at: {error.strerror}"
        if free < settings.LEAST_FREE_MIB:
            return f"expected {settings.LEAST_FREE_MIB} MiB free in {folder}, got {free}: remove what is not needed"
    return ""


def _did(counted: str) -> None:
    done = {counted: F(counted) + 1}
    if not _mine().filter(pause="").update(**done, faults=0, tries=0, suspects=None):
        _mine().update(**done)


def _mine() -> QuerySet[Worker]:
    return Worker.objects.filter(name=holder.worker())


def _by_itself() -> list[Worker.Pause]:
    return [Worker.Pause.FAULTS, Worker.Pause.DISK, Worker.Pause.TEST]
