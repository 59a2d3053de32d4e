from pathlib import Path
from typing import Any

from django.core.management.base import CommandError, CommandParser

from league.commands import TablesCommand
from league.operations import backup
from league.operations.backup.failure import Refused


class Command(TablesCommand):
    help = "Write the whole database, as it is at one moment, to a new file; the site may run meanwhile."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("file", type=Path)

    def handle(self, *_: Any, file: Path, **__: Any) -> None:
        try:
            made = backup.back_up(file)
        except Refused as reason:
            raise CommandError(str(reason)) from None
        self.stdout.write(f"{file}: {made.size:,} bytes of {made.kind}, sha256 {made.sha256}")
