from league.celery import task
from league.standings import services


@task
def refresh() -> None:
    """Bring the tables up to date; run by beat, and cheap while nothing changes."""
    services.refresh_stale()
