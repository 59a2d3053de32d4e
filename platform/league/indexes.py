"""Indexes that a migration adds to a table that is in use."""

from typing import Any

from django.db.backends.base.schema import BaseDatabaseSchemaEditor
from django.db.migrations import AddIndex
from django.db.utils import NotSupportedError


class AddIndexWhileUsed(AddIndex):
    """Adds an index for which nobody waits: PostgreSQL makes it concurrently. Its migration has `atomic = False`.

    PostgreSQL leaves an index behind that it could not finish, so that the next try begins by removing it.

    Raises:
        NotSupportedError: the migration is one transaction.
    """

    atomic = False

    def database_forwards(
        self, app_label: str, schema_editor: BaseDatabaseSchemaEditor, from_state: Any, to_state: Any
    ) -> None:
        if schema_editor.connection.in_atomic_block:
            raise NotSupportedError(f"index {self.index.name!r}: expected atomic = False, got a migration without it")
        if schema_editor.connection.vendor != "postgresql":
            super().database_forwards(app_label, schema_editor, from_state, to_state)
            return
        model = to_state.apps.get_model(app_label, self.model_name)
        # It waits for all transactions that are older than it, and nobody waits for it.
        schema_editor.execute("SET lock_timeout = 0")
        schema_editor.execute(self.index.remove_sql(model, schema_editor, concurrently=True))
        schema_editor.execute(self.index.create_sql(model, schema_editor, concurrently=True), params=None)
        schema_editor.execute("RESET lock_timeout")
