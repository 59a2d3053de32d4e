"""Messages carry no ids: each task takes from the database what waits there, and does nothing where nothing does."""

import time
from typing import Any

from celery.signals import worker_ready, worker_shutdown
from django.conf import settings

from league import doorbell, logs
from league.bots import services as bots
from league.bots import trials
from league.bots.models import Trial
from league.celery import app, task
from league.matches import holder, pairing, playing, services, stopping, workers
from league.matches import seasons as season_services
from league.matches.boxes import boxes


@task
def check() -> None:
    """Check the version that has waited longest, or else the trial that has."""
    stopping.install()
    opened = boxes()
    if not stopping.stopped() and opened.ready() and (held := bots.claim_check() or trials.claim()):
        with logs.about(**{"trial" if isinstance(held, Trial) else "version": held.pk}, attempt=held.attempt):
            playing.check(held, opened)


@task
def play() -> None:
    """Play queued matches for a while, then ring again: so that checks get their turn.

    While no sandbox can be started nothing is taken: else a whole queue would be given back, time after time, until it
    has failed. The sweep rings again.
    """
    stopping.install()
    opened = boxes()
    worker = holder.name()
    ends = time.monotonic() + settings.PLAY_BLOCK.total_seconds()
    near: tuple[int, ...] = ()
    ready = opened.ready()
    while ready and not stopping.stopped() and (match := services.claim(worker, near)):
        with logs.about(match=match.pk, attempt=match.attempt):
            ready = playing.play(match, opened) or opened.ready()
        near = match.version_a_id, match.version_b_id
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


def sign_in(**_: Any) -> None:
    """A worker that takes matches says so."""
    if "matches" in app.amqp.queues.consume_from:
        workers.sign_in()


def give_back(**_: Any) -> None:
    """What this worker's processes still held when it was told to stop goes back to the queue at once."""
    services.release_of_gone()
    workers.sign_out()


worker_ready.connect(sign_in)
worker_shutdown.connect(give_back)
