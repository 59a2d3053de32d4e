from pathlib import Path
from typing import Any

from django.core.management.base import CommandError, CommandParser

from league.commands import TablesCommand
from league.operations import backup
from league.operations.backup import archive
from league.operations.backup.failure import Refused


class Command(TablesCommand):
    help = "Put a backup in the place of all that the database holds, after a question; no worker may run."
    requires_migrations_checks = False

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("file", type=Path)
        parser.add_argument("--yes", action="store_true", help="do not ask")
        parser.add_argument("--force", action="store_true", help="although workers seem to run")

    def handle(self, *_: Any, file: Path, yes: bool, force: bool, **__: Any) -> None:
        try:
            made_at = archive.header(file).made_at
            if not yes and not self._agrees(made_at):
                raise CommandError("nothing was changed")
            backup.restore(file, force=force)
        except Refused as reason:
            raise CommandError(str(reason)) from None
        self.stdout.write(f"the database is as it was at {made_at}; now run manage.py migrate, and start the site")

    def _agrees(self, made_at: str) -> bool:
        self.stdout.write(f"All that was stored since {made_at} will be lost.")
        try:
            return input("Type yes to go on: ").strip() == "yes"
        except EOFError:
            raise CommandError("nobody answers: say --yes where there is no terminal") from None
