"""A look at the database as it is at one moment, however long it takes to read."""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from django.db import connection, transaction

READ_ONLY = "SET TRANSACTION ISOLATION LEVEL REPEATABLE READ, READ ONLY"


@contextmanager
def snapshot() -> Iterator[None]:
    """All that is read inside is of one moment; nothing may be written. Nobody who writes waits for it.

    Inside of a transaction it is that transaction's own view.
    """
    if connection.in_atomic_block:
        yield
    elif connection.vendor == "sqlite":
        with _without_lock(), transaction.atomic():
            yield
    else:
        with transaction.atomic():
            connection.cursor().execute(READ_ONLY)
            yield


@contextmanager
def _without_lock() -> Iterator[None]:
    """Transactions that begin inside take no lock for writing, as they do elsewhere."""
    sqlite: Any = connection
    mode = sqlite.transaction_mode
    sqlite.transaction_mode = "DEFERRED"
    try:
        yield
    finally:
        sqlite.transaction_mode = mode
