from django.contrib.auth.models import AbstractUser
from django.db import models


class User(AbstractUser):
    """A person who signs in: owns bots, may be staff."""

    bots_allowed = models.PositiveIntegerField(
        null=True, blank=True, help_text="bots this user may own; empty: as the site allows everybody"
    )
