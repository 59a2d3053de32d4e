"""Copies of a PostgreSQL database, by its own programs."""

import os
import shutil
import subprocess
from pathlib import Path

from django.db import connection

from league.operations.backup.failure import Refused

VARIABLES = {"host": "PGHOST", "port": "PGPORT", "user": "PGUSER", "password": "PGPASSWORD", "dbname": "PGDATABASE"}


def copy_to(copy: Path) -> None:
    """Write the database to that new file, in the custom format of pg_dump.

    Raises:
        Refused: pg_dump is not there, or fails.
    """
    _run("pg_dump", "--format", "custom", "--no-owner", "--no-privileges", "--file", str(copy))


def copy_from(copy: Path) -> None:
    """Put the copy in the place of all tables, in one transaction.

    Raises:
        Refused: a program is not there, or fails; nothing is changed.
    """
    script = copy.with_name("script.sql")
    # A file between the two, since psql would take the end of a pg_restore that fails for the end of the script.
    _run("pg_restore", "--no-owner", "--no-privileges", "--file", str(script), str(copy))
    tables = ", ".join(map(connection.ops.quote_name, connection.introspection.table_names()))
    connection.close()
    drop = f"DROP TABLE {tables} CASCADE" if tables else "SELECT 1"
    options = ("--no-psqlrc", "--quiet", "--single-transaction", "--set", "ON_ERROR_STOP=1", "--output", os.devnull)
    _run("psql", *options, "--command", drop, "--file", str(script))


def _run(program: str, *arguments: str) -> None:
    found = shutil.which(program)
    if found is None:
        raise Refused(
            f"{program} is not on the path: install PostgreSQL's client programs, of the server's release or newer, or "
            "copy the database where it runs, as docs/operations.md says"
        )
    given = connection.get_connection_params()
    server = {variable: str(given[name]) for name, variable in VARIABLES.items() if given.get(name)}
    ended = subprocess.run(  # noqa: S603
        [found, *arguments], env={**os.environ, **server}, stdin=subprocess.DEVNULL, capture_output=True, check=False
    )
    if ended.returncode:
        said = ended.stderr.decode(errors="replace").strip().splitlines()
        raise Refused(f"{program} failed: {' / '.join(said[:3]) or f'exit code {ended.returncode}'}")
