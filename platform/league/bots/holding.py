"""Who checks what: a version or a trial is held by one attempt under a lease, as a match is."""

from datetime import datetime, timedelta
from typing import Any, TypeVar

from django.conf import settings
from django.db.models import Q, QuerySet
from django.utils import timezone

from league.bots.models import CHECKING, Trial, Version

LONGEST_PAUSE = timedelta(minutes=1)
AT_ONCE = 16

Check = TypeVar("Check", Version, Trial)
Held = Version | Trial


def free(now: datetime) -> Q:
    """Checks that wait and that nobody holds."""
    unheld = Q(lease_until=None) | Q(lease_until__lt=now)
    due = Q(not_before=None) | Q(not_before__lte=now)
    return Q(status=CHECKING) & unheld & due


def claim(checks: QuerySet[Check]) -> Check | None:
    """The one of these that has waited longest, held by the caller; None where none waits."""
    now = timezone.now()
    for pk, attempt in checks.filter(free(now)).order_by("pk").values_list("pk", "attempt")[:AT_ONCE]:
        taken = checks.filter(free(now), pk=pk, attempt=attempt).update(
            attempt=attempt + 1, lease_until=now + settings.LEASE, started_at=now, games_done=0
        )
        if taken:
            check = checks.get(pk=pk)
            check.attempt = attempt + 1
            return check
    return None


def held(check: Held) -> QuerySet[Any]:
    """That check, if the caller still holds it."""
    return _all(check).filter(pk=check.pk, status=CHECKING, attempt=check.attempt, lease_until__isnull=False)


def is_lost(check: Held) -> bool:
    """Whether that check is seen to be held by somebody else, or by nobody, by now."""
    mine = Q(status=CHECKING, attempt=check.attempt, lease_until__isnull=False)
    return _all(check).filter(pk=check.pk).exclude(mine).exists()


def extend(check: Held, games_done: int) -> bool:
    """Hold the check longer, as another game of it is finished; False where the caller holds it no more."""
    extended = held(check).update(lease_until=timezone.now() + settings.LEASE, games_done=games_done)
    return bool(extended)


def release(check: Held) -> bool:
    """Give back a check whose worker was told to stop; it is done again at once."""
    return bool(held(check).update(lease_until=None))


def postpone(check: Held) -> bool:
    """Give back a check that met a platform fault; it is done again after a pause, longer each time."""
    pause = min(settings.RETRY_AFTER * 2 ** min(check.attempt, 10), LONGEST_PAUSE)
    return bool(held(check).update(lease_until=None, not_before=timezone.now() + pause))


def hold_back(checks: QuerySet[Any], until: datetime) -> int:
    """Let those of these checks that nobody holds wait until then; how many those are."""
    return checks.filter(status=CHECKING, lease_until=None).update(not_before=until)


def _all(check: Held) -> QuerySet[Any]:
    return Trial.objects.all() if isinstance(check, Trial) else Version.objects.all()
