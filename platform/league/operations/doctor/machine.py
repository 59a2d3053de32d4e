"""What surrounds the site: the broker, the cache, the disk."""

import shutil
from collections.abc import Iterator
from secrets import token_hex

from django.conf import settings
from django.core.cache import cache
from kombu.exceptions import OperationalError
from redis.exceptions import RedisError

from league.celery import app
from league.operations.doctor.findings import Finding, State

MIB = 1024 * 1024
SCARCE, SPENT = 2048 * MIB, 256 * MIB
KEPT_S = 10


def examine() -> Iterator[Finding]:
    yield _broker()
    yield _cache()
    yield _disk()


def _broker() -> Finding:
    soon = {"max_retries": 0, "connect_retries_timeout": 2}
    options = {**app.conf.broker_transport_options, **soon}
    with app.connection_for_write(transport_options=options) as connection:
        where = connection.as_uri()
        try:
            connection.ensure_connection(max_retries=1, interval_start=0, timeout=2)
        except (OperationalError, OSError) as error:
            advice = "start it, or mend REDIS_URL; meanwhile work waits in the database, and then goes on by itself"
            return Finding("broker", State.BAD, f"{where} does not answer: {error}", advice)
    return Finding("broker", State.OK, f"{where} answers")


def _cache() -> Finding:
    key, word = "doctor", token_hex(8)
    try:
        cache.set(key, word, KEPT_S)
        kept = cache.get(key)
    except (RedisError, OSError) as error:
        advice = "start Redis, or mend REDIS_URL; until then the API lets everybody through"
        return Finding("cache", State.WARN, f"it does not answer: {error}", advice)
    if kept != word:
        return Finding("cache", State.WARN, "it forgets what it is told", "give Redis more memory")
    return Finding("cache", State.OK, "it answers")


def _disk() -> Finding:
    try:
        free = shutil.disk_usage(settings.HOME).free
    except OSError as error:
        return Finding("disk", State.BAD, str(error), "set ARENA_HOME to a folder that is there")
    found = f"{free // MIB:,} MiB free in {settings.HOME}"
    if free < SCARCE:
        advice = "make room: bots are unpacked there, and SQLite grows there"
        return Finding("disk", State.BAD if free < SPENT else State.WARN, found, advice)
    return Finding("disk", State.OK, found)
