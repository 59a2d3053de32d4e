"""Checks of bots that are not submitted: asked for, held, finished, cleared. They never count and never play."""

from datetime import timedelta

from django.db import transaction
from django.utils import timezone

from league import doorbell
from league.accounts.models import User
from league.bots import findings, holding, uploads
from league.bots.findings import Finding
from league.bots.models import Trial

KEPT = timedelta(days=1)
MOST_PER_OWNER = 10


def ask(owner: User, filename: str, content: bytes) -> Trial:
    """Have that upload checked; one of the owner's that still waits gives way to it.

    Raises:
        ValidationError: it can't be a bot; says what to do.
    """
    uploads.validate(filename, content)
    with transaction.atomic():
        User.objects.select_for_update().get(pk=owner.pk)
        owner.trials.filter(status=Trial.Status.CHECKING).update(status=Trial.Status.SUPERSEDED, content=b"")
        newest = list(owner.trials.order_by("-pk").values_list("pk", flat=True)[: MOST_PER_OWNER - 1])
        owner.trials.exclude(pk__in=newest).delete()
        trial = Trial.objects.create(owner=owner, filename=uploads.shown(filename), content=content)
        doorbell.ring(doorbell.CHECK)
    return trial


def claim() -> Trial | None:
    """The trial that has waited longest, held by the caller; None where none waits."""
    return holding.claim(Trial.objects.all())


def finish(trial: Trial, finding: Finding, *, passed: bool) -> bool:
    """Store what came of it, and let go of the upload; False where the caller holds it no more."""
    status = Trial.Status.PASSED if passed else Trial.Status.FAILED
    done = holding.held(trial).update(
        status=status,
        lease_until=None,
        not_before=None,
        checked_at=timezone.now(),
        content=b"",
        **findings.columns(finding),
    )
    return bool(done)


def fail(trial: Trial, fault: str) -> bool:
    """Give back a trial that the platform could not do; it is done again, and is nobody's failure."""
    with transaction.atomic():
        holding.held(trial).update(**findings.columns(findings.retried(fault)))
        return holding.postpone(trial)


def clear() -> int:
    """Remove the trials of yesterday; how many those were."""
    removed, _ = Trial.objects.filter(created_at__lt=timezone.now() - KEPT).delete()
    return removed
