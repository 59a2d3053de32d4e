"""What a migration does that the release before it would not survive, or for which whoever uses a table has to wait.

While a league is upgraded, the release before runs on beside the migrated tables. The rules are about PostgreSQL, which
serves the large leagues, and look at the operations alone, so that no server is needed to hold to them.
"""

from __future__ import annotations

from typing import Any

from django.db.migrations import Migration, operations
from django.db.migrations.executor import MigrationExecutor
from django.db.migrations.operations.base import Operation
from django.db.migrations.state import ProjectState
from django.db.models import Field, ForeignKey, GeneratedField
from django.db.models.expressions import Expression
from django.db.models.fields import NOT_PROVIDED

from league.indexes import AddIndexWhileUsed

TAKES_AWAY = (
    operations.RemoveField,
    operations.RenameField,
    operations.DeleteModel,
    operations.RenameModel,
    operations.AlterModelTable,
)
HARMLESS = (
    operations.CreateModel,
    operations.RemoveConstraint,
    operations.RemoveIndex,
    operations.RenameIndex,
    operations.AlterModelOptions,
    operations.AlterModelManagers,
    AddIndexWhileUsed,
)
NOT_IN_THE_TABLE = {
    "blank", "choices", "default", "editable", "error_messages", "help_text", "limit_choices_to", "on_delete",
    "related_name", "related_query_name", "validators", "verbose_name",
}  # fmt: skip
"""Options of a field of which the database knows nothing."""


def of_all() -> dict[str, list[str]]:
    """What is wrong with each of the league's migrations, by its name such as "bots.0001_initial"."""
    executor = MigrationExecutor(None)
    state = ProjectState()
    found = {}
    for migration, _ in executor.migration_plan(executor.loader.graph.leaf_nodes(), clean_start=True):
        if type(migration).__module__.startswith("league."):
            found[f"{migration.app_label}.{migration.name}"] = of(migration, state)
        state = migration.mutate_state(state, preserve=False)
    return found


def of(migration: Migration, before: ProjectState) -> list[str]:
    """What is wrong with that migration, which finds the tables in that state."""
    state = before.clone()
    said = []
    for operation in migration.operations:
        harms = [(each, _harm(each, migration.app_label, before, state)) for each in _on_tables(operation)]
        said += [f"{each.describe()}: {harm}" for each, harm in harms if harm]
        operation.state_forwards(migration.app_label, state)
    if not migration.atomic and not all(isinstance(each, AddIndexWhileUsed) for each in migration.operations):
        said.append("atomic = False is for AddIndexWhileUsed alone: what fails half-way can't be tried again")
    return said


def _on_tables(operation: Operation) -> list[Operation]:
    if isinstance(operation, operations.SeparateDatabaseAndState):
        return list(operation.database_operations)
    return [operation]


def _harm(operation: Operation, app: str, before: ProjectState, state: ProjectState) -> str:
    """What comes of that operation; empty where nothing bad does."""
    model = getattr(operation, "model_name_lower", "") or getattr(operation, "name_lower", "")
    is_new = (app, model) in state.models and (app, model) not in before.models
    if isinstance(operation, HARMLESS) or is_new:
        return ""
    if isinstance(operation, TAKES_AWAY):
        return "the release before still uses it"
    match operation:
        case operations.AddField():
            return _added(operation.field)
        case operations.AlterField():
            return _altered(state.models[app, model].get_field(operation.name), operation.field)
        case operations.AddIndex():
            return "nobody can write meanwhile; use AddIndexWhileUsed"
        case operations.AddConstraint():
            return "the whole table is read under a lock, and the release before may break it"
        case operations.RunPython() | operations.RunSQL():
            return "nobody can tell from outside what it does"
    return "it is not among the operations that are known to be harmless"


def _added(field: Any) -> str:
    if field.many_to_many:
        return ""
    if isinstance(field, GeneratedField) or isinstance(field.db_default, Expression):
        return "each row may be written anew under a lock"
    if not field.null and field.db_default is NOT_PROVIDED:
        return "the release before can add no row: let it be null, or give it a db_default"
    if field.unique or field.db_index:
        said = "an index is made under a lock; leave it to a later migration, with AddIndexWhileUsed"
        return f"{said}, and set db_index=False" if isinstance(field, ForeignKey) else said
    return ""


def _altered(old: Field[Any, Any], new: Field[Any, Any]) -> str:
    _, old_path, _, had = old.deconstruct()
    _, new_path, _, has = new.deconstruct()
    changed = {key for key in had.keys() | has.keys() if had.get(key) != has.get(key)} - NOT_IN_THE_TABLE
    if new.null:
        changed.discard("null")
    if new.null or "db_default" in has:
        changed.discard("db_default")
    if (new.max_length or 0) >= (old.max_length or 0):
        changed.discard("max_length")
    if old_path != new_path:
        changed.add("type")
    if changed:
        return f"the column changes under both releases, its {', '.join(sorted(changed))}; add another column"
    return ""
