"""Invitations to make an account: each is used once, and found again by its hash."""

import secrets
from datetime import datetime
from hashlib import sha256

from django.utils import timezone

from league.accounts.models import Invitation, User

SECRET_BYTES = 16


def issue(made_by: User, note: str, expires_at: datetime | None = None) -> tuple[Invitation, str]:
    """A new invitation, and its code, which nobody can read again."""
    code = secrets.token_urlsafe(SECRET_BYTES)
    made = Invitation.objects.create(made_by=made_by, note=note, digest=_digest(code), expires_at=expires_at)
    return made, code


def holds(code: str) -> bool:
    """Whether somebody may still sign up with that code."""
    return Invitation.objects.usable().filter(digest=_digest(code)).exists()


def use(code: str, user: User) -> bool:
    """Whether the invitation of that code is now used up by that user; of two who try at once, one has it."""
    usable = Invitation.objects.usable().filter(digest=_digest(code))
    return bool(usable.update(used_at=timezone.now(), used_by=user))


def revoke(invitation: Invitation) -> bool:
    """Whether the invitation was there, and not used, to be revoked; its code is worth nothing from now on."""
    gone, _each = Invitation.objects.filter(pk=invitation.pk, used_at=None).delete()
    return bool(gone)


def _digest(code: str) -> str:
    return sha256(code.strip().encode("utf-8", "replace")).hexdigest()
