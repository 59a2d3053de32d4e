from django.db import models

from league.bots.models import Bot, Version


class Tournament(models.Model):
    class Kind(models.TextChoices):
        LADDER = "ladder"
        SEASON = "season"

    slug = models.SlugField(unique=True)
    name = models.CharField(max_length=80)
    kind = models.CharField(max_length=6, choices=Kind)
    ruleset = models.JSONField(help_text="arena.ruleset.Ruleset as a dict")
    time_control = models.JSONField(help_text="arena.ruleset.TimeControl as a dict")
    created_at = models.DateTimeField(auto_now_add=True)
    revision = models.PositiveBigIntegerField(
        default=0, help_text="goes up with each recorded result and each change of its entries"
    )

    def __str__(self) -> str:
        return self.name


class Entry(models.Model):
    """A bot in a tournament, with the version that plays for it now."""

    tournament = models.ForeignKey(Tournament, models.CASCADE, related_name="entries")
    bot = models.ForeignKey(Bot, models.PROTECT, related_name="entries")
    version = models.ForeignKey(Version, models.PROTECT, related_name="+")

    class Meta:
        constraints = [models.UniqueConstraint(fields=["tournament", "bot"], name="entry_once_per_bot")]
        verbose_name_plural = "entries"

    def __str__(self) -> str:
        return f"{self.bot} in {self.tournament}"
