"""Whether anybody works: the workers and their sandboxes, the clock, the tables, the staff."""

from collections.abc import Iterator
from datetime import timedelta

from django.conf import settings
from django.utils import timezone

import sandbox
from league.accounts.models import User
from league.matches import holder, slowness
from league.matches.models import LOST_AFTER, Match, Worker
from league.operations import services
from league.operations.doctor.findings import Finding, State
from league.tournaments.models import Tournament
from sandbox.doctor import examine as examine_sandbox

SILENT = timedelta(minutes=1)
BEHIND = timedelta(minutes=5)
NAMED = 10


def examine() -> Iterator[Finding]:
    workers = list(Worker.objects.all())
    yield _workers(workers)
    yield _leases()
    yield from _slow()
    yield _sandbox(elsewhere=any(worker.able for worker in workers))
    yield _clock()
    yield _tables()
    yield _staff()


def _workers(workers: list[Worker]) -> Finding:
    subject = "workers"
    gone = [worker.name for worker in workers if holder.is_gone(worker.name)]
    left = [worker for worker in workers if worker.name not in gone]
    idle = [f"{worker.name}: {why}" for worker in left if (why := _idle(worker))]
    found = f"{len(left) - len(idle)} of {len(left)} take matches"
    if idle:
        found = f"{found} ({'; '.join(idle)})"
    if len(left) == len(idle):
        return Finding(subject, State.BAD, found, "start one; if some run, mend what is said, and read their log")
    if idle:
        return Finding(
            subject, State.WARN, found, "mend that there: a worker that has paused by itself goes on by itself"
        )
    if gone:
        found = f"{found}; {', '.join(gone)} ended without a word"
        return Finding(subject, State.WARN, found, "nothing, if the clock runs: it strikes them out")
    return Finding(subject, State.OK, found)


def _idle(worker: Worker) -> str:
    """Why that worker takes no matches; empty where it does."""
    if worker.is_lost:
        return f"not heard for {LOST_AFTER.total_seconds():.0f} s"
    if not worker.able:
        return worker.sandbox
    return f"paused, {worker.pause_reason or worker.get_pause_display()}" if worker.pause else ""


def _leases() -> Finding:
    if overdue := Match.objects.overdue().count():
        found = f"{overdue} matches are held past them, and nobody gives them back"
        return Finding("leases", State.BAD, found, "look whether beat runs: it sweeps every ten seconds")
    return Finding("leases", State.OK, "no match is held past its own")


def _slow() -> Iterator[Finding]:
    for host, late, expected, matches in slowness.slow():
        found = f"on {host} bots ran out of time {late} times, {expected:.1f} were to be expected of the same bots"
        named = ", ".join(map(str, matches[:NAMED]))
        advice = f"its CPU may be too slow: pause its worker, and have matches such as {named} played again"
        yield Finding("time", State.WARN, found, advice)


def _sandbox(*, elsewhere: bool) -> Finding:
    """That of this machine, which matters where no worker of another one takes matches."""
    lacks = "; ".join(f"{each.subject}: {each.found}, {each.advice}" for each in examine_sandbox() if not each.good)
    try:
        launcher = sandbox.open_launcher(settings.SANDBOX)
    except (sandbox.NoSandbox, ValueError) as error:
        if elsewhere:
            return Finding("sandbox", State.OK, f"none here, and a worker has one ({error})")
        return Finding("sandbox", State.BAD, f"bots can't run here: {error}", lacks or "arena doctor says more")
    found = launcher.describe()
    launcher.close()
    return Finding("sandbox", State.WARN if lacks else State.OK, f"bots run in {found}", lacks)


def _clock() -> Finding:
    since = services.since_tick()
    if since is not None and since < SILENT:
        return Finding("clock", State.OK, f"it was heard {max(0, round(since.total_seconds()))} s ago")
    found = "it never was heard" if since is None else f"it was last heard {round(since.total_seconds())} s ago"
    return Finding("clock", State.BAD, found, "start beat: until then nothing that is lost is found, no table computed")


def _tables() -> Finding:
    subject = "tables"
    running = list(Tournament.objects.ranked().filter(closed_at=None).select_related("table").order_by("pk"))
    failed = [f"{each.slug}: {each.table.error}" for each in running if hasattr(each, "table") and each.table.error]
    if failed:
        advice = "the log of beat has the traceback; the last good table is shown meanwhile"
        return Finding(subject, State.BAD, "; ".join(failed), advice)
    if behind := [each.slug for each in running if _is_behind(each)]:
        advice = "look whether beat runs, and what it is busy with"
        return Finding(subject, State.WARN, f"behind their results: {', '.join(behind)}", advice)
    return Finding(subject, State.OK, f"{len(running)} are up to date")


def _is_behind(tournament: Tournament) -> bool:
    """Whether its table lacks something and was not computed for some time."""
    if not hasattr(tournament, "table"):
        return timezone.now() - tournament.created_at > BEHIND
    table = tournament.table
    return table.stale and (table.computed_at is None or timezone.now() - table.computed_at > BEHIND)


def _staff() -> Finding:
    number = User.objects.filter(is_staff=True, is_active=True).count()
    if not number:
        return Finding("staff", State.WARN, "nobody may organise or administer", "manage.py createsuperuser")
    return Finding("staff", State.OK, f"{number} of the users")
