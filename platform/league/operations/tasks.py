from league.celery import task
from league.operations import retention, services


@task
def tick() -> None:
    """Leave a sign of life; run by beat, in the line of what else it orders."""
    services.tick()


@task
def clear() -> None:
    """Remove what is kept for a time only; run by beat."""
    retention.clear_old_logs()
