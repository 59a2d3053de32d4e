"""What programs do for their users."""

from django.db import transaction

from league.accounts import tokens
from league.accounts.models import Token
from league.bots import services as bots
from league.bots.models import Version


class TokenGone(Exception):  # noqa: N818 - what the request is answered with
    """The token was revoked, or has expired, since the request began."""


@transaction.atomic
def submit(token: Token, bot: str, filename: str, content: bytes, message: str) -> Version:
    """Store an upload as `bots.services.submit` does, for the token's user, if the token is valid at that moment.

    A token that is revoked while this runs is revoked after it.

    Raises:
        TokenGone: it is valid no more; nothing is stored.
        ValidationError: the upload, the name or the quota is refused; says what to do.
    """
    if not tokens.hold(token):
        raise TokenGone
    return bots.submit(token.user, bot, filename, content, message)
