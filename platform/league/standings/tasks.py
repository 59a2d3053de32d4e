from league.celery import task
from league.standings import services

SHARE = 0.1
"""Of the clock's time: a table of half a million matches takes seconds, and half a minute later the next will do."""


@task
def refresh() -> None:
    """Bring the tables up to date; run by beat, and cheap while nothing changes."""
    services.refresh_stale(SHARE)
