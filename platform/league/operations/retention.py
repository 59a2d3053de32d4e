"""What is not kept for ever: what bots left behind in matches of long ago, for their owners alone."""

from datetime import datetime

from django.conf import settings
from django.utils import timezone

from league.matches.models import Log

AT_ONCE = 200
MOST = 10_000
"""Logs that are cleared in one go: the clock has more to do."""


def clear_old_logs() -> int:
    """Remove the logs of matches that ended longer ago than `settings.KEEP_LOGS`; how many those were.

    Results and replays stay. Logs get their numbers as matches end, so the first ones tell whether there is anything to
    do; those that changed places in a rejudging have new numbers, and go when it is the turn of these.
    """
    if not settings.KEEP_LOGS:
        return 0
    before = timezone.now() - settings.KEEP_LOGS
    cleared = 0
    while cleared < MOST and (old := _old(before)):
        Log.objects.filter(pk__in=old).delete()
        cleared += len(old)
    return cleared


def _old(before: datetime) -> list[int]:
    """Those of the first logs that are older than that."""
    first = Log.objects.order_by("pk").values_list("pk", "match__finished_at")[:AT_ONCE]
    return [pk for pk, finished_at in first if finished_at is not None and finished_at < before]
