"""Whether the database answers, has the tables of this release, and agrees with the clock of this machine."""

from collections.abc import Iterator
from datetime import timedelta

from django.db import DatabaseError, connection
from django.db.migrations.executor import MigrationExecutor
from django.utils import timezone

from league.operations.doctor.findings import Finding, State

ANSWERS, ENCODING, MIGRATED = "database", "encoding", "migrations"
SUBJECTS = {ANSWERS, MIGRATED}
APART, FAR_APART = timedelta(seconds=2), timedelta(seconds=30)


def examine() -> Iterator[Finding]:
    """The later ones only where the database answers."""
    try:
        connection.ensure_connection()
        kind = _kind()
    except DatabaseError as error:
        advice = "start it, or mend DATABASE_URL"
        yield Finding(ANSWERS, State.BAD, f"it does not answer: {str(error).strip()}", advice)
        return
    yield Finding(ANSWERS, State.OK, kind)
    yield encoding(_encoding())
    yield _migrations()
    yield _clock()


def _kind() -> str:
    with connection.cursor() as cursor:
        if connection.vendor == "sqlite":
            cursor.execute("SELECT sqlite_version()")
            return f"SQLite {cursor.fetchone()[0]} in {connection.settings_dict['NAME']}"
        cursor.execute("SHOW server_version")
        return f"PostgreSQL {cursor.fetchone()[0]}, {connection.settings_dict['NAME']}"


def _encoding() -> str:
    with connection.cursor() as cursor:
        cursor.execute("PRAGMA encoding" if connection.vendor == "sqlite" else "SHOW server_encoding")
        return str(cursor.fetchone()[0])


def encoding(name: str) -> Finding:
    """Any but UTF-8 refuses texts that the site takes, or counts their bytes as characters."""
    if name.replace("-", "") == "UTF8":
        return Finding(ENCODING, State.OK, name)
    advice = "back it up, create it anew with ENCODING 'UTF8' TEMPLATE template0, and restore the backup"
    return Finding(ENCODING, State.BAD, f"the database has {name}, expected UTF8", advice)


def _migrations() -> Finding:
    try:
        executor = MigrationExecutor(connection)
        left = executor.migration_plan(executor.loader.graph.leaf_nodes())
        unknown = executor.loader.applied_migrations.keys() - executor.loader.disk_migrations.keys()
    except DatabaseError as error:
        return Finding(MIGRATED, State.BAD, str(error).strip(), "let the site's user read django_migrations")
    if left:
        names = ", ".join(f"{migration.app_label}.{migration.name}" for migration, _ in left[:3])
        found = f"{len(left)} are not applied: {names}{', ...' if len(left) > 3 else ''}"
        return Finding(MIGRATED, State.BAD, found, "manage.py migrate")
    if unknown:
        found = f"the database knows {len(unknown)} that this release does not"
        return Finding(MIGRATED, State.WARN, found, "run the release that made them, or restore a backup of this one")
    return Finding(MIGRATED, State.OK, "all are applied")


def _clock() -> Finding:
    subject = "clocks"
    if connection.vendor == "sqlite":
        return Finding(subject, State.OK, "the database has this machine's")
    before = timezone.now()
    with connection.cursor() as cursor:
        cursor.execute("SELECT clock_timestamp()")
        there = cursor.fetchone()[0]
    apart = abs(there - (before + (timezone.now() - before) / 2))
    found = f"those of the database and of this machine are {apart.total_seconds():.1f} s apart"
    if apart < APART:
        return Finding(subject, State.OK, found)
    advice = "let both machines be set by NTP: leases and deadlines go by these clocks"
    return Finding(subject, State.BAD if apart > FAR_APART else State.WARN, found, advice)
