"""Invitations that organisers make and revoke, each with its entry in the log."""

from datetime import datetime

from django.core.exceptions import ValidationError
from django.db import transaction
from django.utils.translation import gettext_lazy as _

from league.accounts import invitations
from league.accounts.models import Invitation, User
from league.organisers.acts import record_act
from league.organisers.models import Act


@transaction.atomic
def invite(actor: User, note: str, expires_at: datetime | None) -> str:
    """The code of a new invitation, which nobody can read again."""
    made, code = invitations.issue(actor, note, expires_at)
    _note(actor, Act.Action.INVITE, made)
    return code


@transaction.atomic
def uninvite(actor: User, invitation: Invitation) -> None:
    """Revoke an invitation.

    Raises:
        ValidationError: it was used or revoked before, or never made.
    """
    if not invitations.revoke(invitation):
        raise ValidationError(_("This invitation was used or revoked meanwhile."), code="again")
    _note(actor, Act.Action.UNINVITE, invitation)


def _note(actor: User, action: Act.Action, invitation: Invitation) -> None:
    record_act(actor, action, details={"invitation": invitation.pk, "title": invitation.note})
