"""The Celery application: `celery -A league.celery worker`."""

import os
import signal
import warnings
from collections.abc import Callable
from multiprocessing import current_process
from tempfile import gettempdir
from typing import Any

from celery import Celery
from celery.exceptions import SecurityWarning
from celery.signals import (
    beat_embedded_init,
    celeryd_init,
    setup_logging,
    task_prerun,
    worker_process_init,
    worker_ready,
)
from django.db import close_old_connections
from kombu.transport import redis

from league.processes import die_with_parent

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "league.settings")

# It warns of root because of pickled messages, which are not accepted here; in a container root is the usual user.
warnings.filterwarnings("ignore", category=SecurityWarning)

# Else a worker that loses the broker would put back the bells that it has not answered, over the connection that is
# gone, and end by that.
redis.Channel.do_restore = False

app = Celery("league")
app.config_from_object("django.conf:settings", namespace="CELERY")
app.autodiscover_tasks()


def task(function: Callable[[], None]) -> Callable[[], None]:
    """Register that function as a task, named after its module and itself."""
    registered: Callable[[], None] = app.task(function)
    return registered


def share_no_folder(**_: Any) -> None:
    """What a worker shares with its pool are files that are gone once they are open.

    The folder that is made for them otherwise would stay where the worker is killed.
    """
    current_process()._config["tempdir"] = gettempdir()  # type: ignore[attr-defined]


def sweep_at_start(**_: Any) -> None:
    """A worker that comes up looks for work that lost its message, instead of waiting for the next sweep."""
    app.send_task("league.matches.tasks.sweep", queue="upkeep")


def end_with_the_worker(**_: Any) -> None:
    """A worker that is killed takes its pool and its beat with it: the matches are given to others."""
    die_with_parent(signal.SIGKILL, os.getppid())()


def check_connections(**_: Any) -> None:
    """A task goes on with the database's connection of the one before, as long as it is well and not too old."""
    close_old_connections()


def leave_logging_alone(**_: Any) -> None:
    """The settings say it all; without a receiver of that signal Celery sets up its own."""


celeryd_init.connect(share_no_folder)
setup_logging.connect(leave_logging_alone)
task_prerun.connect(check_connections)
worker_ready.connect(sweep_at_start)
worker_process_init.connect(end_with_the_worker)
beat_embedded_init.connect(end_with_the_worker)
