"""Matches, what went wrong on the way, their replays, and what only an owner may read.

A match's status moves by one conditional update, in `matches.services` and, where it is of no worker's doing, in
`matches.pairing` and `matches.annulment`:

    QUEUED -> RUNNING (claimed: attempt + 1, lease set)
    RUNNING -> PLAYED (recorded by the attempt that holds the lease)
    RUNNING -> QUEUED (platform fault or lease passed) -> FAILED past the last attempt
    QUEUED | RUNNING -> CANCELLED (one of its versions left the table) -> QUEUED (it came back)
    QUEUED -> CANCELLED (a scrimmage: who asked for it took it back)
    any but ANNULLED -> ANNULLED (by an organiser: it counts for nobody, and is not played again)
    ANNULLED -> PLAYED if it has a result, else CANCELLED (by an organiser, who thought again)
"""

import json
from datetime import timedelta
from typing import Any

from django.db import models
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from league.bots.models import Used, Version
from league.tournaments.models import Tournament

LOST_AFTER = timedelta(seconds=30)
"""A worker that was silent for so long may be gone: those of other hosts are seen by nothing else."""

OVERDUE_AFTER = timedelta(minutes=1)
"""A match held past its lease for so long was missed by several sweeps: none is made any more."""


class Seat(models.TextChoices):
    A = "A"
    B = "B"


class MatchQuerySet(models.QuerySet["Match"]):
    """Matches by how far they are.

    Each says whether the match has ended too, for the sake of the indexes: SQLite knows no statistics by itself and
    would take one on the status alone for all that was played; and a value that is a parameter lets it use no index
    with a condition on that value.
    """

    def queued(self) -> "MatchQuerySet":
        return self.filter(status=Match.Status.QUEUED, finished_at=None)

    def running(self) -> "MatchQuerySet":
        return self.filter(status=Match.Status.RUNNING, finished_at=None)

    def overdue(self) -> "MatchQuerySet":
        """Held past its lease, and given back by no sweep."""
        return self.running().filter(lease_until__lt=timezone.now() - OVERDUE_AFTER)

    def unfinished(self) -> "MatchQuerySet":
        """Queued, or being played."""
        return self.filter(status__in=[Match.Status.QUEUED, Match.Status.RUNNING], finished_at=None)

    def scrimmages(self) -> list["MatchQuerySet"]:
        """Those that somebody asked for (`league.scrimmages`), in parts: one for each of their few tournaments.

        For several tournaments at once SQLite would look through the matches of all.
        """
        hidden = Tournament.objects.filter(kind=Tournament.Kind.SCRIMMAGE)
        return [self.filter(tournament=pk) for pk in hidden.order_by("pk").values_list("pk", flat=True)]

    def finished(self) -> "MatchQuerySet":
        """Played, given up by the platform, or annulled."""
        return self.filter(finished_at__isnull=False)


class RowsField(models.TextField):  # type: ignore[type-arg]
    """Rows of whole numbers as JSON in a text, which takes a quarter of what PostgreSQL's jsonb does."""

    def from_db_value(self, value: str | None, *_: Any) -> Any:
        return None if value is None else json.loads(value)

    def get_prep_value(self, value: Any) -> str | None:
        return None if value is None else json.dumps(value, separators=(",", ":"))


class Match(models.Model):
    class Status(models.TextChoices):
        QUEUED = "queued"
        RUNNING = "running"
        PLAYED = "played"
        FAILED = "failed"
        CANCELLED = "cancelled"
        ANNULLED = "annulled"

    class Outcome(models.TextChoices):
        A_WINS = "A"
        B_WINS = "B"
        DRAW = "draw"
        BOTH_LOSE = "none", "both forfeit"

    class Termination(models.TextChoices):
        """How the match ended: `arena.outcome.Termination`."""

        COMPLETED = "completed", _("Completed")
        TIME = "time", _("Time")
        CRASH = "crash", _("Crash")
        MEMORY = "memory", _("Memory")
        PROTOCOL = "protocol", _("Protocol")
        ILLEGAL = "illegal", _("Illegal")

    tournament = models.ForeignKey(Tournament, models.PROTECT, related_name="matches", db_index=False)
    version_a = models.ForeignKey(Version, models.PROTECT, related_name="matches_as_a")
    version_b = models.ForeignKey(Version, models.PROTECT, related_name="matches_as_b")
    leg = models.PositiveSmallIntegerField(default=1)
    ranked = models.BooleanField(default=True, help_text="of a ladder or a season, not a scrimmage or a rejudging")
    seed = models.PositiveBigIntegerField()
    status = models.CharField(max_length=9, choices=Status, default=Status.QUEUED)
    created_at = models.DateTimeField(auto_now_add=True)

    attempt = models.PositiveSmallIntegerField(default=0, help_text="number of times it was claimed")
    worker = models.CharField(max_length=80, blank=True)
    lease_until = models.DateTimeField(null=True)
    not_before = models.DateTimeField(null=True, help_text="when a match that met a platform fault is tried again")
    started_at = models.DateTimeField(null=True)
    games_done = models.PositiveSmallIntegerField(default=0)

    finished_at = models.DateTimeField(null=True)
    outcome = models.CharField(max_length=4, choices=Outcome, blank=True)
    termination = models.CharField(max_length=9, choices=Termination, blank=True)
    forfeits = models.CharField(max_length=2, blank=True, help_text="the seats that forfeited: A, B or AB")
    reason = models.CharField(max_length=300, blank=True, help_text="public, one line; empty if completed")
    points_a = models.PositiveIntegerField(default=0)
    points_b = models.PositiveIntegerField(default=0)
    games = RowsField(default=list, help_text="a row a game: [dealer, points A, points B, rounds]")

    objects = MatchQuerySet.as_manager()

    class Meta:
        constraints = [
            models.UniqueConstraint(
                fields=["tournament", "version_a", "version_b", "leg"], name="match_once_per_pair_and_leg"
            ),
            models.CheckConstraint(
                condition=models.Q(version_a__lt=models.F("version_b"))
                | models.Q(leg__gt=1, version_a__gt=models.F("version_b")),
                name="match_versions_ascend",
            ),
            models.CheckConstraint(
                condition=~models.Q(status="played") | ~models.Q(outcome=""), name="match_played_has_outcome"
            ),
            models.CheckConstraint(
                condition=~models.Q(status__in=["queued", "running"]) | models.Q(finished_at=None),
                name="match_unfinished_has_no_end",
            ),
        ]
        indexes = [
            models.Index(fields=["status", "id"], condition=models.Q(finished_at=None), name="match_unfinished"),
            models.Index(
                fields=["status", "-ranked", "id"],
                condition=models.Q(finished_at=None),
                name="match_unfinished_in_turn",
            ),
            models.Index(
                fields=["tournament", "status", "id"], condition=models.Q(finished_at=None), name="match_unfinished_of"
            ),
            models.Index(
                fields=["status", "version_a", "version_b"],
                condition=models.Q(finished_at=None),
                name="match_unfinished_of_a",
            ),
            models.Index(
                fields=["status", "version_b", "version_a"],
                condition=models.Q(finished_at=None),
                name="match_unfinished_of_b",
            ),
            models.Index(
                fields=["tournament", "-finished_at", "-id"],
                condition=models.Q(finished_at__isnull=False),
                name="match_by_end_of",
            ),
            # The columns after the order let lists be filtered and counted in the index alone.
            models.Index(
                fields=["-finished_at", "-id", "status", "termination", "outcome", "ranked"], name="match_by_end"
            ),
        ]
        verbose_name_plural = "matches"

    def __str__(self) -> str:
        return f"match {self.pk}"


class Attempt(models.Model):
    """A try at a match that ended in the platform's fault; a match that went well has none."""

    match = models.ForeignKey(Match, models.CASCADE, related_name="attempts")
    number = models.PositiveSmallIntegerField()
    worker = models.CharField(max_length=80)
    started_at = models.DateTimeField()
    ended_at = models.DateTimeField(auto_now_add=True)
    fault = models.TextField()

    class Meta:
        constraints = [models.UniqueConstraint(fields=["match", "number"], name="attempt_number_unique")]

    def __str__(self) -> str:
        return f"attempt {self.number} at match {self.match_id}"


class Annulment(models.Model):
    """Why an organiser annulled a match."""

    match = models.OneToOneField(Match, models.CASCADE, primary_key=True)
    reason = models.CharField(max_length=300, help_text="public")
    at = models.DateTimeField(auto_now_add=True)

    def __str__(self) -> str:
        return f"annulment of match {self.match_id}"


class Replay(models.Model):
    """The match's record (`arena.replay`), encoded: enough to play every game again."""

    match = models.OneToOneField(Match, models.CASCADE, primary_key=True)
    format = models.PositiveSmallIntegerField(help_text="version of the record's schema")
    codec = models.CharField(max_length=8)
    sha256 = models.CharField(max_length=64, help_text="of the encoded bytes")
    data = models.BinaryField()

    def __str__(self) -> str:
        return f"replay of match {self.match_id}"


class Log(Used):
    """A bot's traceback and output in a match, and what it used, for the bot's owner and staff alone."""

    match = models.ForeignKey(Match, models.CASCADE, related_name="logs", db_index=False)
    seat = models.CharField(max_length=1, choices=Seat)
    traceback = models.TextField(blank=True)
    output = models.TextField(blank=True)
    printed = models.JSONField(
        default=list, blank=True, help_text="where in the output that of each decision begins: [game, decision, start]"
    )

    class Meta:
        constraints = [models.UniqueConstraint(fields=["match", "seat"], name="log_once_per_seat")]

    def __str__(self) -> str:
        return f"log of {self.seat} in match {self.match_id}"


class Worker(models.Model):
    """A worker that takes checks and matches, from when it joined until it ends or is known to be gone.

    It keeps the row itself: every few seconds that it is alive, and what its processes did when they did it.
    """

    class Pause(models.TextChoices):
        """Why it takes no work; `league.matches.pausing` says when each ends."""

        FAULTS = "faults", _("the platform failed several times in a row")
        DISK = "disk", _("too little disk is free")
        TEST = "test", _("it can run no bot")
        HAND = "hand", _("an organiser paused it")

    name = models.CharField(max_length=80, unique=True)
    sandbox = models.CharField(max_length=300, help_text="how it confines bots, or why it can't")
    able = models.BooleanField(help_text="it can confine bots; else it takes no matches")
    version = models.CharField(max_length=20, blank=True, help_text="of the platform and its engine")
    processes = models.JSONField(default=list, help_text="names of those that play, as matches have them")
    started_at = models.DateTimeField(auto_now_add=True)
    seen_at = models.DateTimeField(default=timezone.now, help_text="when it last said that it is alive")

    matches = models.PositiveIntegerField(default=0, help_text="recorded since it started")
    checks = models.PositiveIntegerField(default=0, help_text="done since it started")
    faults = models.PositiveIntegerField(default=0, help_text="of the platform, in a row")
    fault = models.TextField(blank=True, help_text="the last one")
    faulted_at = models.DateTimeField(null=True)
    suspects = models.JSONField(null=True, help_text="uploads that had a part in each of the faults in a row")

    pause = models.CharField(max_length=6, choices=Pause, blank=True)
    pause_reason = models.CharField(max_length=300, blank=True)
    paused_at = models.DateTimeField(null=True)
    tries = models.PositiveSmallIntegerField(default=0, help_text="rehearsals since it last did well")
    try_at = models.DateTimeField(null=True, help_text="when it rehearses next")

    class Meta:
        ordering = ("name",)

    def __str__(self) -> str:
        return self.name

    @property
    def is_lost(self) -> bool:
        return self.seen_at < timezone.now() - LOST_AFTER


class Checking(models.Model):
    """What a process checks at the moment; matches have their process themselves.

    That of a killed process stays until the sweep, and is no longer shown.
    """

    process = models.CharField(max_length=80, unique=True)
    version = models.ForeignKey(Version, models.CASCADE, null=True, related_name="+", help_text="empty: a trial")

    def __str__(self) -> str:
        return f"check in {self.process}"
