"""Scrimmages: matches on demand, which count for no table.

The match itself is one like all others but for `Match.ranked`, in a hidden tournament that has the rules of a ladder.
"""

from django.conf import settings
from django.db import models

from league.matches.models import Match


class Scrimmage(models.Model):
    """Who asked for an unranked match, and when."""

    match = models.OneToOneField(Match, models.CASCADE, primary_key=True, related_name="scrimmage")
    requested_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, models.CASCADE, related_name="scrimmages", db_index=False
    )
    at = models.DateTimeField(auto_now_add=True)

    class Meta:
        indexes = [models.Index(fields=["requested_by", "-match"], name="scrimmage_by_user")]

    def __str__(self) -> str:
        return f"scrimmage {self.match_id}"
