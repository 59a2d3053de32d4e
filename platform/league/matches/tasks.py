"""Messages carry no ids: each task takes from the database what waits there, and does nothing where nothing does."""

import os
import time
from typing import Any

from celery.signals import heartbeat_sent, worker_process_init, worker_ready, worker_shutdown
from django.conf import settings
from django.db import connection

from league import doorbell, logs
from league.bots import services as bots
from league.bots import trials
from league.bots.models import Trial
from league.celery import app, task
from league.matches import holder, pairing, pausing, playing, services, stopping, workers
from league.matches import seasons as season_services
from league.matches.boxes import boxes, close_boxes
from league.matches.presence import Presence
from league.matches.turns import Turn

_presence: Presence | None = None
_turn = Turn()


@task
def check() -> None:
    """Check the version that has waited longest, or else the trial that has."""
    stopping.install()
    if _works() and not stopping.stopped() and boxes().ready() and (held := bots.claim_check() or trials.claim()):
        with logs.about(**{"trial" if isinstance(held, Trial) else "version": held.pk}, attempt=held.attempt):
            playing.check(held, boxes())


@task
def play() -> None:
    """Play queued matches for a while, then ring again: so that checks get their turn.

    While the worker is paused or no sandbox can be started nothing is taken: else a whole queue would be given back,
    time after time, until it has failed. The sweep rings again.
    """
    stopping.install()
    if not _works():
        return
    opened = boxes()
    worker = holder.name()
    ends = time.monotonic() + settings.PLAY_BLOCK.total_seconds()
    ready = opened.ready()
    while ready and not stopping.stopped() and (match := services.claim(worker, _turn.favours(opened.warm))):
        with logs.about(match=match.pk, attempt=match.attempt):
            ready = playing.play(match, opened) or (_works() and opened.ready())
        if time.monotonic() > ends:
            doorbell.ring(doorbell.PLAY)
            return


@task
def sweep() -> None:
    """Find the work that lost its worker or its message; run by beat and by each worker that starts."""
    bots.sweep()
    services.sweep()
    workers.sweep()


@task
def seasons() -> None:
    """Start the seasons whose deadline has passed, and enter whoever is missing in a tournament; run by beat."""
    season_services.start_due()
    pairing.fill_all()


def _works() -> bool:
    """Whether the worker takes work; while it is paused this process keeps no sandbox."""
    works = pausing.works()
    if not works:
        close_boxes()
    return works


def sign_in(sender: Any, **_: Any) -> None:
    """A worker that takes matches says so."""
    global _presence
    if "matches" in app.amqp.queues.consume_from:
        _presence = Presence(sender)
        _presence.join()


def beat(**_: Any) -> None:
    """What the worker's own process does every few seconds, on the timer by which it tells other workers of itself."""
    if _presence:
        try:
            _presence.beat()
        finally:
            connection.close()  # it may be broken, and a process that the pool forks later must not have it


def join(**_: Any) -> None:
    """This process was forked by a worker for its pool."""
    holder.join(os.getppid())


def give_back(**_: Any) -> None:
    """What this worker's processes still held when it was told to stop goes back to the queue at once."""
    services.release_of_gone()
    if _presence:
        _presence.leave()


worker_ready.connect(sign_in)
heartbeat_sent.connect(beat)
worker_process_init.connect(join)
worker_shutdown.connect(give_back)
