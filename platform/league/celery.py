"""The Celery application: `celery -A league.celery worker`."""

import os
from typing import Any

from celery import Celery
from celery.signals import worker_ready

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "league.settings")

app = Celery("league")
app.config_from_object("django.conf:settings", namespace="CELERY")
app.autodiscover_tasks()


@worker_ready.connect
def sweep_at_start(**_: Any) -> None:
    """A worker that comes up looks for work that lost its message, instead of waiting for the next sweep."""
    app.send_task("league.matches.tasks.sweep", queue="upkeep")
