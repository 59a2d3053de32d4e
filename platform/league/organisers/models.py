"""What organisers decide and announce, the matches that they have played again, and what they should look at."""

from django.conf import settings
from django.db import models
from django.db.models import Q
from django.utils import timezone
from django.utils.translation import gettext_lazy as _
from django.utils.translation import pgettext_lazy

from league.bots.models import Bot, Version
from league.matches.models import Match
from league.tournaments.models import Tournament


class Act(models.Model):
    """What an organiser did, written in the transaction that did it and never changed.

    Names are kept beside the rows, which may be renamed or deleted later.
    """

    class Action(models.TextChoices):
        DISQUALIFY = "disqualify", _("disqualified a bot")
        REINSTATE = "reinstate", _("reinstated a bot")
        ANNUL = "annul", _("annulled a match")
        RESTORE = "restore", _("restored a match")
        REJUDGE = "rejudge", _("began a rejudging")
        APPLY = "apply", _("applied a rejudging")
        DROP = "drop", _("dropped a rejudging")
        PUBLISH = "publish", _("published an announcement")
        EDIT = "edit", _("changed an announcement")
        WITHDRAW = "withdraw", _("withdrew an announcement")
        LOOK = "look", _("looked at a flag")
        CREATE_SEASON = "create_season", _("created a season")
        CHANGE_SEASON = "change_season", _("changed a season")
        START_SEASON = "start_season", _("started a season")
        CLOSE_SEASON = "close_season", _("closed a season")
        OPEN_LADDER = "open_ladder", _("opened a ladder")
        CLOSE_LADDER = "close_ladder", _("closed a ladder")
        PAUSE_WORKER = "pause_worker", _("paused a worker")
        RESUME_WORKER = "resume_worker", _("let a worker go on")
        INVITE = "invite", _("invited somebody")
        UNINVITE = "uninvite", _("revoked an invitation")

    at = models.DateTimeField(auto_now_add=True)
    actor = models.ForeignKey(settings.AUTH_USER_MODEL, models.SET_NULL, null=True, related_name="acts")
    actor_name = models.CharField(max_length=150, blank=True, help_text="empty: the platform itself")
    action = models.CharField(max_length=16, choices=Action)
    tournament = models.ForeignKey(Tournament, models.SET_NULL, null=True, related_name="+")
    bot = models.ForeignKey(Bot, models.SET_NULL, null=True, related_name="+")
    match = models.ForeignKey(Match, models.SET_NULL, null=True, related_name="+")
    user = models.ForeignKey(settings.AUTH_USER_MODEL, models.SET_NULL, null=True, related_name="+")
    about = models.CharField(max_length=400, blank=True, help_text="the names of these rows at the time")
    reason = models.CharField(max_length=300, blank=True, help_text="public, if what was done is")
    details = models.JSONField(default=dict, blank=True)

    class Meta:
        indexes = [models.Index(fields=["action", "-id"], name="act_by_action")]

    def __str__(self) -> str:
        return f"act {self.pk}"


class Announcement(models.Model):
    title = models.CharField(max_length=120)
    text = models.TextField(max_length=5_000, help_text="plain text; an empty line begins a paragraph")
    published_at = models.DateTimeField(help_text="it is shown from then on")
    withdrawn_at = models.DateTimeField(null=True)
    tournament = models.ForeignKey(
        Tournament, models.SET_NULL, null=True, blank=True, related_name="announcements", help_text="that it is about"
    )

    class Meta:
        indexes = [
            models.Index(
                fields=["-published_at", "-id"], condition=Q(withdrawn_at=None), name="announcement_newest_first"
            )
        ]

    def __str__(self) -> str:
        return self.title

    @property
    def is_shown(self) -> bool:
        """Whether everybody may read it now."""
        return self.withdrawn_at is None and self.published_at <= timezone.now()


class Rejudging(models.Model):
    """A set of matches that are played again beside the table, and then take their places in it or are dropped.

    Its matches are those of a tournament that nobody else sees.
    """

    class Status(models.TextChoices):
        OPEN = "open", pgettext_lazy("rejudging", "open")
        APPLIED = "applied", pgettext_lazy("rejudging", "applied")
        DROPPED = "dropped", pgettext_lazy("rejudging", "dropped")

    tournament = models.ForeignKey(Tournament, models.PROTECT, related_name="rejudgings")
    apart = models.OneToOneField(
        Tournament, models.PROTECT, related_name="rejudging", help_text="where its matches are played"
    )
    bot = models.ForeignKey(Bot, models.SET_NULL, null=True, related_name="+", help_text="whose matches it has")
    match = models.ForeignKey(Match, models.SET_NULL, null=True, related_name="+", help_text="the only one that it has")
    reason = models.CharField(max_length=300)
    status = models.CharField(max_length=7, choices=Status, default=Status.OPEN)
    created_at = models.DateTimeField(auto_now_add=True)
    ended_at = models.DateTimeField(null=True, help_text="it was applied or dropped")
    compared = models.CharField(max_length=50, blank=True, help_text="the revisions that `comparison` is of")
    comparison = models.JSONField(
        default=list, help_text="rows that change: [version, rank, match points, rank then, match points then]"
    )

    class Meta:
        indexes = [models.Index(fields=["status", "-id"], name="rejudging_by_status")]

    def __str__(self) -> str:
        return f"rejudging {self.pk}"


class Case(models.Model):
    """A match of a rejudging."""

    class Verdict(models.TextChoices):
        SAME = "same", _("the same result")
        CHANGED = "changed", _("another result")
        UNPLAYED = "unplayed", _("skipped: it was not played again")
        MOVED = "moved", _("skipped: its result changed meanwhile")

    rejudging = models.ForeignKey(Rejudging, models.CASCADE, related_name="cases")
    original = models.ForeignKey(Match, models.PROTECT, related_name="+")
    again = models.OneToOneField(Match, models.PROTECT, related_name="case")
    ended_at = models.DateTimeField(help_text="when the result that was doubted was recorded")
    verdict = models.CharField(max_length=8, choices=Verdict, blank=True, help_text="empty until it is applied")
    before = models.JSONField(null=True, help_text="of a changed one: [outcome, points A, points B, termination]")
    after = models.JSONField(null=True)

    class Meta:
        constraints = [models.UniqueConstraint(fields=["rejudging", "original"], name="case_once_per_match")]

    def __str__(self) -> str:
        return f"{self.original} in {self.rejudging}"


class Fingerprint(models.Model):
    """What a version's Python source is without comments and blank space, as a hash."""

    version = models.OneToOneField(Version, models.CASCADE, primary_key=True)
    sha256 = models.CharField(max_length=64, db_index=True, blank=True, help_text="empty: it can't be taken apart")

    def __str__(self) -> str:
        return f"fingerprint of version {self.version_id}"


class Flag(models.Model):
    """Something odd that an organiser should look at. Nothing follows from it by itself."""

    class Kind(models.TextChoices):
        RESULT = "result", _("an unlikely result")
        FILE = "file", _("the same file")
        CODE = "code", _("the same code")

    kind = models.CharField(max_length=6, choices=Kind)
    key = models.CharField(max_length=64, help_text="the same for the same finding")
    versions = models.ManyToManyField(Version, related_name="flags")
    tournament = models.ForeignKey(Tournament, models.CASCADE, null=True, related_name="+")
    details = models.JSONField(default=dict)
    found_at = models.DateTimeField(auto_now_add=True)
    looked_at = models.DateTimeField(null=True)
    looked_by = models.CharField(max_length=150, blank=True)
    note = models.CharField(max_length=300, blank=True)

    class Meta:
        constraints = [models.UniqueConstraint(fields=["kind", "key"], name="flag_once")]
        indexes = [models.Index(fields=["-id"], condition=Q(looked_at=None), name="flag_not_looked_at")]

    def __str__(self) -> str:
        return f"flag {self.pk}"
