"""Copies of an SQLite database, by SQLite itself: of one moment, while others read and write."""

import sqlite3
from contextlib import closing
from pathlib import Path

from django.db import connection

from league.operations.backup.failure import Refused

BUSY_S = 20


def copy_to(copy: Path) -> None:
    """Write the database to that new file.

    Raises:
        Refused: it can't be read.
    """
    try:
        with closing(_opened()) as source, closing(sqlite3.connect(copy)) as target:
            source.backup(target)
            target.execute("PRAGMA journal_mode = DELETE")  # all of it in the one file
    except sqlite3.Error as error:
        raise Refused(f"the database can't be copied: {error}; manage.py doctor says more") from None


def copy_from(copy: Path) -> None:
    """Put the copy in the database's place, in one transaction.

    Raises:
        Refused: the copy is damaged, or the database can't be written; nothing is changed.
    """
    with closing(sqlite3.connect(copy)) as source:
        if fault := _fault(source):
            raise Refused(f"the backup holds no whole database ({fault}): take another one")
        try:
            with closing(_opened()) as target:
                source.backup(target)
        except sqlite3.Error as error:
            raise Refused(f"the database can't be written: {error}; stop the site, and try again") from None


def _fault(database: sqlite3.Connection) -> str:
    """What SQLite finds to be wrong with it; empty where nothing is."""
    try:
        (found,) = database.execute("PRAGMA quick_check").fetchone()
    except sqlite3.DatabaseError as error:
        return str(error)
    return "" if found == "ok" else str(found)


def _opened() -> sqlite3.Connection:
    return sqlite3.connect(connection.settings_dict["NAME"], timeout=BUSY_S)
