from league.celery import task
from league.organisers import flags, rejudging

LOOK = "league.organisers.tasks.look"


@task
def compare() -> None:
    """Compare the tables of rejudgings that are played; run by beat, and cheap while nothing changes."""
    rejudging.compare_open()


@task
def look() -> None:
    """Look for what organisers should see; run by beat, and when one of them asks."""
    flags.look_for_all()
