"""Who asks: whoever has a token, and what it lets him do; anybody for what is public. Cookies count for nothing."""

from typing import Any, NamedTuple

from django.contrib.auth.models import AnonymousUser
from django.http import HttpRequest
from ninja.security.http import HttpAuthBase

from league.accounts import tokens
from league.accounts.models import Token, User
from league.api import throttle
from league.api.problems import Refused
from league.bots.access import sees_private
from league.bots.models import Bot


class Caller(NamedTuple):
    user: User | AnonymousUser
    token: Token | None = None

    def may(self, scope: Token.Scope) -> bool:
        return self.token is not None and scope in self.token.scopes

    def sees_private(self, bot: Bot) -> bool:
        """Whether the bot's reports and logs are told: to whom the site shows them, with a token that allows it."""
        return self.may(Token.Scope.LOGS) and sees_private(self.user, bot)


class Request(HttpRequest):
    """A request that was let through."""

    auth: Caller


class Bearer(HttpAuthBase):
    openapi_scheme = "bearer"

    def __call__(self, request: HttpRequest) -> Caller | None:
        """Whose token the request has; None where it has none.

        Raises:
            Refused: the token is not valid, or the requests of its user are too many.
        """
        header = request.headers.get("Authorization")
        if header is None:
            return None
        scheme, _, text = header.partition(" ")
        token = tokens.find(text.strip()) if scheme.lower() == "bearer" else None
        if token is None:
            throttle.address(request)
            raise unknown_token()
        throttle.user(token.user_id)
        return Caller(token.user, token)


def anybody(request: HttpRequest) -> Caller:
    """A visitor without a token."""
    throttle.address(request)
    return Caller(AnonymousUser())


def nobody(request: HttpRequest) -> Caller:
    """Refuses a visitor without a token."""
    throttle.address(request)
    raise no_token()


PUBLIC: dict[str, Any] = {"auth": [Bearer(), anybody], "openapi_extra": {"security": [{}]}}
"""How an operation is registered that everybody may use."""
OWN: dict[str, Any] = {"auth": [Bearer(), nobody]}
"""How one is registered that needs a token."""


def held(caller: Caller) -> Token:
    """The caller's token.

    Raises:
        Refused: he has none.
    """
    if caller.token is None:
        raise no_token()
    return caller.token


def demand(caller: Caller, scope: Token.Scope) -> Token:
    """The caller's token, if it has that scope.

    Raises:
        Refused: it has not.
    """
    token = held(caller)
    if not caller.may(scope):
        raise Refused(
            "scope", f"The token {token.name!r} does not allow this: make one with the scope {scope.value!r}."
        )
    return token


def no_token() -> Refused:
    return Refused("token", "This needs a token: send Authorization: Bearer TOKEN. Make one at /accounts/tokens/.")


def unknown_token() -> Refused:
    return Refused(
        "token",
        "This token is not valid: it was revoked, it has expired, its user may not sign in, or it never was one. "
        "Make one at /accounts/tokens/.",
    )
