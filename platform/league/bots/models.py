"""Bots and their uploaded versions.

A version's status moves by one conditional update, in `bots.services` alone:

    CHECKING -> ACTIVE | REJECTED | SUPERSEDED (a newer upload came first)
    ACTIVE -> SUPERSEDED (a newer version became active)
"""

from django.conf import settings
from django.db import models
from django.db.models.functions import Lower


class Bot(models.Model):
    owner = models.ForeignKey(settings.AUTH_USER_MODEL, models.PROTECT, related_name="bots")
    name = models.CharField(max_length=40)
    created_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        constraints = [
            models.UniqueConstraint(
                Lower("name"), name="bot_name_unique", violation_error_message="There is a bot with this name."
            )
        ]

    def __str__(self) -> str:
        return self.name


class Version(models.Model):
    class Status(models.TextChoices):
        CHECKING = "checking"
        ACTIVE = "active"
        REJECTED = "rejected"
        SUPERSEDED = "superseded"

    bot = models.ForeignKey(Bot, models.CASCADE, related_name="versions")
    number = models.PositiveIntegerField()
    filename = models.CharField(max_length=120)
    size = models.PositiveIntegerField(help_text="bytes")
    sha256 = models.CharField(max_length=64)
    message = models.CharField(max_length=200, blank=True)
    status = models.CharField(max_length=10, choices=Status, default=Status.CHECKING)
    created_at = models.DateTimeField(auto_now_add=True)

    # The check that holds the version: as a match's attempt and lease (matches.models.Match).
    attempt = models.PositiveSmallIntegerField(default=0)
    lease_until = models.DateTimeField(null=True)
    not_before = models.DateTimeField(null=True, help_text="when a check that met a platform fault is tried again")
    checked_at = models.DateTimeField(null=True)

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


class Report(models.Model):
    """What the last check of a version found, for its owner and staff alone."""

    version = models.OneToOneField(Version, models.CASCADE, primary_key=True)
    reason = models.TextField(help_text="what failed, where, and what to do")
    traceback = models.TextField(blank=True)
    output = models.TextField(blank=True, help_text="the bot's stdout and stderr, bounded")

    def __str__(self) -> str:
        return f"report on version {self.version_id}"
