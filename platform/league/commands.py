"""Commands of manage.py that need the tables, and end with one line where these are not there."""

from typing import Any

from django.core.management.base import BaseCommand, CommandError
from django.db import DatabaseError, connection
from django.db.migrations.executor import MigrationExecutor


class TablesCommand(BaseCommand):
    """Ends with 2 where the database can't be read, or lacks tables of this release; says what to do."""

    def execute(self, *arguments: Any, **options: Any) -> str | None:
        try:
            return super().execute(*arguments, **options)
        except DatabaseError as error:
            if reason := _lack():
                raise CommandError(reason, returncode=2) from error
            raise


def _lack() -> str:
    """What the database lacks; empty where that is nothing."""
    try:
        executor = MigrationExecutor(connection)
    except DatabaseError as error:
        return f"the database can't be read: {str(error).strip()}; start it, or mend DATABASE_URL"
    left = executor.migration_plan(executor.loader.graph.leaf_nodes())
    return f"the database lacks {len(left)} migrations of this release: run manage.py migrate first" if left else ""
