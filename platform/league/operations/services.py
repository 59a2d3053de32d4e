"""The signs of life that the clock leaves."""

from datetime import timedelta

from django.utils import timezone

from league.operations.models import Upkeep

ROW = 1


def tick() -> None:
    """The clock runs, and so does the worker that does what it orders."""
    Upkeep.objects.update_or_create(pk=ROW, defaults={"ticked_at": timezone.now()})


def since_tick() -> timedelta | None:
    """How long ago the clock was last heard; None where it never was."""
    ticked_at = Upkeep.objects.filter(pk=ROW).values_list("ticked_at", flat=True).first()
    return timezone.now() - ticked_at if ticked_at else None
