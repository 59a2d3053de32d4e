"""How often somebody may do something, counted in Django's cache; the limits are settings.

Where the cache does not answer nobody is kept out: it may be emptied at any moment, and the site must go on without it.
"""

import ipaddress
import logging
import time
from collections.abc import Iterator, Sequence
from contextlib import AbstractContextManager, contextmanager, suppress
from hashlib import sha256
from math import ceil

from django.conf import settings
from django.core.cache import cache
from django.core.exceptions import ValidationError
from django.forms import BaseForm
from django.http import HttpRequest, HttpResponse
from django.utils.translation import ngettext_lazy
from redis.exceptions import RedisError

log = logging.getLogger(__name__)

MINUTE_S = 60
QUARTER_S = 15 * MINUTE_S
HOUR_S = 60 * MINUTE_S
SITE_BITS = 64
"""Of an IPv6 address: who has one has all that begin with these."""


class TooMany(ValidationError):  # noqa: N818 - what whoever asks is told
    """It was done too often."""

    def __init__(self, wait_s: int) -> None:
        said = ngettext_lazy(
            "This was tried too often. Come again in %(minutes)s minute.",
            "This was tried too often. Come again in %(minutes)s minutes.",
            "minutes",
        )
        super().__init__(said, code="throttled", params={"minutes": ceil(wait_s / MINUTE_S)})
        self.wait_s = wait_s


def count(what: str, who: object, most: int, window_s: int) -> int:
    """Count that `who` does it once more: 0, or the seconds after which to come again where that is one too many."""
    key, passed_s = _window(what, who, window_s)
    try:
        cache.add(key, 0, 2 * window_s)
        counted = cache.incr(key)
    except (RedisError, OSError, ValueError) as error:
        log.warning("the cache is away, requests are not counted: %s", error)
        return 0
    return ceil(window_s - passed_s) if counted > most else 0


def login(request: HttpRequest, username: str) -> AbstractContextManager[None]:
    """Count an attempt to log in: of that name from that address, and of the address. One that succeeds is not counted.

    A name alone has no limit, with which anybody could lock out another.

    Raises:
        TooMany: one of them had too many; the password must not be looked at.
    """
    origin = address(request)
    limits = (f"{username.casefold()} {origin}", settings.LOGIN_FAILURES), (origin, settings.LOGIN_FAILURES_ADDRESS)
    return _tried("login", limits, QUARTER_S, only_refused=True)


def password(user_pk: int) -> AbstractContextManager[None]:
    """Count that a user who is logged in gives the password once more. One that is right is not counted.

    Raises:
        TooMany: somebody may be trying out passwords in a session that was left open.
    """
    return _tried("password", ((user_pk, settings.LOGIN_FAILURES),), QUARTER_S, only_refused=True)


def sign_up(request: HttpRequest) -> AbstractContextManager[None]:
    """Count a new account for the address that asks for it.

    Raises:
        TooMany: it had too many within an hour.
    """
    return _tried("sign-up", ((address(request), settings.SIGN_UPS_PER_HOUR),), HOUR_S)


def upload(request: HttpRequest, user_pk: int) -> AbstractContextManager[None]:
    """Count an upload, to be submitted or tried, for its user and for the address that it comes from.

    Raises:
        TooMany: one of them had too many within an hour.
    """
    limits = (
        (f"user {user_pk}", settings.UPLOADS_USER_PER_HOUR),
        (address(request), settings.UPLOADS_ADDRESS_PER_HOUR),
    )
    return _tried("upload", limits, HOUR_S)


@contextmanager
def _tried(
    what: str, limits: Sequence[tuple[object, int]], window_s: int, *, only_refused: bool = False
) -> Iterator[None]:
    """Count what is tried inside for each of these, by so many; not where it fails by the platform's fault.

    What is refused inside, by a `ValidationError`, is counted, what succeeds unless only the refused count.
    """
    for who, most in limits:
        if wait_s := count(what, who, most, window_s):
            raise TooMany(wait_s)
    counts = False
    try:
        yield
        counts = not only_refused
    except ValidationError:
        counts = True
        raise
    finally:
        if not counts:
            for who, _most in limits:
                _take_back(what, who, window_s)


def _take_back(what: str, who: object, window_s: int) -> None:
    key, _passed_s = _window(what, who, window_s)
    with suppress(RedisError, OSError, ValueError):  # also where it was counted in the window before
        cache.decr(key)


def answer(response: HttpResponse, form: BaseForm) -> HttpResponse:
    """That response; 429, with when to come again, where it shows a form that was refused as one too many."""
    refused = [error for errors in form.errors.as_data().values() for error in errors if isinstance(error, TooMany)]
    if refused:
        response.status_code = 429
        response["Retry-After"] = str(max(error.wait_s for error in refused))
    return response


def address(request: HttpRequest) -> str:
    """The visitor's address as the first of our own proxies saw it; of IPv6 the part that is a site's."""
    hops = [hop.strip() for hop in request.headers.get("X-Forwarded-For", "").split(",") if hop.strip()]
    seen = hops[-settings.PROXIES :][:1] if settings.PROXIES else []
    text = seen[0] if seen else request.META.get("REMOTE_ADDR", "")
    try:
        found = ipaddress.ip_address(text)
    except ValueError:
        return "unknown"
    if isinstance(found, ipaddress.IPv6Address):
        return str(found.ipv4_mapped or ipaddress.ip_network((found, SITE_BITS), strict=False).network_address)
    return str(found)


def _window(what: str, who: object, window_s: int) -> tuple[str, float]:
    """The key of the window that is now, and how many seconds of it have passed."""
    number, passed_s = divmod(time.time(), window_s)
    hidden = sha256(str(who).encode("utf-8", "replace")).hexdigest()[:32]
    return f"{what}-{hidden}-{int(number)}", passed_s
