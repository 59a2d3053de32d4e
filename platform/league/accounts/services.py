"""Accounts: made, and given another password."""

from django.core.exceptions import ValidationError
from django.db import IntegrityError, transaction
from django.utils.translation import gettext_lazy as _

from league.accounts import invitations
from league.accounts.models import User


def join(user: User, invitation: str | None = None) -> None:
    """Store a new user, who uses up the invitation of that code where one is given.

    Raises:
        ValidationError: somebody took the name, or used the invitation, meanwhile; nothing is stored.
    """
    try:
        with transaction.atomic():
            user.save()
            if invitation is not None and not invitations.use(invitation, user):
                raise not_invited()
    except IntegrityError:
        said = _("Somebody took this name a moment ago: choose another one.")
        raise ValidationError(said, code="username") from None


def not_invited() -> ValidationError:
    said = _("This invitation was used, revoked, or has expired, or it never was one: ask an organiser for another.")
    return ValidationError(said, code="invitation")


def change_password(user: User, password: str) -> bool:
    """Whether the user has that password now, which ends all sessions begun with the one before.

    False where it was changed, or the account deleted, since `user` was read; then nothing is stored.
    """
    before = user.password
    user.set_password(password)
    return bool(User.objects.filter(pk=user.pk, password=before).update(password=user.password))
