from django.db import models


class Upkeep(models.Model):
    """How far the clock's work is: one row."""

    ticked_at = models.DateTimeField(null=True, help_text="when the clock was last heard")

    def __str__(self) -> str:
        return "upkeep"
