from django.db import models
from django.utils.translation import gettext_lazy as _

from league.bots.models import Bot, Version
from league.tournaments.models import Tournament


class Table(models.Model):
    """State of a tournament's standings; when a recompute fails the last good rows stay and `error` says why."""

    tournament = models.OneToOneField(Tournament, models.CASCADE, primary_key=True)
    computed_at = models.DateTimeField(null=True)
    revision = models.PositiveBigIntegerField(default=0, help_text="of the tournament, when it was computed")
    error = models.TextField(blank=True)
    tried_at = models.DateTimeField(null=True, help_text="when the last computation ended, well or not")
    took_s = models.FloatField(default=0.0, db_default=0.0, help_text="seconds that it took")

    def __str__(self) -> str:
        return f"table of {self.tournament}"

    @property
    def stale(self) -> bool:
        """Whether a result was recorded, or an entry changed, since."""
        return self.computed_at is None or self.revision != self.tournament.revision

    @property
    def state(self) -> str:
        """Differs whenever the table shows something else."""
        return f"{self.revision}-failed" if self.error else str(self.revision)


class Standing(models.Model):
    """A row of the table: one version's results against the other active versions, from the records alone."""

    class Decided(models.TextChoices):
        """What put the row under the one above it: `arena.standings.Decided`."""

        MATCH_POINTS = "match points", _("match points")
        DIRECT_ENCOUNTER = "direct encounter", _("direct encounter")
        SONNEBORN_BERGER = "Sonneborn-Berger", _("Sonneborn-Berger")
        DIFFERENCE = "difference of points", _("difference of points")
        SHARED = "shared", _("shared")

    tournament = models.ForeignKey(Tournament, models.CASCADE, related_name="standings")
    version = models.ForeignKey(Version, models.CASCADE, related_name="standings")
    rank = models.PositiveIntegerField(null=True, help_text="shared when nothing decides; empty before the first match")
    played = models.PositiveIntegerField()
    possible = models.PositiveIntegerField(help_text="matches of a full round robin")
    won = models.PositiveIntegerField()
    drawn = models.PositiveIntegerField()
    lost = models.PositiveIntegerField()
    match_points = models.PositiveIntegerField(help_text="2 for a win, 1 for a draw")
    points_for = models.PositiveBigIntegerField()
    points_against = models.PositiveBigIntegerField()
    faults = models.PositiveIntegerField(help_text="matches this bot forfeited")
    sonneborn_berger = models.FloatField(help_text="match points of those beaten, and half of those drawn with")
    decided = models.CharField(
        max_length=20, choices=Decided, blank=True, help_text="empty in the first row, and before the first match"
    )
    elo = models.FloatField(null=True, help_text="rating in points; empty before the first match that says something")
    elo_error = models.FloatField(null=True, help_text="its standard error")

    class Meta:
        constraints = [models.UniqueConstraint(fields=["tournament", "version"], name="standing_once_per_version")]
        ordering = ["rank"]

    def __str__(self) -> str:
        return f"{self.rank}. {self.version}"

    @property
    def difference(self) -> int:
        """Points scored more than conceded."""
        return self.points_for - self.points_against


class Fit(models.Model):
    """What was found when the table's bots were rated: enough to compare any two of them without rating them again."""

    tournament = models.OneToOneField(Tournament, models.CASCADE, primary_key=True)
    ratings = models.BinaryField(help_text="arena.rating.Ratings of the versions, packed")

    def __str__(self) -> str:
        return f"ratings of {self.tournament}"


class RatingPoint(models.Model):
    """A version's rating as it was at a time (`standings.history`)."""

    tournament = models.ForeignKey(Tournament, models.CASCADE, related_name="rating_points", db_index=False)
    bot = models.ForeignKey(Bot, models.CASCADE, related_name="rating_points")
    version = models.ForeignKey(Version, models.CASCADE, related_name="rating_points")
    at = models.DateTimeField()
    elo = models.FloatField()
    error = models.FloatField(help_text="its standard error")
    matches = models.PositiveIntegerField(help_text="that the rating counted")

    class Meta:
        indexes = [models.Index(fields=["tournament", "bot", "id"], name="rating_point_by_bot")]

    def __str__(self) -> str:
        return f"{self.version} at {self.at:%Y-%m-%d %H:%M}"
