"""Tournaments, who plays in them, and who may not.

A season runs through phases that follow from its times:

    announced -> registration (opens_at) -> frozen (deadline_at) -> playing (started_at) -> closed (closed_at)
"""

from datetime import datetime

from django.db import models
from django.db.models import Q
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from league.bots.models import Bot, Version


class TournamentQuerySet(models.QuerySet["Tournament"]):
    def ranked(self) -> "TournamentQuerySet":
        """Those with a table: ladders and seasons."""
        return self.filter(kind__in=[Tournament.Kind.LADDER, Tournament.Kind.SEASON])

    def open_ladders(self) -> "TournamentQuerySet":
        """Those that every active version plays in, in the order in which they are touched."""
        return self.filter(kind=Tournament.Kind.LADDER, closed_at=None).order_by("pk")


class Tournament(models.Model):
    class Kind(models.TextChoices):
        LADDER = "ladder", _("Ladder")
        SEASON = "season", _("Season")
        SCRIMMAGE = "scrimmage", _("Scrimmage")
        REJUDGING = "rejudging", _("Rejudging")

    slug = models.SlugField(unique=True)
    name = models.CharField(max_length=80)
    kind = models.CharField(max_length=9, choices=Kind)
    ruleset = models.JSONField(help_text="arena.ruleset.Ruleset as a dict")
    time_control = models.JSONField(help_text="arena.ruleset.TimeControl as a dict")
    legs = models.PositiveSmallIntegerField(default=1, help_text="matches of each pair")
    created_at = models.DateTimeField(auto_now_add=True)
    closed_at = models.DateTimeField(null=True, blank=True, help_text="its table stays as it is from then on")
    revision = models.PositiveBigIntegerField(
        default=0, help_text="goes up with each recorded result and each change of its entries"
    )

    objects = TournamentQuerySet.as_manager()

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


class SeasonQuerySet(models.QuerySet["Season"]):
    def in_registration(self) -> "SeasonQuerySet":
        """Those for which bots can be registered now."""
        now = timezone.now()
        return self.filter(tournament__closed_at=None, started_at=None, opens_at__lte=now, deadline_at__gt=now)


class Season(models.Model):
    """When a season's bots register and play, and how it ended."""

    class Phase(models.TextChoices):
        ANNOUNCED = "announced", _("Announced")
        REGISTRATION = "registration", _("Registration")
        FROZEN = "frozen", _("Frozen")
        PLAYING = "playing", _("Playing")
        CLOSED = "closed", _("Closed")

    tournament = models.OneToOneField(Tournament, models.CASCADE, primary_key=True)
    about = models.TextField(blank=True, help_text="public; plain text")
    opens_at = models.DateTimeField(help_text="registration is open from then on")
    deadline_at = models.DateTimeField(help_text="what is registered or submitted at this moment or later is too late")
    bots_per_user = models.PositiveSmallIntegerField(default=1, help_text="so many bots of one user may play")
    started_at = models.DateTimeField(null=True, blank=True, help_text="its matches were queued")
    holes = models.JSONField(
        default=list, blank=True, help_text="matches without a result when it was closed: [version, version, leg]"
    )

    objects = SeasonQuerySet.as_manager()

    class Meta:
        constraints = [
            models.CheckConstraint(condition=Q(opens_at__lt=models.F("deadline_at")), name="season_has_time"),
        ]

    def __str__(self) -> str:
        return f"season {self.tournament}"

    def phase_at(self, now: datetime) -> "Season.Phase":
        if self.tournament.closed_at is not None:
            return self.Phase.CLOSED
        if self.started_at is not None:
            return self.Phase.PLAYING
        if now >= self.deadline_at:
            return self.Phase.FROZEN
        return self.Phase.REGISTRATION if now >= self.opens_at else self.Phase.ANNOUNCED

    @property
    def phase(self) -> "Season.Phase":
        return self.phase_at(timezone.now())


class Registration(models.Model):
    """A bot that is to play in a season, with the version that would play for it if the season began now."""

    tournament = models.ForeignKey(Tournament, models.CASCADE, related_name="registrations")
    bot = models.ForeignKey(Bot, models.CASCADE, related_name="registrations")
    version = models.ForeignKey(
        Version, models.PROTECT, null=True, related_name="+", help_text="empty until one has passed its check"
    )
    registered_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        constraints = [models.UniqueConstraint(fields=["tournament", "bot"], name="registration_once_per_bot")]

    def __str__(self) -> str:
        return f"{self.bot} for {self.tournament}"


class Disqualification(models.Model):
    """A bot that an organiser took out of a tournament: its results count for nobody until it is reinstated."""

    tournament = models.ForeignKey(Tournament, models.CASCADE, related_name="disqualifications")
    bot = models.ForeignKey(Bot, models.PROTECT, related_name="disqualifications")
    version = models.ForeignKey(
        Version, models.PROTECT, null=True, related_name="+", help_text="that played for it in a season"
    )
    reason = models.CharField(max_length=300, help_text="public")
    at = models.DateTimeField(auto_now_add=True)
    lifted_at = models.DateTimeField(null=True)

    class Meta:
        constraints = [
            models.UniqueConstraint(
                fields=["tournament", "bot"], condition=Q(lifted_at=None), name="disqualified_once_at_a_time"
            )
        ]

    def __str__(self) -> str:
        return f"{self.bot} disqualified from {self.tournament}"
