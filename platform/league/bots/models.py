"""Bots, their uploaded versions, and trials of what is no version yet.

A version's status moves by one conditional update, in `bots.services` alone:

    CHECKING -> ACTIVE | REJECTED | SUPERSEDED (a newer upload came first)
    ACTIVE -> SUPERSEDED (another version became active)
    SUPERSEDED -> ACTIVE (rolled back to; it had passed its check)
"""

from django.conf import settings
from django.db import models
from django.db.models.functions import Lower
from django.utils.translation import gettext_lazy as _

CHECKING = "checking"


class Checked(models.Model):
    """What is checked in the sandbox: held by one attempt under a lease, as a match is (`bots.holding`)."""

    attempt = models.PositiveSmallIntegerField(default=0)
    lease_until = models.DateTimeField(null=True)
    not_before = models.DateTimeField(null=True, help_text="when a check that met a platform fault is tried again")
    started_at = models.DateTimeField(null=True)
    games_done = models.PositiveSmallIntegerField(default=0)
    checked_at = models.DateTimeField(null=True)

    class Meta:
        abstract = True


class Used(models.Model):
    """What a bot used in a match or a check (`bots.usage`), for its owner and staff alone."""

    memory_peak_kib = models.PositiveIntegerField(null=True)
    cpu_s = models.FloatField(null=True, help_text="of the bot's whole process")
    calls = models.BinaryField(null=True, help_text="the times of each call of the bot, packed")

    class Meta:
        abstract = True


class Found(Used):
    """What a check came to, for the owner and staff alone."""

    reason = models.TextField(blank=True, help_text="what failed, where, and what to do")
    traceback = models.TextField(blank=True)
    output = models.TextField(blank=True, help_text="the bot's stdout and stderr, bounded")
    record_format = models.PositiveSmallIntegerField(null=True, help_text="version of the record's schema")
    record_codec = models.CharField(max_length=8, blank=True)
    record = models.BinaryField(null=True, help_text="the games of the check (arena.replay), encoded")

    class Meta:
        abstract = True


class BotQuerySet(models.QuerySet["Bot"]):
    def kept(self) -> "BotQuerySet":
        """Those that their owners have not deleted."""
        return self.filter(deleted_at=None)


class Bot(models.Model):
    owner = models.ForeignKey(settings.AUTH_USER_MODEL, models.PROTECT, related_name="bots")
    name = models.CharField(max_length=40)
    created_at = models.DateTimeField(auto_now_add=True)
    retired_at = models.DateTimeField(null=True, help_text="it left the table, and may come back")
    deleted_at = models.DateTimeField(null=True, help_text="only its name and its matches are left")

    objects = BotQuerySet.as_manager()

    class Meta:
        constraints = [
            models.UniqueConstraint(
                Lower("name"), name="bot_name_unique", violation_error_message="There is a bot with this name."
            )
        ]

    def __str__(self) -> str:
        return self.name


class Version(Checked):
    class Status(models.TextChoices):
        CHECKING = CHECKING, _("Checking")
        ACTIVE = "active", _("Active")
        REJECTED = "rejected", _("Rejected")
        SUPERSEDED = "superseded", _("Superseded")

    bot = models.ForeignKey(Bot, models.CASCADE, related_name="versions")
    number = models.PositiveIntegerField()
    filename = models.CharField(max_length=120)
    size = models.PositiveIntegerField(help_text="bytes")
    sha256 = models.CharField(max_length=64)
    message = models.CharField(max_length=200, blank=True)
    status = models.CharField(max_length=10, choices=Status, default=Status.CHECKING)
    created_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["bot", "number"], name="version_number_unique"),
            models.UniqueConstraint(
                fields=["bot"], condition=models.Q(status="active"), name="version_one_active_per_bot"
            ),
        ]
        indexes = [models.Index(fields=["status", "id"], name="version_by_status")]

    def __str__(self) -> str:
        return f"{self.bot} v{self.number}"


class Source(models.Model):
    """The uploaded bytes, exactly as they came: never unpacked, compiled or imported by this process."""

    version = models.OneToOneField(Version, models.CASCADE, primary_key=True)
    content = models.BinaryField()

    def __str__(self) -> str:
        return f"source of version {self.version_id}"


class Report(Found):
    """What the last check of a version found."""

    version = models.OneToOneField(Version, models.CASCADE, primary_key=True)

    def __str__(self) -> str:
        return f"report on version {self.version_id}"


class Trial(Checked, Found):
    """A bot that its author had checked without submitting it: no version, kept for a day."""

    class Status(models.TextChoices):
        CHECKING = CHECKING
        PASSED = "passed"
        FAILED = "failed"
        SUPERSEDED = "superseded"

    owner = models.ForeignKey(settings.AUTH_USER_MODEL, models.CASCADE, related_name="trials")
    filename = models.CharField(max_length=120)
    content = models.BinaryField(help_text="the upload; empty once it was checked")
    status = models.CharField(max_length=10, choices=Status, default=Status.CHECKING)
    created_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        constraints = [
            models.UniqueConstraint(
                fields=["owner"], condition=models.Q(status="checking"), name="trial_one_waiting_per_owner"
            )
        ]
        indexes = [models.Index(fields=["status", "id"], name="trial_by_status")]

    def __str__(self) -> str:
        return f"trial {self.pk}"
