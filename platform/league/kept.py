"""Parts of pages that many readers ask for, kept in Django's cache.

A part is kept under all that it shows, so nothing ever has to be thrown away: what changes is looked for elsewhere.
The cache may be emptied, or away, at any moment: then parts are made anew.
"""

import logging
import zlib
from collections.abc import Callable
from contextlib import suppress
from hashlib import sha256

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


def part(name: str, shows: tuple[object, ...], made: Callable[[], str]) -> SafeString:
    """What `made` gives: HTML that follows from the language and from `shows`, whose parts are told apart by `repr`."""
    depends = repr((release.fingerprint(), get_language(), *shows))
    key = f"part-{name}-{sha256(depends.encode()).hexdigest()}"
    try:
        packed = cache.get(key)
    except AWAY as error:
        log.warning("the cache is away, parts of pages are not kept: %s", error)
        return mark_safe(made())  # noqa: S308 - a template made it
    if packed is not None:
        return mark_safe(zlib.decompress(packed).decode())  # noqa: S308
    html = made()
    with suppress(*AWAY):
        cache.set(key, zlib.compress(html.encode(), QUICKLY), KEPT_S)
    return mark_safe(html)  # noqa: S308
