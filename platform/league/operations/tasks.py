from league.celery import task
from league.operations import services


@task
def tick() -> None:
    """Leave a sign of life; run by beat, in the line of what else it orders."""
    services.tick()
