"""How many requests somebody may make within a minute, counted in Django's cache.

Where the cache does not answer nobody is kept out: it may be emptied at any moment, and the API must go on without it.
"""

import ipaddress
import logging
import time
from math import ceil

from django.conf import settings
from django.core.cache import cache
from django.http import HttpRequest
from redis.exceptions import RedisError

from league.api.problems import Refused

log = logging.getLogger(__name__)

WINDOW_S = 60
SITE_BITS = 64
"""Of an IPv6 address: who has one has all that begin with these."""


def user(pk: int) -> None:
    """Count a request of that user's programs.

    Raises:
        Refused: there were too many; says when to come again.
    """
    _count(f"user-{pk}", settings.API_USER_PER_MINUTE)


def address(request: HttpRequest) -> None:
    """Count a request without a token, or with one that is not valid, for the address that it comes from.

    Raises:
        Refused: there were too many; says when to come again.
    """
    _count(f"address-{_origin(request)}", settings.API_ANONYMOUS_PER_MINUTE)


def _count(who: str, most: int) -> None:
    window, passed_s = divmod(time.time(), WINDOW_S)
    key = f"api-{who}-{int(window)}"
    try:
        cache.add(key, 0, 2 * WINDOW_S)
        count = cache.incr(key)
    except (RedisError, OSError, ValueError) as error:
        log.warning("the cache is away, requests are not counted: %s", error)
        return
    if count > most:
        wait_s = ceil(WINDOW_S - passed_s)
        words = f"You made more than {most} requests within a minute: come again in {wait_s} s."
        raise Refused("throttled", words, headers={"Retry-After": str(wait_s)})


def _origin(request: HttpRequest) -> str:
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
