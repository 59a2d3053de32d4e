"""Pages and parts of them that many readers ask for, kept in Django's cache.

A part is kept under all that it shows, so nothing ever has to be thrown away: what changes is looked for elsewhere.
The cache may be emptied, or away, at any moment: then all is made anew.
"""

import logging
import zlib
from collections.abc import Callable
from contextlib import suppress
from hashlib import sha256
from typing import TypeVar

from django.core.cache import cache
from django.utils.safestring import SafeString, mark_safe
from django.utils.translation import get_language
from redis.exceptions import RedisError

from league import release

log = logging.getLogger(__name__)

KEPT_S = 60
"""Longer than a busy table stays as it is. It also bounds the room that parts take: Redis has no more for the queue."""
QUICKLY = 1
AWAY = (RedisError, OSError)

Made = TypeVar("Made")


def part(name: str, shows: tuple[object, ...], made: Callable[[], str]) -> SafeString:
    """What `made` gives: HTML that follows from the language and from `shows`, whose parts are told apart by `repr`."""

    def pack() -> bytes:
        return zlib.compress(made().encode(), QUICKLY)

    packed = once(key(f"part-{name}", shows), pack, KEPT_S)
    return mark_safe(zlib.decompress(packed).decode())  # noqa: S308 - a template made it


def key(name: str, shows: tuple[object, ...]) -> str:
    """Where something is kept that follows from the language and from `shows`, by `repr`."""
    depends = repr((release.fingerprint(), get_language(), *shows))
    return f"{name}-{sha256(depends.encode()).hexdigest()}"


def once(key: str, made: Callable[[], Made], seconds: float) -> Made:
    """What is kept there; else what `made` gives, which is kept for so long, if it is not None."""
    try:
        found: Made | None = cache.get(key)
    except AWAY as error:
        log.warning("the cache is away, pages are made anew: %s", error)
        return made()
    if found is not None:
        return found
    new = made()
    if new is not None:
        with suppress(*AWAY):
            cache.set(key, new, seconds)
    return new
