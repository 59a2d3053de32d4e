"""Messages that say "there is work": they carry none of it. The work itself is found in the database.

A message that is lost, doubled or late does no harm: the sweep (`league.matches.tasks.sweep`) rings again for whatever
waits, and a task that finds nothing ends at once.
"""

import logging
from functools import partial

from django.db import transaction
from kombu.connection import Connection
from kombu.exceptions import OperationalError

from league.celery import app

log = logging.getLogger(__name__)

CHECK = "league.matches.tasks.check"
PLAY = "league.matches.tasks.play"
MOST = 32
"""As many messages in one queue as keep every worker process busy."""


def ring(task: str, times: int = 1) -> None:
    """Say to the workers that there is work for that task, once the transaction around this is committed."""
    transaction.on_commit(partial(_send, task, times), robust=True)


def top_up(task: str, waiting: int) -> None:
    """Fill that task's queue up to one message for each of the waiting things, and to `MOST`."""
    if waiting:
        ring(task, max(0, min(waiting, MOST) - _queued(task)))


def _send(task: str, times: int) -> None:
    try:
        with _connected() as connection:
            for _ in range(times):
                app.send_task(task, connection=connection, retry=False)
    except OperationalError as error:
        log.warning("the broker is away, the next sweep will ring for %s: %s", task, error)


def _queued(task: str) -> int:
    """Messages that wait in that task's queue; as good as full where the broker is away."""
    queue = app.conf.task_routes[task]["queue"]
    try:
        with _connected() as connection:
            return int(connection.default_channel.queue_declare(queue=queue, durable=True).message_count)
    except OperationalError as error:
        log.warning("the broker is away: %s", error)
        return MOST


def _connected() -> Connection:
    """A connection that gives up soon: nobody waits for a broker that is away."""
    soon = {"max_retries": 1, "interval_start": 0.1, "interval_step": 0, "connect_retries_timeout": 2}
    connection: Connection = app.connection_for_write(transport_options={**app.conf.broker_transport_options, **soon})
    return connection
