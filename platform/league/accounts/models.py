from django.contrib.auth.models import AbstractUser
from django.db import models
from django.db.models import Q
from django.utils import timezone
from django.utils.translation import gettext_lazy as _


class User(AbstractUser):
    """A person who signs in: owns bots, may be staff."""

    bots_allowed = models.PositiveIntegerField(
        null=True, blank=True, help_text="bots this user may own; empty: as the site allows everybody"
    )


class TokenQuerySet(models.QuerySet["Token"]):
    def valid(self) -> "TokenQuerySet":
        """Those that are accepted now: not expired, and of a user who may sign in."""
        unexpired = Q(expires_at=None) | Q(expires_at__gt=timezone.now())
        return self.filter(unexpired, user__is_active=True)


class Token(models.Model):
    """Lets a program act for a user (`accounts.tokens`). A revoked one is no more."""

    class Scope(models.TextChoices):
        SUBMIT = "submit", _("Submit bots")
        LOGS = "logs", _("Read what only you may read: reports of checks, logs of matches")

    user = models.ForeignKey(User, models.CASCADE, related_name="tokens")
    name = models.CharField(max_length=60)
    digest = models.CharField(max_length=64, unique=True, help_text="SHA-256 of the token, which is not kept")
    scopes = models.JSONField(default=list, help_text="what it allows beside reading what is public")
    created_at = models.DateTimeField(auto_now_add=True)
    last_used_at = models.DateTimeField(null=True, help_text="to the minute")
    expires_at = models.DateTimeField(null=True)

    objects = TokenQuerySet.as_manager()

    class Meta:
        constraints = [models.UniqueConstraint(fields=["user", "name"], name="token_name_once_per_user")]

    def __str__(self) -> str:
        return f"token {self.name} of {self.user}"

    @property
    def expired(self) -> bool:
        return self.expires_at is not None and self.expires_at <= timezone.now()

    @property
    def allows(self) -> list[str]:
        """Its scopes in words."""
        return [str(scope.label) for scope in self.Scope if scope in self.scopes]


class InvitationQuerySet(models.QuerySet["Invitation"]):
    def usable(self) -> "InvitationQuerySet":
        """Those that nobody has used and that have not expired."""
        return self.filter(Q(expires_at=None) | Q(expires_at__gt=timezone.now()), used_at=None)


class Invitation(models.Model):
    """Lets one person make an account (`accounts.invitations`). A revoked one is no more."""

    digest = models.CharField(max_length=64, unique=True, help_text="SHA-256 of the code, which is not kept")
    note = models.CharField(max_length=100, help_text="whom it is for")
    made_by = models.ForeignKey(User, models.SET_NULL, null=True, related_name="+")
    created_at = models.DateTimeField(auto_now_add=True)
    expires_at = models.DateTimeField(null=True)
    used_at = models.DateTimeField(null=True)
    used_by = models.ForeignKey(User, models.SET_NULL, null=True, related_name="+")

    objects = InvitationQuerySet.as_manager()

    def __str__(self) -> str:
        return f"invitation for {self.note}"

    @property
    def expired(self) -> bool:
        return self.used_at is None and self.expires_at is not None and self.expires_at <= timezone.now()
