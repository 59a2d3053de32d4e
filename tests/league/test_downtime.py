"""A league is upgraded while it runs: no migration may break the release before it, or lock a table for long."""

from __future__ import annotations

from typing import Any

import pytest
from django.contrib.postgres.operations import ValidateConstraint
from django.db import connection, migrations, models
from django.db.migrations.loader import MigrationLoader
from django.db.migrations.operations.base import Operation
from django.db.migrations.state import ProjectState
from django.db.utils import NotSupportedError

from league.indexes import AddIndexWhileUsed
from tests.league import downtime

LOOKED_AT = {
    "bots.0002_trial_retired_deleted": "before the rule",
    "bots.0004_calls_packed_anew": "before the rule",
    "matches.0003_log_printed": "before the rule",
    "matches.0004_match_unfinished_and_by_end": "before the rule",
    "matches.0006_seasons": "before the rule",
    "matches.0007_annulment": "before the rule",
    "matches.0008_workers_tell": "before the rule",
    "matches.0011_in_less_room": "before the rule",
    "standings.0002_standing_decided": "before the rule",
    "standings.0003_ratings": "before the rule",
    "tournaments.0002_seasons": "before the rule",
    "tournaments.0003_season_bots_per_user": "before the rule",
}
"""Migrations that the rules refuse, and why they do no harm all the same."""
COUNT = models.PositiveIntegerField(default=0)
NAME = models.CharField(max_length=20, default="")


@pytest.fixture(scope="module")
def found() -> dict[str, list[str]]:
    return downtime.of_all()


def test_every_migration_lets_the_release_before_it_run_on(found: dict[str, list[str]]) -> None:
    assert {name: said for name, said in found.items() if said and name not in LOOKED_AT} == {}


def test_what_was_looked_at_needed_it(found: dict[str, list[str]]) -> None:
    assert [name for name in LOOKED_AT if not found[name]] == []


def league() -> ProjectState:
    """One with a table of bots that is there, and one of owners."""
    state = ProjectState()
    key = ("id", models.BigAutoField(primary_key=True))
    for create in (
        migrations.CreateModel("Owner", [key]),
        migrations.CreateModel("Bot", [key, ("count", COUNT), ("name", NAME), ("note", models.TextField(null=True))]),
    ):
        create.state_forwards("zoo", state)
    return state


def said(*operations: Operation, atomic: bool = True) -> str:
    migration = migrations.Migration("0002_next", "zoo")
    migration.operations, migration.atomic = list(operations), atomic
    return "\n".join(downtime.of(migration, league()))


def add(field: Any) -> Operation:
    return migrations.AddField("bot", "extra", field)


def alter(name: str, field: Any) -> Operation:
    return migrations.AlterField("bot", name, field)


def index(kind: Any) -> Operation:
    operation: Operation = kind("bot", models.Index(fields=["name"], name="bot_name"))
    return operation


UNIQUE = models.UniqueConstraint(fields=["name"], name="one_name")


@pytest.mark.parametrize(
    ("operation", "words"),
    [
        (migrations.RemoveField("bot", "count"), "still uses"),
        (migrations.RenameField("bot", "count", "number"), "still uses"),
        (migrations.DeleteModel("Bot"), "still uses"),
        (migrations.RenameModel("Bot", "Robot"), "still uses"),
        (migrations.AlterModelTable("Bot", "robots"), "still uses"),
        (add(models.IntegerField(default=0)), "can add no row"),
        (add(models.ForeignKey("zoo.Owner", models.CASCADE)), "can add no row"),
        (add(models.IntegerField(null=True, db_index=True)), "an index is made under a lock"),
        (add(models.IntegerField(null=True, unique=True)), "an index is made under a lock"),
        (add(models.ForeignKey("zoo.Owner", models.CASCADE, null=True)), "db_index=False"),
        (add(models.DateTimeField(db_default=models.functions.Now())), "written anew"),
        (alter("count", models.BigIntegerField(default=0)), "its type"),
        (alter("name", models.CharField(max_length=10, default="")), "its max_length"),
        (alter("name", models.CharField(max_length=20, default="", unique=True)), "its unique"),
        (alter("note", models.TextField()), "its null"),
        (index(migrations.AddIndex), "nobody can write"),
        (migrations.AddConstraint("bot", UNIQUE), "read under a lock"),
        (migrations.AlterUniqueTogether("bot", {("name", "count")}), "not among"),
        (migrations.RunSQL("DELETE FROM zoo_bot"), "from outside"),
        (migrations.RunPython(migrations.RunPython.noop), "from outside"),
        (migrations.SeparateDatabaseAndState([migrations.RemoveField("bot", "count")]), "still uses"),
        (ValidateConstraint("bot", "one_name"), "not among"),
    ],
)
def test_what_the_release_before_does_not_survive_is_refused(operation: Operation, words: str) -> None:
    assert words in said(operation)


@pytest.mark.parametrize(
    "operation",
    [
        add(models.IntegerField(null=True)),
        add(models.IntegerField(db_default=0)),
        add(models.ForeignKey("zoo.Owner", models.CASCADE, null=True, db_index=False)),
        add(models.ManyToManyField("zoo.Owner")),
        alter("count", models.PositiveIntegerField(default=1, help_text="of its matches", db_default=0)),
        alter("count", models.PositiveIntegerField(null=True)),
        alter("name", models.CharField(max_length=40, choices=[("a", "b")])),
        migrations.AlterModelOptions("bot", {"ordering": ["name"]}),
        migrations.SeparateDatabaseAndState(state_operations=[migrations.RemoveField("bot", "count")]),
    ],
)
def test_what_it_does_not_notice_is_taken(operation: Operation) -> None:
    assert said(operation) == ""


def test_a_new_table_may_have_anything() -> None:
    create = migrations.CreateModel("Cage", [("id", models.BigAutoField(primary_key=True)), ("name", NAME)])
    constrained = migrations.AddConstraint("cage", UNIQUE)
    indexed = migrations.AddIndex("cage", models.Index(fields=["name"], name="cage_name"))
    assert said(create, constrained, indexed) == ""


def test_only_indexes_are_made_outside_a_transaction() -> None:
    assert said(index(AddIndexWhileUsed), atomic=False) == ""
    assert "can't be tried again" in said(index(AddIndexWhileUsed), add(models.IntegerField(null=True)), atomic=False)


@pytest.mark.django_db(transaction=True)
def test_an_index_is_added_while_its_table_is_used_and_again_where_that_broke_off() -> None:
    operation = AddIndexWhileUsed("match", models.Index(fields=["worker"], name="match_worker"))
    before = MigrationLoader(connection).project_state()
    after = before.clone()
    operation.state_forwards("matches", after)
    with connection.schema_editor(atomic=False) as editor:
        operation.database_forwards("matches", editor, before, after)
        if connection.vendor == "postgresql":
            operation.database_forwards("matches", editor, before, after)
        assert "match_worker" in names()
        operation.database_backwards("matches", editor, after, before)
    assert "match_worker" not in names()
    with connection.schema_editor() as editor, pytest.raises(NotSupportedError, match="atomic = False"):
        operation.database_forwards("matches", editor, before, after)


def names() -> set[str]:
    """The indexes and constraints of the table of matches."""
    with connection.cursor() as cursor:
        return set(connection.introspection.get_constraints(cursor, "matches_match"))
