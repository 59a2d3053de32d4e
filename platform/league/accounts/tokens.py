"""Tokens of programs that act for a user: made, found again by their hash, revoked."""

import secrets
from collections.abc import Sequence
from datetime import datetime, timedelta
from hashlib import sha256

from django.core.exceptions import ValidationError
from django.db import transaction
from django.db.models import Q
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from league.accounts.models import Token, User

PREFIX = "arena_"
"""By which programs that look for secrets in sources know one."""
SECRET_BYTES = 32
MOST_PER_USER = 20
NOTED_EVERY = timedelta(minutes=1)


def issue(user: User, name: str, scopes: Sequence[str], expires_at: datetime | None = None) -> tuple[Token, str]:
    """A new token, and its text, which nobody can read again.

    Raises:
        ValidationError: the user has one of that name, or as many as one may have.
    """
    text = PREFIX + secrets.token_urlsafe(SECRET_BYTES)
    with transaction.atomic():
        User.objects.select_for_update().get(pk=user.pk)  # a user's new tokens are looked at one after the other
        names = list(user.tokens.values_list("name", flat=True))
        if name in names:
            raise ValidationError(
                _("You have a token named %(name)s: give this one another name, or revoke that one first."),
                code="name",
                params={"name": name},
            )
        if len(names) >= MOST_PER_USER:
            raise ValidationError(
                _("You have %(count)s tokens, as many as one user may have: revoke one that you don't need."),
                code="quota",
                params={"count": len(names)},
            )
        token = Token.objects.create(
            user=user, name=name, digest=_digest(text), scopes=list(scopes), expires_at=expires_at
        )
    return token, text


def revoke(token: Token) -> bool:
    """Whether the token was there to be revoked; what asks with it from now on is refused."""
    gone, _each = Token.objects.filter(pk=token.pk).delete()
    return bool(gone)


def find(text: str) -> Token | None:
    """The valid token of that text, with its user; its use is noted, at most once a minute."""
    token = Token.objects.valid().select_related("user").filter(digest=_digest(text)).first()
    if token is not None:
        _note_use(token)
    return token


def hold(token: Token) -> bool:
    """Whether the token is still valid; if so, nobody can revoke it until the transaction around this ends."""
    still = Token.objects.valid().filter(pk=token.pk).select_for_update(of=("self",))
    return still.first() is not None


def _note_use(token: Token) -> None:
    now = timezone.now()
    if token.last_used_at is None or token.last_used_at < now - NOTED_EVERY:
        due = Q(last_used_at=None) | Q(last_used_at__lt=now - NOTED_EVERY)
        Token.objects.filter(due, pk=token.pk).update(last_used_at=now)


def _digest(text: str) -> str:
    """Unsalted and quick: the text has more chance in it than anybody can try out."""
    return sha256(text.encode("utf-8", "replace")).hexdigest()
