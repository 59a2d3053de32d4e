"""What waits to be checked and to be played."""

from typing import Any

from django.db.models import QuerySet
from ninja import Router

from league.api import answers
from league.api.answers import CheckQueue, MatchQueue, Queue, QueuedCheck, QueuedMatch
from league.api.callers import PUBLIC, Request
from league.api.problems import possible
from league.bots import services as bots
from league.bots.models import Version
from league.matches import listing
from league.matches import queue as matches
from league.matches.models import Worker

router = Router(tags=["queue"])

FIRST = 50
RUNNING = 50


@router.get("/queue", operation_id="get_queue", summary="The queue", response={200: Queue, **possible()}, **PUBLIC)
def queue(request: Request) -> Queue:
    """What waits, in about the order of its turn, and how long it may take; what is played now; the workers."""
    checks = Version.objects.filter(status=Version.Status.CHECKING).select_related("bot__owner").order_by("pk")
    queued = matches.queued().filter(ranked=True).select_related("tournament", *listing.BOTH)
    check_s, match_s = bots.seconds_a_check(), matches.seconds_a_match()
    first_checks, check_count = _first(checks)
    first_matches, match_count = _first(queued)
    return Queue(
        checks=CheckQueue(
            count=check_count,
            seconds_each=check_s,
            first=[
                QueuedCheck(
                    version=answers.version_name(version),
                    place=place,
                    wait_s=None if check_s is None else place * check_s,
                    created_at=version.created_at,
                )
                for place, version in enumerate(first_checks, 1)
            ],
        ),
        matches=MatchQueue(
            count=match_count,
            seconds_each=match_s,
            first=[
                QueuedMatch(
                    match=answers.match(match), place=place, wait_s=None if match_s is None else place * match_s
                )
                for place, match in enumerate(first_matches, 1)
            ],
        ),
        running=[
            answers.match(match) for match in listing.running().select_related("tournament", *listing.BOTH)[:RUNNING]
        ],
        workers=[answers.worker(worker) for worker in Worker.objects.order_by("started_at", "pk")],
    )


def _first(waiting: QuerySet[Any]) -> tuple[list[Any], int]:
    """The first that wait, and how many wait in all."""
    first = list(waiting[:FIRST])
    return first, waiting.order_by().count() if len(first) == FIRST else len(first)
